//! Which amounts are worth how much, exactly.

use firmquote_domain::{Amount, Decimals, Price, U256, U512, Usd};

/// Whether `amount` is worth at least `least`, exactly.
pub fn is_worth(amount: Amount, price: Price, decimals: Decimals, least: Usd) -> bool {
    let steps = U512::from(amount.base_units()) * U512::from(price.steps());
    steps >= U512::from(least.steps()) * U512::from(decimals.units_per_token())
}

/// The least amount that is worth `least`, rounded up; one base unit at least.
pub fn least_worth(price: Price, decimals: Decimals, least: Usd) -> Amount {
    let steps = U512::from(least.steps()) * U512::from(decimals.units_per_token());
    let units = steps.div_ceil(U512::from(price.steps()));
    U256::checked_from_limbs_slice(units.as_limbs()).and_then(Amount::new).unwrap_or(Amount::ONE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_worth_is_worth_it_and_one_unit_less_is_not() {
        let least = Usd::from_decimal("0.10").unwrap();
        for (price, decimals) in [("2080.527", 18), ("1", 6), ("97123.45", 8), ("0.00000001", 18), ("3", 0)] {
            let (price, decimals) = (Price::from_decimal(price).unwrap(), Decimals::new(decimals).unwrap());
            let amount = least_worth(price, decimals, least);
            assert!(is_worth(amount, price, decimals, least));
            assert!(amount.checked_sub(Amount::ONE).is_none_or(|below| !is_worth(below, price, decimals, least)));
        }
    }
}

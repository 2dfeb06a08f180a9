//! Exact conversions between amounts and values in US dollars.

use firmquote_domain::{Amount, Decimals, Price, U512, Usd, narrow};

/// Whether `amount` is worth at least `min_value`, without rounding.
pub fn is_worth_at_least(amount: Amount, price: Price, decimals: Decimals, min_value: Usd) -> bool {
    let steps = U512::from(amount.base_units()) * U512::from(price.steps());
    steps >= U512::from(min_value.steps()) * U512::from(decimals.units_per_token())
}

/// The smallest amount worth at least `min_value`, rounded up; at least one base unit.
pub fn min_amount_worth(price: Price, decimals: Decimals, min_value: Usd) -> Amount {
    let steps = U512::from(min_value.steps()) * U512::from(decimals.units_per_token());
    let units = steps.div_ceil(U512::from(price.steps()));
    narrow(units).and_then(Amount::new).unwrap_or(Amount::ONE)
}

/// The value of `amount`, rounded up to a step of [`Usd`]; saturates at the largest value.
///
/// Rounded up because it is compared with limits: no trade counts for less than it is worth.
pub fn value_rounded_up(amount: Amount, price: Price, decimals: Decimals) -> Usd {
    let steps = U512::from(amount.base_units()) * U512::from(price.steps());
    let whole = steps.div_ceil(U512::from(decimals.units_per_token()));
    Usd::new(u64::try_from(whole).unwrap_or(u64::MAX))
}

/// The value of `amount`, rounded down to a step of [`Usd`]; saturates at the largest value.
///
/// Rounded down because limits are shares of it: no limit exceeds its share.
pub fn value_rounded_down(amount: Amount, price: Price, decimals: Decimals) -> Usd {
    let steps = U512::from(amount.base_units()) * U512::from(price.steps());
    let whole = steps / U512::from(decimals.units_per_token());
    Usd::new(u64::try_from(whole).unwrap_or(u64::MAX))
}

/// The largest amount worth at most `max_value`, rounded down, or `None` if one base unit is worth more.
pub fn max_amount_worth(price: Price, decimals: Decimals, max_value: Usd) -> Option<Amount> {
    let steps = U512::from(max_value.steps()) * U512::from(decimals.units_per_token());
    let units = steps / U512::from(price.steps());
    narrow(units).and_then(Amount::new)
}

#[cfg(test)]
mod tests {
    use firmquote_domain::U256;

    use super::*;

    #[test]
    fn the_minimum_amount_is_tight() {
        let min_value = "0.10".parse::<Usd>().unwrap();
        for (price, decimals) in [("2080.527", 18), ("1", 6), ("97123.45", 8), ("0.00000001", 18), ("3", 0)] {
            let (price, decimals) = (price.parse::<Price>().unwrap(), Decimals::new(decimals).unwrap());
            let amount = min_amount_worth(price, decimals, min_value);
            assert!(is_worth_at_least(amount, price, decimals, min_value));
            assert!(
                amount
                    .checked_sub(Amount::ONE)
                    .is_none_or(|below| !is_worth_at_least(below, price, decimals, min_value))
            );
        }
    }

    #[test]
    fn the_maximum_amount_is_tight() {
        let max_value = "50000".parse::<Usd>().unwrap();
        for (price, decimals) in [("2080.527", 18), ("1", 6), ("97123.45", 8), ("0.00000001", 18), ("3", 0)] {
            let (price, decimals) = (price.parse::<Price>().unwrap(), Decimals::new(decimals).unwrap());
            let amount = max_amount_worth(price, decimals, max_value).unwrap();
            assert!(value_rounded_up(amount, price, decimals) <= max_value);
            assert!(value_rounded_up(amount.checked_add(Amount::ONE).unwrap(), price, decimals) > max_value);
        }
        assert_eq!(max_amount_worth("60000".parse::<Price>().unwrap(), Decimals::new(0).unwrap(), max_value), None);
    }

    #[test]
    fn values_are_rounded_up_and_never_wrap() {
        let (price, decimals) = ("0.3".parse::<Price>().unwrap(), Decimals::new(18).unwrap());
        assert_eq!(value_rounded_up(Amount::ONE, price, decimals), Usd::new(1));
        assert_eq!(value_rounded_up(Amount::new(U256::MAX).unwrap(), price, decimals), Usd::new(u64::MAX));
        let exact = Amount::new(U256::from(decimals.units_per_token())).unwrap();
        assert_eq!(value_rounded_up(exact, price, decimals).to_string(), "0.3");
    }
}

//! The weight of a past sample: a power of two, as a fraction of 2^60.

/// One, as a weight.
pub(super) const ONE: u128 = 1 << 60;
/// The natural logarithm of 2, as a weight.
const LN_2: u128 = 799_144_290_325_165_979;

/// Returns `number` times `weight`, which is at most one, rounded up.
pub(super) fn mul_ceil_weight(number: u128, weight: u128) -> u128 {
    // The high and the low half are multiplied separately, so that nothing overflows.
    let (high, low) = (number >> 60, number & (ONE - 1));
    high * weight + (low * weight).div_ceil(ONE)
}

/// Returns `number` divided by `weight`, which is above zero, rounded up. Exact for weights from a half upward and
/// numbers below 2^122.
pub(super) const fn div_ceil_weight(number: u128, weight: u128) -> u128 {
    ((number / weight) << 60) + ((number % weight) << 60).div_ceil(weight)
}

/// Returns 2 to the power of minus `micros` over the half-life, as a weight.
pub(super) fn decay_weight(micros: u64, half_life_us: u64) -> u128 {
    let (micros, half_life_us) = (u128::from(micros), u128::from(half_life_us.max(1)));
    let (whole, rest) = (micros / half_life_us, micros % half_life_us);
    let Ok(whole) = u32::try_from(whole) else { return 0 };
    // exp(-x) by its series, x below ln 2: the twentieth term is far below a weight's last bit.
    let x = (LN_2 * (rest * 1_000_000 / half_life_us)) / 1_000_000;
    let (mut term, mut sum, mut is_added) = (ONE, ONE, false);
    for number in 1..20 {
        term = ((term * (x >> 8)) >> 52) / number;
        sum = if is_added { sum + term } else { sum.saturating_sub(term) };
        is_added = !is_added;
    }
    sum.checked_shr(whole).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_powers_of_two() {
        for (micros, half_life_us, weight) in [
            (0, 60_000_000, ONE),
            (60_000_000, 60_000_000, ONE / 2),
            (180_000_000, 60_000_000, ONE / 8),
            (30_000_000, 60_000_000, 815_238_614_083_298_888),
            (u64::MAX, 1_000_000, 0),
        ] {
            let found = decay_weight(micros, half_life_us);
            assert!(found.abs_diff(weight) < 1_000, "{micros} of {half_life_us}: {found}, not {weight}");
        }
    }

    #[test]
    fn products_and_quotients_are_rounded_up() {
        for (number, weight, product, quotient) in [
            (0, ONE / 2, 0, 0),
            (1, ONE / 2, 1, 2),
            (3, ONE / 2, 2, 6),
            (1 << 120, ONE / 2, 1 << 119, 1 << 121),
            (7, ONE, 7, 7),
            (10, ONE / 4 * 3, 8, 14),
        ] {
            assert_eq!(
                (mul_ceil_weight(number, weight), div_ceil_weight(number, weight)),
                (product, quotient),
                "{number} {weight}"
            );
        }
    }
}

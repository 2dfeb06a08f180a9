//! The fee: a base plus the value of the client's option on the price.

use firmquote_domain::{BasisPoints, FeeCurve, Volatility};

/// The fee of a swap that lands up to `time_in_seconds` after an acceptance that takes up to
/// `acceptance_window_seconds`.
///
/// `base + 10000 * 0.4 * s * sqrt((window + t) / year)` basis points, `s` the annual volatility: an at-the-money option
/// over that time is worth about `0.4 s sqrt(T)` of the price (Brenner and Subrahmanyam, A Simple Formula to Compute
/// the Implied Standard Deviation, 1988). Rounded up from the exact square root to 0.01 basis points, in the pool's
/// favor; prices are computed with the rounded number, which is the published one. The fee never decreases with time
/// and stays below the whole, 10,000 basis points.
pub fn fee(curve: &FeeCurve, acceptance_window_seconds: u32, time_in_seconds: u32) -> BasisPoints {
    // In hundredths of a basis point, with s = steps / 1e8, the option is the square root of
    // (400000 * s)^2 * T / year = (4 * steps)^2 * T / (year * 1e6).
    let seconds = u128::from(acceptance_window_seconds) + u128::from(time_in_seconds);
    let scaled_steps = 4 * u128::from(curve.annual_volatility.steps());
    let square = scaled_steps * scaled_steps * seconds;
    let option = ceil_sqrt(square.div_ceil(u128::from(Volatility::SECONDS_PER_YEAR) * 1_000_000));
    let max_hundredths = u128::from(BasisPoints::SCALE - 1);
    let total = (u128::from(curve.base.hundredths()) + option).min(max_hundredths);
    u32::try_from(total).ok().and_then(BasisPoints::from_hundredths).unwrap_or(curve.base)
}

/// The smallest integer whose square is at least `number`. As the square of an integer is an integer, the result is the
/// same for any fraction that `number` was rounded up from.
fn ceil_sqrt(number: u128) -> u128 {
    let floor = number.isqrt();
    if floor * floor == number { floor } else { floor + 1 }
}

#[cfg(test)]
mod tests {

    use super::*;

    fn curve(base: &str, volatility: &str) -> FeeCurve {
        FeeCurve { base: base.parse().unwrap(), annual_volatility: volatility.parse().unwrap() }
    }

    #[test]
    fn fees_are_rounded_up_to_a_hundredth_of_a_basis_point() {
        // 2400 * sqrt(72 / 31536000) = 3.6263..., 80 * sqrt(72 / 31536000) = 0.1208...
        for (base, volatility, time, expected) in [
            ("5", "0.60", 60, "8.63"),
            ("4", "0.60", 60, "7.63"),
            ("4", "0.02", 60, "4.13"),
            ("5", "0", 600, "5"),
            ("5", "0.00000001", 1, "5.01"),
            ("0", "0.60", 1, "1.55"),
        ] {
            assert_eq!(fee(&curve(base, volatility), 12, time).to_string(), expected, "{base} {volatility} {time}");
        }
        // 4 * 10000 / 1e3 * sqrt(365 / 365) a year: an exact square root is not rounded up.
        assert_eq!(fee(&curve("0", "0.01"), 3600, 31_532_400).to_string(), "40");
    }

    #[test]
    fn fees_never_fall_with_time_and_stay_below_the_whole() {
        for volatility in ["0", "0.02", "0.6", "10"] {
            let curve = curve("5", volatility);
            let fees: Vec<_> = (1..5_000).map(|time| fee(&curve, 12, time)).collect();
            assert!(fees.is_sorted(), "{volatility}");
        }
        assert_eq!(fee(&curve("9999.99", "10"), 3600, 86_400).to_string(), "9999.99");
    }
}

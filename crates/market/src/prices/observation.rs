//! A price of one asset as a source reports it.

use firmquote_domain::{InvalidValue, Price, Timestamp};

/// The maximum number of decimal places that an integer is shifted by: beyond it no number is a price.
const MAX_LENGTH: usize = 100;

/// A price as reported by a source, quantized once, here: everything downstream counts in steps of 1e-8 US dollars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Observation {
    /// The price of one whole token.
    pub price: Price,
    /// Half the width of the source's confidence interval, in steps of 1e-8 US dollars, rounded up; zero if the source
    /// reports none.
    pub confidence_steps: u64,
    /// The time of the price by the source's clock, or the time of receipt if the source reports none.
    pub observed_at: Timestamp,
}

impl Observation {
    /// Creates a price without a confidence interval from its decimal notation, such as `2080.527`.
    ///
    /// # Errors
    /// Those of parsing a [`Price`]: zero, negative, not a plain number, out of range, or cut by more than 0.1
    /// basis points.
    pub fn from_decimal(price: &str, observed_at: Timestamp) -> Result<Self, InvalidValue> {
        Ok(Self { price: price.parse()?, confidence_steps: 0, observed_at })
    }

    /// Creates a price with a confidence from integers in steps of 10^`exponent` US dollars, as oracles report them.
    ///
    /// # Errors
    /// Those of parsing a [`Price`], for instance for a price that is not positive. A confidence that does not fit
    /// becomes the maximum.
    pub fn from_scaled(
        price: i128,
        confidence: u128,
        exponent: i32,
        observed_at: Timestamp,
    ) -> Result<Self, InvalidValue> {
        let price = decimal(price, exponent).parse::<Price>()?;
        let confidence_steps = steps_rounded_up(confidence, exponent).unwrap_or(u64::MAX);
        Ok(Self { price, confidence_steps, observed_at })
    }
}

/// Formats `value` times 10^`exponent` in decimal notation; returns an empty text, which is no number, if that is too
/// long.
fn decimal(value: i128, exponent: i32) -> String {
    let sign = if value < 0 { "-" } else { "" };
    let digits = value.unsigned_abs().to_string();
    let places = usize::try_from(exponent.unsigned_abs()).unwrap_or(usize::MAX);
    if places > MAX_LENGTH {
        return String::new();
    }
    if exponent >= 0 {
        return format!("{sign}{digits}{}", "0".repeat(places));
    }
    let padded = format!("{digits:0>width$}", width = places + 1);
    let (whole, fraction) = padded.split_at(padded.len() - places);
    format!("{sign}{whole}.{fraction}")
}

/// Returns `value` times 10^`exponent` in steps of 1e-8, rounded up; `None` if there are too many.
fn steps_rounded_up(value: u128, exponent: i32) -> Option<u64> {
    let shift = exponent.checked_add(i32::from(Price::DECIMALS))?;
    let scale = |places: u32| 10_u128.checked_pow(places);
    let steps = match u32::try_from(shift) {
        Ok(places) => value.checked_mul(scale(places)?)?,
        // Any remainder of a step counts as one.
        Err(_) => scale(shift.unsigned_abs()).map_or(u128::from(value > 0), |scale| value.div_ceil(scale)),
    };
    u64::try_from(steps).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: Timestamp = Timestamp::from_seconds(1_700_000_000);

    #[test]
    fn oracle_integers_convert_to_eight_decimals() {
        for (price, confidence, exponent, text, steps) in [
            (208_052_700_000, 0, -8, "2080.527", 0),
            (2_080_527, 1, -3, "2080.527", 100_000),
            (99_990_000, 12_345, -8, "0.9999", 12_345),
            (20_805_270_000_000_000_000_000, 15_000_000_000, -19, "2080.527", 1),
            (2, 0, 3, "2000", 0),
        ] {
            let observation = Observation::from_scaled(price, confidence, exponent, AT).unwrap();
            assert_eq!((observation.price.to_string().as_str(), observation.confidence_steps), (text, steps), "{text}");
        }
    }

    #[test]
    fn invalid_prices_are_rejected() {
        for (price, exponent) in [
            (0, -8),
            (-1, -8),
            (i128::MIN, 0),
            (1, -9),
            (123_456_789_123, -20),
            (1, 300),
            (1, i32::MAX),
            (1, i32::MIN),
            (i128::MAX, 0),
        ] {
            assert!(Observation::from_scaled(price, 0, exponent, AT).is_err(), "{price}e{exponent}");
        }
        for text in ["", "0", "0.0", "-1", "NaN", "1e300", "inf", "1,5", " 1", "999999999999999999999"] {
            assert!(Observation::from_decimal(text, AT).is_err(), "{text}");
        }
    }

    #[test]
    fn confidence_intervals_never_shrink() {
        for (confidence, exponent, steps) in [
            (1, -20, 1),
            (1, i32::MIN + 8, 1),
            (0, -300, 0),
            (101, -10, 2),
            (u128::MAX, 0, u64::MAX),
            (1, 300, u64::MAX),
        ] {
            assert_eq!(steps_rounded_up(confidence, exponent).unwrap_or(u64::MAX), steps, "{confidence}e{exponent}");
        }
    }
}

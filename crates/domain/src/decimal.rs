//! Parses exact decimal notation into scaled integers, without floats.

use std::fmt;

use alloy_primitives::U256;

use crate::InvalidValue;

const SHAPE: InvalidValue = InvalidValue::Malformed { expected: "a plain decimal number such as 12 or 0.345" };
const SIZE: InvalidValue = InvalidValue::OutOfRange { allowed: "numbers below 2^256 in the unit's smallest step" };

/// Parses `text` as an unsigned decimal and returns it times `10^scale`, with a flag for lost digits.
///
/// `("2080.527", 8)` gives `208052700000` and `false`. Digits beyond `scale` are truncated (rounded down); the flag is
/// `true` if one of them was not zero, so that the caller decides whether the loss matters. Signs, exponents, blanks
/// and separators are refused.
///
/// # Errors
/// [`InvalidValue::Malformed`] for anything but digits with at most one point between them,
/// [`InvalidValue::OutOfRange`] when the scaled number does not fit 256 bits.
pub fn parse_decimal(text: &str, scale: u8) -> Result<(U256, bool), InvalidValue> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    if !is_digits(whole) || !is_digits(fraction) {
        return Err(SHAPE);
    }
    let kept = fraction.len().min(usize::from(scale));
    let (kept, cut) = fraction.split_at(kept);
    let padding = std::iter::repeat_n(b'0', usize::from(scale).saturating_sub(kept.len()));
    let mut scaled = U256::ZERO;
    for digit in whole.bytes().chain(kept.bytes()).chain(padding) {
        scaled = push_digit(scaled, digit).ok_or(SIZE)?;
    }
    Ok((scaled, cut.bytes().any(|digit| digit != b'0')))
}

/// `number * 10 + digit`, or `None` past 256 bits.
pub(crate) fn push_digit(number: U256, ascii_digit: u8) -> Option<U256> {
    let digit = U256::from(ascii_digit.wrapping_sub(b'0'));
    number.checked_mul(U256::from(10))?.checked_add(digit)
}

/// Whether `text` is one or more ASCII digits and nothing else.
pub(crate) fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Writes `number / 10^decimals` in plain decimal notation, without trailing zeros.
pub(crate) fn write_scaled(f: &mut fmt::Formatter<'_>, number: u64, decimals: u8) -> fmt::Result {
    let unit = 10_u64.pow(u32::from(decimals));
    let (whole, fraction) = (number / unit, number % unit);
    if fraction == 0 {
        return write!(f, "{whole}");
    }
    let digits = format!("{fraction:0width$}", width = usize::from(decimals));
    write!(f, "{whole}.{}", digits.trim_end_matches('0'))
}

/// The text of a number of steps: a plain decimal, which is never cut when it is read.
macro_rules! decimal_text {
    (
        $type:ident: $steps:ty, $new:expr, decimals: $decimals:expr,
        precise: $precise:literal, range: $range:literal
    ) => {
        impl std::str::FromStr for $type {
            type Err = $crate::InvalidValue;

            #[doc = concat!("Reads a decimal with at most ", $precise, ".")]
            ///
            /// # Errors
            #[doc = concat!("[`InvalidValue`](crate::InvalidValue) for malformed text, more decimals, and anything but ", $range, ".")]
            fn from_str(text: &str) -> Result<Self, $crate::InvalidValue> {
                let (steps, cut) = $crate::parse_decimal(text, $decimals)?;
                if cut {
                    return Err($crate::InvalidValue::TooPrecise { allowed: $precise });
                }
                let steps = <$steps>::try_from(steps).ok();
                steps.and_then($new).ok_or($crate::InvalidValue::OutOfRange { allowed: $range })
            }
        }

        impl std::fmt::Display for $type {
            /// A plain decimal without trailing zeros.
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                $crate::decimal::write_scaled(f, u64::from(self.0), $decimals)
            }
        }
    };
}
pub(crate) use decimal_text;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_scaled_exactly() {
        for (text, scale, scaled, cut) in [
            ("1", 8, 100_000_000_u128, false),
            ("2080.527", 8, 208_052_700_000, false),
            ("0.06", 18, 60_000_000_000_000_000, false),
            ("0.123456789", 8, 12_345_678, true),
            ("0.1234567800", 8, 12_345_678, false),
            ("7", 0, 7, false),
            ("7.9", 0, 7, true),
            ("0", 8, 0, false),
        ] {
            assert_eq!(parse_decimal(text, scale), Ok((U256::from(scaled), cut)), "{text}");
        }
    }

    #[test]
    fn malformed_decimals_are_rejected() {
        for text in ["", ".", "1.", ".5", "-1", "+1", "1e3", "0x1", " 1", "1 ", "1_000", "1,5", "1.2.3", "1\0", "NaN"] {
            assert_eq!(parse_decimal(text, 8), Err(SHAPE), "{text:?}");
        }
        assert_eq!(parse_decimal(&"9".repeat(78), 0), Err(SIZE));
    }
}

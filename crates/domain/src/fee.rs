//! Fees: basis points, volatility, and the two together as a curve over time.

use std::{fmt, str::FromStr};

use crate::{InvalidValue, decimal::decimal_text};

/// A rate in basis points with two decimals, 0 up to (not including) 10,000.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BasisPoints(u32);

impl BasisPoints {
    /// One whole (10,000 basis points) in hundredths: the denominator of every rate.
    pub const SCALE: u32 = 1_000_000;

    /// The rate of `hundredths` of a basis point, or `None` from 10,000 basis points upward.
    pub fn from_hundredths(hundredths: u32) -> Option<Self> {
        (hundredths < Self::SCALE).then_some(Self(hundredths))
    }

    /// The rate in hundredths of a basis point.
    pub const fn hundredths(self) -> u32 {
        self.0
    }

    /// Returns the sum of two rates, at most one hundredth of a basis point below the whole.
    #[must_use]
    pub fn saturating_add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0).min(Self::SCALE - 1))
    }
}

decimal_text! {
    BasisPoints: u32, Self::from_hundredths, decimals: 2,
    precise: "2 decimals of a basis point", range: "0 or more and below 10000 basis points"
}

/// What is added to a fee, or taken off it, in basis points with two decimals: above -10,000 and below 10,000.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FeeAdjustment {
    is_discount: bool,
    size: BasisPoints,
}

impl FeeAdjustment {
    /// The adjustment that turns `fee` into `adjusted`.
    pub fn between(fee: BasisPoints, adjusted: BasisPoints) -> Self {
        Self { is_discount: adjusted < fee, size: BasisPoints(adjusted.0.abs_diff(fee.0)) }
    }

    /// Whether fees are lowered.
    pub const fn is_discount(self) -> bool {
        self.is_discount
    }

    /// Whether fees stay as they are.
    pub fn is_none(self) -> bool {
        self == Self::default()
    }

    /// Its size, whether it is added or taken off.
    pub const fn size(self) -> BasisPoints {
        self.size
    }

    /// Returns the adjusted `fee`. A discount does not lower it below `least`, and never raises it.
    #[must_use]
    pub fn apply(self, fee: BasisPoints, least: BasisPoints) -> BasisPoints {
        if self.is_discount {
            BasisPoints(fee.0.saturating_sub(self.size.0)).max(least.min(fee))
        } else {
            fee.saturating_add(self.size)
        }
    }
}

impl FromStr for FeeAdjustment {
    type Err = InvalidValue;

    /// Reads a decimal such as `2` or `-1.5`.
    ///
    /// # Errors
    /// [`InvalidValue`] for malformed text, more than two decimals, or a size of 10,000 and more.
    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        let discount = text.strip_prefix('-');
        let size = discount.unwrap_or(text).parse().map_err(|error| match error {
            InvalidValue::OutOfRange { .. } => {
                InvalidValue::OutOfRange { allowed: "above -10000 and below 10000 basis points" }
            }
            error => error,
        })?;
        // There is one zero.
        Ok(Self { is_discount: discount.is_some() && size != BasisPoints::default(), size })
    }
}

impl fmt::Display for FeeAdjustment {
    /// Plain decimal basis points without trailing zeros, with a sign if fees are lowered.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_discount {
            f.write_str("-")?;
        }
        self.size.fmt(f)
    }
}

/// Annualized volatility as a fraction (0.60 is 60 % a year), 0 to 10, in steps of 1e-8.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Volatility(u32);

impl Volatility {
    /// The seconds of the year that volatilities refer to: 365 days.
    pub const SECONDS_PER_YEAR: u32 = 31_536_000;

    const MAX_STEPS: u32 = 1_000_000_000;

    /// The volatility of `steps` times 1e-8, or `None` above 10.
    pub const fn new(steps: u32) -> Option<Self> {
        if steps <= Self::MAX_STEPS { Some(Self(steps)) } else { None }
    }

    /// The volatility in steps of 1e-8.
    pub const fn steps(self) -> u32 {
        self.0
    }
}

decimal_text! {
    Volatility: u32, Self::new, decimals: 8,
    precise: "8 decimals", range: "0 to 10 (a fraction a year: 0.60 is 60 %)"
}

/// The fee parameters of a pair: a base rate, and the volatility that determines the value of the client's free option.
///
/// The formula for the fee is in the pricing crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeeCurve {
    /// The part that does not depend on time.
    pub base: BasisPoints,
    /// Volatility of the pair's exchange rate.
    pub annual_volatility: Volatility,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_discount_never_lowers_a_fee_below_the_least_nor_raises_it() {
        let fee = |text: &str| text.parse::<BasisPoints>().unwrap();
        for (adjustment, before, least, after) in [
            ("0", "5", "1", "5"),
            ("1.25", "5", "1", "6.25"),
            ("9999.99", "5", "1", "9999.99"),
            ("-1.25", "5", "1", "3.75"),
            ("-4.5", "5", "1", "1"),
            ("-100", "5", "0.01", "0.01"),
            ("-1", "0.5", "1", "0.5"),
        ] {
            let adjusted = adjustment.parse::<FeeAdjustment>().unwrap();
            assert_eq!(adjusted.apply(fee(before), fee(least)), fee(after), "{adjustment}");
            assert_eq!(adjusted.to_string(), adjustment);
        }
        assert_eq!("-0.00".parse(), Ok(FeeAdjustment::default()));
        for invalid in ["", "-", "--1", "+1", "- 1", "1.234", "-10000", "10000", "1e2"] {
            assert!(invalid.parse::<FeeAdjustment>().is_err(), "{invalid}");
        }
    }

    #[test]
    fn basis_points_carry_two_decimals() {
        for (text, hundredths) in [("0", 0), ("5.0", 500), ("8.63", 863), ("9999.99", 999_999)] {
            assert_eq!(text.parse::<BasisPoints>().map(BasisPoints::hundredths), Ok(hundredths), "{text}");
        }
        for text in ["10000", "0.001", "-1", "5%"] {
            assert!(text.parse::<BasisPoints>().is_err(), "{text}");
        }
        assert_eq!("8.60".parse::<BasisPoints>().unwrap().to_string(), "8.6");
    }

    #[test]
    fn volatility_is_a_fraction_of_at_most_ten() {
        assert_eq!("0.60".parse::<Volatility>().map(Volatility::steps), Ok(60_000_000));
        for text in ["10.00000001", "0.000000001", "60%"] {
            assert!(text.parse::<Volatility>().is_err(), "{text}");
        }
        assert_eq!("0.60".parse::<Volatility>().unwrap().to_string(), "0.6");
    }
}

//! Prices and values in US dollars, with the precision used on chain.

use std::{fmt, num::NonZeroU64, str::FromStr};

use alloy_primitives::U256;

use crate::{
    InvalidValue,
    decimal::{decimal_text, write_scaled},
    parse_decimal,
};

/// The price of one whole token in US dollars, in steps of 1e-8, never zero.
///
/// The same number is used for pricing, shown to the client and packed into the signed word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Price(NonZeroU64);

impl Price {
    /// Decimals of a price.
    pub const DECIMALS: u8 = 8;

    /// One US dollar in steps.
    pub const SCALE: u64 = 100_000_000;

    /// The price of `steps` times 1e-8 US dollars, or `None` for zero.
    pub fn new(steps: u64) -> Option<Self> {
        NonZeroU64::new(steps).map(Self)
    }

    /// The price in steps of 1e-8 US dollars.
    pub const fn steps(self) -> u64 {
        self.0.get()
    }
}

impl FromStr for Price {
    type Err = InvalidValue;

    /// Reads a decimal and cuts it to 8 decimals.
    ///
    /// # Errors
    /// [`InvalidValue::TooPrecise`] when the cut loses more than 0.1 basis points of the price,
    /// [`InvalidValue::OutOfRange`] below 1e-8 or from 2^64 steps, [`InvalidValue::Malformed`] otherwise.
    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        const RANGE: InvalidValue = InvalidValue::OutOfRange { allowed: "0.00000001 to 184467440737.09551615 USD" };
        /// Enough decimals to detect a loss of 0.1 basis points in a price of one step.
        const FINE: u8 = 20;
        let (fine, _) = parse_decimal(text, FINE)?;
        let unit = U256::from(10).pow(U256::from(FINE - Self::DECIMALS));
        let (steps, lost) = fine.div_rem(unit);
        if steps.is_zero() {
            return Err(RANGE);
        }
        if lost * U256::from(100_000) > fine {
            return Err(InvalidValue::TooPrecise { allowed: "8 decimals, losing at most 0.1 basis points" });
        }
        u64::try_from(steps).ok().and_then(Self::new).ok_or(RANGE)
    }
}

impl fmt::Display for Price {
    /// Plain decimal US dollars without trailing zeros.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_scaled(f, self.steps(), Self::DECIMALS)
    }
}

/// A value in US dollars, in steps of 1e-8, zero included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Usd(u64);

impl Usd {
    /// The value of `steps` times 1e-8 US dollars.
    pub const fn new(steps: u64) -> Self {
        Self(steps)
    }

    /// The value in steps of 1e-8 US dollars.
    pub const fn steps(self) -> u64 {
        self.0
    }
}

decimal_text! {
    Usd: u64, |steps| Some(Self(steps)), decimals: Price::DECIMALS,
    precise: "8 decimals", range: "0 to 184467440737.09551615 USD"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_have_eight_decimals_and_report_excess_precision() {
        for (text, steps) in
            [("1", 100_000_000), ("2080.527", 208_052_700_000), ("0.00000001", 1), ("1.000000001", 100_000_000)]
        {
            assert_eq!(text.parse::<Price>().map(Price::steps), Ok(steps), "{text}");
        }
        for text in ["0.000000015", "0.0000123456"] {
            assert!(matches!(text.parse::<Price>(), Err(InvalidValue::TooPrecise { .. })), "{text}");
        }
        for text in ["0", "0.000000001", "184467440737.09551616"] {
            assert!(matches!(text.parse::<Price>(), Err(InvalidValue::OutOfRange { .. })), "{text}");
        }
    }

    #[test]
    fn prices_round_trip() {
        for text in ["1", "2080.527", "0.00000001", "184467440737.09551615"] {
            assert_eq!(text.parse::<Price>().unwrap().to_string(), text);
        }
    }
}

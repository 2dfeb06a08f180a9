//! Token amounts in base units and in whole tokens.

use std::{fmt, str::FromStr};

use alloy_primitives::{U256, U512};

use crate::{
    Decimals, InvalidValue,
    decimal::{is_digits, parse_decimal, push_digit},
};

/// An amount of a token in its base units (wei-like), 1 to 2^256 - 1.
///
/// Zero is not an amount: it is never quoted, signed or stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Amount(U256);

impl Amount {
    /// One base unit.
    pub const ONE: Self = Self(U256::ONE);
    /// The largest amount a `uint256` holds.
    pub const MAX: Self = Self(U256::MAX);

    /// The amount of `base_units`, or `None` for zero.
    pub fn new(base_units: U256) -> Option<Self> {
        (!base_units.is_zero()).then_some(Self(base_units))
    }

    /// The number of base units, never zero.
    pub const fn base_units(self) -> U256 {
        self.0
    }

    /// Parses an amount in whole tokens: `1.5` of a token with 6 decimals is 1500000. Exact: nothing is rounded.
    ///
    /// # Errors
    /// [`InvalidTokenAmount`]; also for more decimals than the token has, even if the extra ones are zeros.
    pub fn from_tokens(text: &str, decimals: Decimals) -> Result<Self, InvalidTokenAmount> {
        let (units, _) = parse_decimal(text, decimals.get())?;
        let written = text.split_once('.').map_or(0, |(_, fraction)| fraction.len());
        let allowed = decimals.get();
        if written > usize::from(allowed) {
            return Err(InvalidTokenAmount::TooPrecise { written, allowed });
        }
        Self::new(units).ok_or(InvalidTokenAmount::Zero)
    }

    /// The sum, or `None` past 2^256 - 1.
    pub fn checked_add(self, other: Self) -> Option<Self> {
        self.0.checked_add(other.0).map(Self)
    }

    /// The difference, or `None` if it would be zero or negative.
    pub fn checked_sub(self, other: Self) -> Option<Self> {
        self.0.checked_sub(other.0).and_then(Self::new)
    }
}

/// Returns `value` as 256 bits; `None` past 2^256 - 1.
pub fn narrow(value: U512) -> Option<U256> {
    U256::checked_from_limbs_slice(value.as_limbs())
}

impl fmt::Display for Amount {
    /// Decimal base units, no separators.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match u128::try_from(self.0) {
            Ok(usual) => fmt::Display::fmt(&usual, f),
            Err(_) => fmt::Display::fmt(&self.0, f),
        }
    }
}

impl FromStr for Amount {
    type Err = InvalidValue;

    /// Decimal digits only: signs, exponents, fractions, hex, blanks and NUL are malformed.
    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        const RANGE: InvalidValue = InvalidValue::OutOfRange { allowed: "1 to 2^256 - 1 base units" };
        if !is_digits(text) {
            return Err(InvalidValue::Malformed { expected: "a decimal integer of base units" });
        }
        let base_units = match text.parse::<u128>() {
            Ok(usual) => U256::from(usual),
            Err(_) => text.bytes().try_fold(U256::ZERO, push_digit).ok_or(RANGE)?,
        };
        Self::new(base_units).ok_or(RANGE)
    }
}

/// The reason why a text is not a token amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidTokenAmount {
    /// Not a plain decimal number, or too large for any token.
    #[error(transparent)]
    Number(#[from] InvalidValue),
    /// More decimals than the token has.
    #[error("it has {written} decimals, allowed: {allowed} at most")]
    TooPrecise {
        /// Decimals in the text.
        written: usize,
        /// Decimals of the token.
        allowed: u8,
    },
    /// A zero amount, which cannot be quoted.
    #[error("it is zero, allowed: one base unit or more")]
    Zero,
}

/// Displays an amount of base units in whole tokens, without trailing zeros.
#[derive(Clone, Copy, Debug)]
pub struct WholeTokens(pub U256, pub Decimals);

impl fmt::Display for WholeTokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let decimals = usize::from(self.1.get());
        // At least one digit before the point.
        let digits = format!("{:0>width$}", self.0.to_string(), width = decimals.saturating_add(1));
        let (whole, fraction) = digits.split_at(digits.len().saturating_sub(decimals));
        match fraction.trim_end_matches('0') {
            "" => f.write_str(whole),
            fraction => write!(f, "{whole}.{fraction}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_round_trip_through_text() {
        for text in
            ["1", "9007199254740993", &u128::MAX.to_string(), &format!("{}0", u128::MAX), &U256::MAX.to_string()]
        {
            assert_eq!(text.parse::<Amount>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn invalid_amounts_are_rejected() {
        for text in ["", "-1", "+1", "1.0", "1e18", "0x10", " 1", "1 ", "1\0", "١"] {
            assert!(matches!(text.parse::<Amount>(), Err(InvalidValue::Malformed { .. })), "{text:?}");
        }
        for text in ["0", "000", "115792089237316195423570985008687907853269984665640564039457584007913129639936"] {
            assert!(matches!(text.parse::<Amount>(), Err(InvalidValue::OutOfRange { .. })), "{text}");
        }
    }

    fn decimals(number: u8) -> Decimals {
        Decimals::new(number).unwrap()
    }

    #[test]
    fn whole_tokens_convert_to_base_units_and_back_exactly() {
        for (text, scale, units) in [
            ("1.5", 18, "1500000000000000000"),
            ("0.000001", 6, "1"),
            ("3000", 6, "3000000000"),
            ("7", 0, "7"),
            ("0.123456789012345678901234", 24, "123456789012345678901234"),
            ("9007199254.740993", 6, "9007199254740993"),
        ] {
            let amount = Amount::from_tokens(text, decimals(scale)).unwrap();
            assert_eq!(amount.to_string(), units, "{text}");
            assert_eq!(WholeTokens(amount.base_units(), decimals(scale)).to_string(), text);
        }
        assert_eq!(Amount::from_tokens("1.50", decimals(2)).unwrap().to_string(), "150");
        assert_eq!(WholeTokens(U256::ZERO, decimals(6)).to_string(), "0");
        assert_eq!(WholeTokens(U256::MAX, decimals(0)).to_string(), U256::MAX.to_string());
    }

    #[test]
    fn excess_decimals_are_rejected_and_never_rounded() {
        for (text, scale, written) in [("1.2345678", 6, 7), ("1.0000000", 6, 7), ("1.0", 0, 1), ("0.0000001", 6, 7)] {
            let expected = InvalidTokenAmount::TooPrecise { written, allowed: scale };
            assert_eq!(Amount::from_tokens(text, decimals(scale)), Err(expected), "{text}");
        }
    }

    #[test]
    fn non_positive_numbers_are_rejected() {
        for text in ["0", "0.0", "0.000000"] {
            assert_eq!(Amount::from_tokens(text, decimals(6)), Err(InvalidTokenAmount::Zero), "{text}");
        }
        for text in ["", ".", ".5", "1.", "-1", "+1", "1e3", "0x1", "1,5", "1_000", " 1", "1.2.3", "NaN", "inf", "١"] {
            assert!(matches!(Amount::from_tokens(text, decimals(6)), Err(InvalidTokenAmount::Number(_))), "{text:?}");
        }
        assert!(matches!(Amount::from_tokens(&"9".repeat(78), decimals(0)), Err(InvalidTokenAmount::Number(_))));
    }
}

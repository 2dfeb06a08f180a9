//! Token amounts in base units.

use std::{fmt, str::FromStr};

use alloy_primitives::U256;

use crate::{
    InvalidValue,
    decimal::{is_digits, push_digit},
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

    /// The sum, or `None` past 2^256 - 1.
    pub fn checked_add(self, other: Self) -> Option<Self> {
        self.0.checked_add(other.0).map(Self)
    }

    /// The difference, or `None` if it would be zero or negative.
    pub fn checked_sub(self, other: Self) -> Option<Self> {
        self.0.checked_sub(other.0).and_then(Self::new)
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_survive_text_to_the_last_unit() {
        for text in
            ["1", "9007199254740993", &u128::MAX.to_string(), &format!("{}0", u128::MAX), &U256::MAX.to_string()]
        {
            assert_eq!(text.parse::<Amount>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_is_not_an_amount_is_refused() {
        for text in ["", "-1", "+1", "1.0", "1e18", "0x10", " 1", "1 ", "1\0", "١"] {
            assert!(matches!(text.parse::<Amount>(), Err(InvalidValue::Malformed { .. })), "{text:?}");
        }
        for text in ["0", "000", "115792089237316195423570985008687907853269984665640564039457584007913129639936"] {
            assert!(matches!(text.parse::<Amount>(), Err(InvalidValue::OutOfRange { .. })), "{text}");
        }
    }
}

//! Ids of the states that quotes are priced on.

use std::{fmt, str::FromStr};

use alloy_primitives::hex;

use crate::InvalidValue;

/// Identifies what a quote was priced on: the block, the book and the prices of its pool.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct StateId([u8; 16]);

impl StateId {
    /// Creates an id from 16 bytes of a hash.
    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// The 16 bytes.
    pub const fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }
}

impl fmt::Display for StateId {
    /// 32 lower-case hex digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(hex::Buffer::<16>::new().format(&self.0))
    }
}

impl fmt::Debug for StateId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for StateId {
    type Err = InvalidValue;

    /// Accepts 32 hex digits in either case.
    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        const SHAPE: InvalidValue = InvalidValue::Malformed { expected: "32 hex digits" };
        let mut bytes = [0; 16];
        // The decoder would also take a prefix.
        if text.len() != 32 || hex::decode_to_slice(text, &mut bytes).is_err() {
            return Err(SHAPE);
        }
        Ok(Self(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_and_nothing_else() {
        let id = StateId::from_bytes(*b"0123456789abcdef");
        assert_eq!(id.to_string(), "30313233343536373839616263646566");
        assert_eq!(id.to_string().to_uppercase().parse(), Ok(id));
        for other in ["", "0x303132333435363738396162636465", "3031323334353637383961626364656g", "303132"] {
            assert!(other.parse::<StateId>().is_err(), "{other:?}");
        }
    }
}

//! Ids of 16 bytes: of the states that quotes are priced on, and of published levels.

use std::{fmt, str::FromStr};

use alloy_primitives::hex;

use crate::InvalidValue;

/// Defines an id of 16 bytes, which is written as 32 lower-case hex digits.
macro_rules! hex_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name([u8; 16]);

        impl $name {
            /// Creates an id from its 16 bytes.
            pub const fn from_bytes(bytes: [u8; 16]) -> Self {
                Self(bytes)
            }

            /// The 16 bytes.
            pub const fn as_bytes(&self) -> &[u8; 16] {
                &self.0
            }
        }

        impl fmt::Display for $name {
            /// 32 lower-case hex digits.
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(hex::Buffer::<16>::new().format(&self.0))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }

        impl FromStr for $name {
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
    };
}

hex_id! {
    /// Identifies the state that a quote was priced on: the block, the book, the prices and the pricing
    /// parameters of its pool.
    StateId
}

hex_id! {
    /// Identifies published price levels of a pair in one direction.
    LevelsId
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_hexadecimal_digits_only() {
        let id = StateId::from_bytes(*b"0123456789abcdef");
        assert_eq!(id.to_string(), "30313233343536373839616263646566");
        assert_eq!(id.to_string().to_uppercase().parse(), Ok(id));
        for other in ["", "0x303132333435363738396162636465", "3031323334353637383961626364656g", "303132"] {
            assert!(other.parse::<StateId>().is_err(), "{other:?}");
        }
    }
}

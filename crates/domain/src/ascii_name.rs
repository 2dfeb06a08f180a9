//! Names of printable ASCII characters: of assets, and in hedges.

use std::{fmt, str::FromStr, sync::Arc};

use crate::InvalidValue;

/// Defines a name of 1 to `$max` printable ASCII characters without blanks.
macro_rules! ascii_name {
    ($(#[$doc:meta])* $name:ident: $max:literal) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Arc<str>);

        impl $name {
            /// Validates the shape of `text`.
            ///
            /// # Errors
            /// [`InvalidValue::Malformed`] if `text` is empty, too long, or contains blanks or non-ASCII characters.
            pub fn new(text: &str) -> Result<Self, InvalidValue> {
                let is_name = (1..=$max).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
                let expected = concat!("1 to ", $max, " printable ASCII characters without blanks");
                if is_name { Ok(Self(text.into())) } else { Err(InvalidValue::Malformed { expected }) }
            }

            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = InvalidValue;

            #[doc = concat!("[`", stringify!($name), "::new`].")]
            fn from_str(text: &str) -> Result<Self, InvalidValue> {
                Self::new(text)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

ascii_name! {
    /// The name of an asset in requests and pool data, 1 to 32 printable ASCII characters without blanks.
    ///
    /// Symbols are case-sensitive: `USDC` and `usdc` are two names. Cloning shares the text.
    Symbol: 32
}

ascii_name! {
    /// A name in a hedge, of a hedge itself or of a venue: 1 to 64 printable ASCII characters without blanks.
    HedgeName: 64
}

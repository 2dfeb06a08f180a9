//! Asset symbols as clients write them.

use std::{fmt, sync::Arc};

use crate::InvalidValue;

/// The name of an asset in requests and pool data, 1 to 32 printable ASCII characters without blanks.
///
/// Symbols are case-sensitive: `USDC` and `usdc` are two names. Cloning shares the text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(Arc<str>);

impl Symbol {
    /// Checks the shape and keeps the text.
    ///
    /// # Errors
    /// [`InvalidValue::Malformed`] for an empty, longer, blank-holding or non-ASCII text.
    pub fn new(text: &str) -> Result<Self, InvalidValue> {
        let fits = (1..=32).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic());
        if !fits {
            return Err(InvalidValue::Malformed { expected: "1 to 32 printable ASCII characters without blanks" });
        }
        Ok(Self(text.into()))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Symbol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_short_printable_names() {
        for text in ["ETH", "USDC.e", "1INCH", "a"] {
            assert_eq!(Symbol::new(text).unwrap().as_str(), text);
        }
        for text in ["", "A B", "ETH\n", "ΞTH", &"X".repeat(33)] {
            assert!(Symbol::new(text).is_err(), "{text:?}");
        }
    }
}

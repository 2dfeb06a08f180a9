//! JSON notation of numbers and values: exact decimals stay exact, amounts are strings, floats are floats.

use std::fmt::Display;

use serde::{Serialize, Serializer, ser::Error as _};
use serde_json::value::RawValue;

/// Serializes the `Display` of a value as a JSON string, directly into the body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text<T>(pub(crate) T);

impl<T: Display> Serialize for Text<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

/// Serializes the `Display` of a number as a JSON number with all its digits, never through a float.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exact<T>(pub(crate) T);

impl<T: Display> Serialize for Exact<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let raw = RawValue::from_string(self.0.to_string()).map_err(S::Error::custom)?;
        raw.serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_numbers_keep_digits_a_float_would_lose() {
        assert_eq!(serde_json::to_string(&Exact("0.123456789012345678")).unwrap(), "0.123456789012345678");
        assert_eq!(serde_json::to_string(&Exact(1)).unwrap(), "1");
        assert!(serde_json::to_string(&Exact("not a number")).is_err());
    }
}

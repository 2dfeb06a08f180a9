//! Invalid inputs, their kinds, and the received values echoed in error responses.

use std::borrow::Cow;

use firmquote_api::Step;
use serde_json::{Value, value::RawValue};
use strum::{IntoStaticStr, VariantArray};

/// The kind of an invalid input: `type` of an item of `data`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(const_into_str, serialize_all = "snake_case")]
pub(crate) enum InvalidKind {
    Missing,
    IntParsing,
    DecimalParsing,
    StringType,
    BoolType,
    ListType,
    ObjectType,
    UuidParsing,
    AddressParsing,
    HexBytes,
    OutOfRange,
    MutuallyExclusive,
    OneRequired,
    UnknownInput,
    JsonInvalid,
}

impl InvalidKind {
    /// Returns the name on the wire and in the URL of the page that documents the kind.
    pub(crate) const fn name(self) -> &'static str {
        self.into_str()
    }
}

/// The error of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ValueError {
    /// The kind of error.
    pub(crate) kind: InvalidKind,
    /// The expected form of the value.
    pub(crate) message: &'static str,
    /// The position of the value in a list; `None` for the value of a field as a whole.
    pub(crate) position: Option<usize>,
}

impl ValueError {
    pub(crate) const fn new(kind: InvalidKind, message: &'static str) -> Self {
        Self { kind, message, position: None }
    }
}

/// One invalid input of a request.
#[derive(Debug)]
pub(crate) struct InvalidInput {
    /// The kind of error.
    pub(crate) kind: InvalidKind,
    /// The path to the invalid input; empty for the body as a whole.
    pub(crate) path: Vec<Step>,
    /// The human-readable error.
    pub(crate) message: Cow<'static, str>,
    /// The received value.
    pub(crate) input: Echo,
}

/// A received value as echoed to the client: a value of a body unchanged, a value of a query as a string.
///
/// JSON permits values that many parsers reject: numbers beyond the range of a float, unpaired surrogates, thousands of
/// nested lists. Such a value is echoed as a string, so that the client can parse the response.
#[derive(Debug)]
pub(crate) enum Echo {
    /// Nothing was received.
    Absent,
    /// A JSON value.
    Json(Box<RawValue>),
    /// A string.
    Text(String),
}

impl Echo {
    /// Echoes a value of a body.
    pub(crate) fn from_json(value: Box<RawValue>) -> Self {
        match serde_json::from_str::<Value>(value.get()) {
            Ok(_) => Self::Json(value),
            Err(_) => Self::beginning_of(value.get().as_bytes()),
        }
    }

    /// Echoes an object that lacks members: at most its beginning if it is long, because it is repeated for every
    /// missing member.
    pub(crate) fn from_object(object: &[u8]) -> Self {
        const MAX_LENGTH: usize = 1_024;
        let text = str::from_utf8(object).ok().filter(|text| text.len() <= MAX_LENGTH);
        match text.and_then(|text| RawValue::from_string(text.to_owned()).ok()) {
            Some(value) => Self::from_json(value),
            None => Self::beginning_of(object),
        }
    }

    /// Echoes the beginning of unreadable input.
    pub(crate) fn beginning_of(unreadable: &[u8]) -> Self {
        const MAX_LENGTH: usize = 256;
        let beginning = unreadable.get(..MAX_LENGTH).unwrap_or(unreadable);
        Self::Text(String::from_utf8_lossy(beginning).into_owned())
    }
}

/// Truncates a received value to its first 64 characters, for use in a message.
pub(crate) fn shorten(value: &str) -> Cow<'_, str> {
    const MAX_LENGTH: usize = 64;
    match value.char_indices().nth(MAX_LENGTH) {
        Some((cut, _)) => format!("{}...", value.get(..cut).unwrap_or_default()).into(),
        None => value.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_values_are_truncated_at_character_boundaries() {
        assert_eq!(shorten("USDC"), "USDC");
        assert_eq!(shorten(&"é".repeat(64)), "é".repeat(64));
        assert_eq!(shorten(&"é".repeat(65)), format!("{}...", "é".repeat(64)));
    }
}

//! One invalid input, and the kinds there are.

use std::borrow::Cow;

use serde::{Serialize, Serializer};
use serde_json::{Value, value::RawValue};
use strum::{IntoStaticStr, VariantArray};

use super::Field;

/// What is wrong with an input: `type` of an item of `data`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(const_into_str)]
pub(crate) enum InvalidKind {
    #[strum(serialize = "missing")]
    Missing,
    #[strum(serialize = "int_parsing")]
    IntParsing,
    #[strum(serialize = "decimal_parsing")]
    DecimalParsing,
    #[strum(serialize = "string_type")]
    StringType,
    #[strum(serialize = "bool_type")]
    BoolType,
    #[strum(serialize = "list_type")]
    ListType,
    #[strum(serialize = "object_type")]
    ObjectType,
    #[strum(serialize = "uuid_parsing")]
    UuidParsing,
    #[strum(serialize = "address_parsing")]
    AddressParsing,
    #[strum(serialize = "hex_bytes")]
    HexBytes,
    #[strum(serialize = "out_of_range")]
    OutOfRange,
    #[strum(serialize = "mutually_exclusive")]
    MutuallyExclusive,
    #[strum(serialize = "one_required")]
    OneRequired,
    #[strum(serialize = "json_invalid")]
    JsonInvalid,
}

impl InvalidKind {
    /// The word on the wire and in the address of the page that explains it.
    pub(crate) const fn name(self) -> &'static str {
        self.into_str()
    }
}

/// One invalid input of a request.
#[derive(Debug)]
pub(crate) struct InvalidInput {
    /// What is wrong with it.
    pub(crate) kind: InvalidKind,
    /// The position in `prices` of what it is a part of, where it is one.
    pub(crate) item: Option<usize>,
    /// Which input, or `None` for the body, or the item, as a whole.
    pub(crate) field: Option<Field>,
    /// What is wrong with it, in words.
    pub(crate) message: Cow<'static, str>,
    /// What was received.
    pub(crate) input: Echo,
}

/// A received value as it goes back to the client: a body's value as it was written, a query's as a string.
///
/// JSON sets no limits that readers do not have: a number that no float holds, half of a surrogate pair, a list in a
/// thousand lists. Such a value goes back as a string, so that whoever sent it can read the answer.
#[derive(Debug)]
pub(crate) enum Echo {
    /// Nothing was received.
    Absent,
    /// A JSON value.
    Json(Box<RawValue>),
    /// A text.
    Text(String),
}

impl Echo {
    /// The echo of a value of a body.
    pub(crate) fn of_json(value: Box<RawValue>) -> Self {
        match serde_json::from_str::<Value>(value.get()) {
            Ok(_) => Self::Json(value),
            Err(_) => Self::beginning_of(value.get().as_bytes()),
        }
    }

    /// The echo of an object that lacks something: the beginning of one that is long, for it goes back once for each member
    /// that it lacks.
    pub(crate) fn of_object(object: &[u8]) -> Self {
        const MAX_LENGTH: usize = 1_024;
        let text = str::from_utf8(object).ok().filter(|text| text.len() <= MAX_LENGTH);
        match text.and_then(|text| RawValue::from_string(text.to_owned()).ok()) {
            Some(value) => Self::of_json(value),
            None => Self::beginning_of(object),
        }
    }

    /// The echo of what cannot be read: its beginning.
    pub(crate) fn beginning_of(unreadable: &[u8]) -> Self {
        const MAX_LENGTH: usize = 256;
        let beginning = unreadable.get(..MAX_LENGTH).unwrap_or(unreadable);
        Self::Text(String::from_utf8_lossy(beginning).into_owned())
    }
}

impl Serialize for Echo {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Absent => serializer.serialize_unit(),
            Self::Json(value) => value.serialize(serializer),
            Self::Text(text) => serializer.serialize_str(text),
        }
    }
}

/// The first 64 characters of a value that a client sent, for a message.
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
    fn long_values_are_cut_between_characters() {
        assert_eq!(shorten("USDC"), "USDC");
        assert_eq!(shorten(&"é".repeat(64)), "é".repeat(64));
        assert_eq!(shorten(&"é".repeat(65)), format!("{}...", "é".repeat(64)));
    }
}

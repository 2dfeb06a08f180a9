//! The unparsed values of a request.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::Echo;

/// An unparsed value of a request.
#[derive(Clone, Debug)]
pub(crate) enum RawInput<'a> {
    /// From a JSON body, as written: numbers keep all their digits.
    Json(&'a RawValue),
    /// From a path or a query string, percent-decoded.
    Text(Cow<'a, str>),
}

impl RawInput<'_> {
    /// Whether it is the JSON literal `null`.
    pub(crate) fn is_null(&self) -> bool {
        matches!(self, Self::Json(raw) if raw.get() == "null")
    }

    /// Returns the echo for an error response.
    pub(crate) fn echo(&self) -> Echo {
        match self {
            Self::Json(raw) => Echo::from_json((*raw).to_owned()),
            Self::Text(text) => Echo::Text(text.clone().into_owned()),
        }
    }

    /// Returns the text of a JSON string or of a query value; `None` for other JSON values, and for strings with an
    /// unpaired surrogate escape.
    pub(crate) fn as_text(&self) -> Option<Cow<'_, str>> {
        match self {
            Self::Json(raw) => unquote(raw.get()),
            Self::Text(text) => Some(Cow::Borrowed(text)),
        }
    }

    /// Whether the value is a JSON string or a query value.
    pub(crate) fn is_string(&self) -> bool {
        match self {
            Self::Json(raw) => raw.get().starts_with('"'),
            Self::Text(_) => true,
        }
    }

    /// Returns the text of a JSON number, JSON string or query value, not validated; `None` for other values.
    pub(crate) fn as_number_text(&self) -> Option<Cow<'_, str>> {
        match self {
            Self::Json(raw) if raw.get().starts_with(|first: char| first == '-' || first.is_ascii_digit()) => {
                Some(Cow::Borrowed(raw.get()))
            }
            _ => self.as_text(),
        }
    }

    /// Returns the value of a JSON boolean, or of a query value in one of the spellings that client languages produce.
    pub(crate) fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Json(raw) => raw.get().parse().ok(),
            Self::Text(text) => match text.as_ref() {
                "true" | "True" | "1" => Some(true),
                "false" | "False" | "0" => Some(false),
                _ => None,
            },
        }
    }
}

/// Returns the text of a JSON string literal; borrowed unless it has escapes.
fn unquote(literal: &str) -> Option<Cow<'_, str>> {
    if !literal.starts_with('"') {
        return None;
    }
    match serde_json::from_str::<&str>(literal) {
        Ok(text) => Some(Cow::Borrowed(text)),
        Err(_) => serde_json::from_str::<String>(literal).ok().map(Cow::Owned),
    }
}

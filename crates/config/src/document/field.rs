//! A place in a configuration with the value there, if any. Tables are read from it, and errors name it: its key, its
//! value unless that may be a secret, and what is allowed.

use std::sync::Arc;

use serde::de::DeserializeOwned;

use super::{
    displayed_value::DisplayedValue,
    error::{KeyError, Problem},
    path::KeyPath,
    secret_keys::is_secret,
    tree::{Entries, Node, Value},
};
use crate::Environment;

/// A place in a configuration.
#[derive(Clone)]
pub(crate) struct Field<'t> {
    path: KeyPath,
    environment: &'t Arc<dyn Environment>,
    pub raw: Raw<'t>,
}

/// The value of a key as written.
#[derive(Clone, Copy)]
pub(crate) enum Raw<'t> {
    Absent,
    Text(&'t str),
    Number(&'t str),
    Boolean(bool),
    Date(&'t str),
    Untyped(&'t str),
    List(&'t [Node]),
    Table(&'t Entries),
}

impl<'t> From<Option<&'t Node>> for Raw<'t> {
    fn from(node: Option<&'t Node>) -> Self {
        match node.map(|node| &node.value) {
            None => Self::Absent,
            Some(Value::Text(text)) => Self::Text(text),
            Some(Value::Number(text)) => Self::Number(text),
            Some(Value::Boolean(boolean)) => Self::Boolean(*boolean),
            Some(Value::Date(text)) => Self::Date(text),
            Some(Value::Untyped(text)) => Self::Untyped(text),
            Some(Value::List(entries)) => Self::List(entries),
            Some(Value::Table(entries)) => Self::Table(entries),
        }
    }
}

impl<'t> Field<'t> {
    /// Returns the root table.
    pub(crate) fn root(node: &'t Node, environment: &'t Arc<dyn Environment>) -> Self {
        Self { path: KeyPath::default(), environment, raw: Some(node).into() }
    }

    /// Returns the key named `key` of this table.
    pub(crate) fn key(&self, key: &str) -> Self {
        let node = if let Raw::Table(entries) = self.raw { entries.get(key) } else { None };
        Self { path: self.path.key(key), raw: node.into(), ..self.clone() }
    }

    /// Returns an entry of this array.
    pub(crate) fn index(&self, index: usize) -> Self {
        let raw = if let Raw::List(entries) = self.raw { entries.get(index).into() } else { Raw::Absent };
        Self { path: self.path.index(index), raw, ..self.clone() }
    }

    /// Returns the path of the value.
    pub(crate) const fn path(&self) -> &KeyPath {
        &self.path
    }

    /// Returns the environment for files and variables that the configuration names.
    pub(crate) const fn environment(&self) -> &'t Arc<dyn Environment> {
        self.environment
    }

    /// Whether the key is present.
    pub(crate) const fn is_present(&self) -> bool {
        !matches!(self.raw, Raw::Absent)
    }

    /// Returns the text of this value, if it is one.
    pub(crate) const fn text(&self) -> Option<&'t str> {
        if let Raw::Text(text) | Raw::Untyped(text) = self.raw { Some(text) } else { None }
    }

    /// Reads the value; an absent one as an empty table.
    ///
    /// # Errors
    /// [`KeyError`] for the first key that is unknown, missing or invalid.
    pub(crate) fn read<T: DeserializeOwned>(&self) -> Result<T, KeyError> {
        T::deserialize(self.clone()).map_err(|error| error.at(self))
    }

    /// Returns the entries of this array; of a variable, its comma-separated parts.
    pub(crate) fn entries(&self) -> impl Iterator<Item = Self> {
        let (list, text) = match self.raw {
            Raw::List(entries) => (entries, None),
            Raw::Untyped(text) if !text.is_empty() => (&[][..], Some(text)),
            _ => (&[][..], None),
        };
        let of_list = list.iter().map(|node| Raw::from(Some(node)));
        let of_text = text.into_iter().flat_map(|text| text.split(',')).map(|entry| Raw::Untyped(entry.trim()));
        let entry = |(index, raw)| Self { path: self.path.index(index), raw, ..self.clone() };
        of_list.chain(of_text).enumerate().map(entry)
    }

    /// Refuses keys of this table that would have no effect.
    ///
    /// # Errors
    /// [`KeyError`] for the first of `keys` that is present; `allowed` describes when it has an effect.
    pub(crate) fn refuse<'k>(&self, keys: impl IntoIterator<Item = &'k str>, allowed: &str) -> Result<(), KeyError> {
        let ineffective = keys.into_iter().map(|key| self.key(key)).find(Self::is_present);
        ineffective.map_or(Ok(()), |field| Err(field.not_allowed(allowed)))
    }

    /// Creates the error that this value is not `allowed`, or missing.
    pub(crate) fn not_allowed(&self, allowed: impl Into<String>) -> KeyError {
        let allowed = allowed.into();
        let problem = match self.displayed() {
            Some(value) => Problem::NotAllowed { value, allowed },
            None => Problem::Missing { allowed },
        };
        KeyError { key: self.path.clone(), problem }
    }

    fn displayed(&self) -> Option<DisplayedValue> {
        Some(match self.raw {
            Raw::Absent => return None,
            _ if is_secret(&self.path) => DisplayedValue::secret(),
            Raw::Text(text) | Raw::Untyped(text) => DisplayedValue::text(text),
            Raw::Number(text) | Raw::Date(text) => DisplayedValue::plain(text),
            Raw::Boolean(boolean) => DisplayedValue::plain(boolean),
            Raw::List(_) => DisplayedValue::plain("an array"),
            Raw::Table(_) => DisplayedValue::plain("a table"),
        })
    }
}

/// Returns the values of two keys of `table` that require each other, or `None` if neither is present.
///
/// # Errors
/// [`KeyError`] for one without the other.
pub(crate) fn both<A, B>(
    (first, first_key): (Option<A>, &str),
    (second, second_key): (Option<B>, &str),
    table: &Field<'_>,
) -> Result<Option<(A, B)>, KeyError> {
    match (first, second) {
        (Some(first), Some(second)) => Ok(Some((first, second))),
        (None, None) => Ok(None),
        (Some(_), None) => Err(table.key(first_key).not_allowed(format!("only with {second_key}"))),
        (None, Some(_)) => Err(table.key(second_key).not_allowed(format!("only with {first_key}"))),
    }
}

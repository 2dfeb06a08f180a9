//! Reads keys from a tree: each is looked up by name and parsed at once. An absent value is represented too, as one
//! that no parser accepts, so that missing and invalid keys produce the same description of the allowed values.

use std::sync::Arc;

use super::{
    displayed_value::DisplayedValue,
    error::{KeyError, Problem},
    path::KeyPath,
    tree::{Entries, Node, Value},
};
use crate::Environment;

/// The keys that a table may have.
pub(crate) struct Keys {
    /// The keys that are read.
    pub names: &'static [&'static str],
}

impl Keys {
    /// Creates the set of `names`.
    pub(crate) const fn new(names: &'static [&'static str]) -> Self {
        Self { names }
    }

    /// Returns the problem of a key named `key`, if any.
    fn problem(&self, key: &str) -> Option<Problem> {
        let unknown = || Problem::UnknownKey { nearest: self.nearest(key), allowed: self.names };
        (!self.names.contains(&key)).then(unknown)
    }

    /// Returns the known key closest to `key`, if it is within a few typos.
    fn nearest(&self, key: &str) -> Option<&'static str> {
        /// The number of characters per permitted typo.
        const CHARACTERS_PER_TYPO: usize = 3;
        // Keys are short; longer text is not compared.
        if key.len() > 64 {
            return None;
        }
        let edit_distance = |name: &&&'static str| strsim::damerau_levenshtein(name, key);
        let nearest = self.names.iter().min_by_key(edit_distance)?;
        (edit_distance(&nearest) <= key.len().div_ceil(CHARACTERS_PER_TYPO).min(3)).then_some(*nearest)
    }
}

/// A table whose keys are all known.
pub(crate) struct Table<'t> {
    path: KeyPath,
    environment: &'t Arc<dyn Environment>,
    entries: Option<&'t Entries>,
}

/// A key with its value, if present.
#[derive(Clone)]
pub(crate) struct Field<'t> {
    path: KeyPath,
    environment: &'t Arc<dyn Environment>,
    pub raw: Raw<'t>,
    is_secret: bool,
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

impl<'t> Table<'t> {
    /// Returns the root table.
    ///
    /// # Errors
    /// [`Problem::UnknownKey`] for a key that is not one of `keys`.
    pub(crate) fn root(node: &'t Node, keys: &Keys, environment: &'t Arc<dyn Environment>) -> Result<Self, KeyError> {
        Field::new(KeyPath::default(), Some(node), environment).table(keys)
    }

    /// Returns the key named `key`.
    pub(crate) fn field(&self, key: &str) -> Field<'t> {
        Field::new(self.path.key(key), self.entries.and_then(|entries| entries.get(key)), self.environment)
    }

    /// Returns the environment for files and variables that its values name.
    pub(crate) const fn environment(&self) -> &'t Arc<dyn Environment> {
        self.environment
    }

    /// Returns the path of the table.
    pub(crate) const fn path(&self) -> &KeyPath {
        &self.path
    }
}

/// Refuses keys that would have no effect.
///
/// # Errors
/// [`KeyError`] for the first of `fields` that is present; `allowed` describes when it has an effect.
pub(crate) fn refuse_present<'t>(fields: impl IntoIterator<Item = Field<'t>>, allowed: &str) -> Result<(), KeyError> {
    let ineffective = fields.into_iter().find(Field::is_present);
    ineffective.map_or(Ok(()), |field| Err(field.not_allowed(allowed)))
}

impl<'t> Field<'t> {
    fn new(path: KeyPath, node: Option<&'t Node>, environment: &'t Arc<dyn Environment>) -> Self {
        let raw = match node.map(|node| &node.value) {
            None => Raw::Absent,
            Some(Value::Text(text)) => Raw::Text(text),
            Some(Value::Number(text)) => Raw::Number(text),
            Some(Value::Boolean(boolean)) => Raw::Boolean(*boolean),
            Some(Value::Date(text)) => Raw::Date(text),
            Some(Value::Untyped(text)) => Raw::Untyped(text),
            Some(Value::List(entries)) => Raw::List(entries),
            Some(Value::Table(entries)) => Raw::Table(entries),
        };
        Self { path, environment, raw, is_secret: false }
    }

    /// Marks the value as secret: no error shows it.
    pub(crate) fn secret(self) -> Self {
        Self { is_secret: true, ..self }
    }

    /// Returns the environment for a file or variable that the value names.
    pub(crate) const fn environment(&self) -> &'t Arc<dyn Environment> {
        self.environment
    }

    /// Returns the path of the value.
    pub(crate) const fn path(&self) -> &KeyPath {
        &self.path
    }

    /// Whether the key is present.
    pub(crate) const fn is_present(&self) -> bool {
        !matches!(self.raw, Raw::Absent)
    }

    /// Parses the value with `parse`; returns `default` if it is absent.
    pub(crate) fn or<T>(self, default: T, parse: impl FnOnce(Self) -> Result<T, KeyError>) -> Result<T, KeyError> {
        if self.is_present() { parse(self) } else { Ok(default) }
    }

    /// Parses the value with `parse`, if it is present.
    pub(crate) fn optional<T>(self, parse: impl FnOnce(Self) -> Result<T, KeyError>) -> Result<Option<T>, KeyError> {
        self.or(None, |field| parse(field).map(Some))
    }

    /// Reads the value as a table; an empty one if it is absent.
    pub(crate) fn table(self, keys: &Keys) -> Result<Table<'t>, KeyError> {
        let entries = match self.raw {
            Raw::Absent => None,
            Raw::Table(entries) => Some(entries),
            _ => return Err(self.not_allowed(format!("a table of {}", keys.names.join(", ")))),
        };
        for key in entries.into_iter().flat_map(Entries::keys) {
            if let Some(problem) = keys.problem(key) {
                return Err(KeyError { key: self.path.key(key), problem });
            }
        }
        Ok(Table { path: self.path, environment: self.environment, entries })
    }

    /// Reads the value as an array of tables; empty if it is absent.
    pub(crate) fn tables(self, keys: &Keys) -> Result<Vec<Table<'t>>, KeyError> {
        match self.raw {
            Raw::Absent => Ok(Vec::new()),
            Raw::List(_) => self.list("tables")?.into_iter().map(|entry| entry.table(keys)).collect(),
            _ => Err(self.not_allowed(format!("an array of tables: [[{}]]", self.path))),
        }
    }

    /// Returns the entries of an array; for an environment variable, its comma-separated parts.
    pub(crate) fn list(&self, of: &str) -> Result<Vec<Field<'t>>, KeyError> {
        let entry = |index, raw| Field {
            path: self.path.index(index),
            environment: self.environment,
            raw,
            is_secret: self.is_secret,
        };
        match self.raw {
            Raw::List(nodes) => {
                let fields = nodes.iter().enumerate();
                Ok(fields
                    .map(|(index, node)| entry(index, Field::new(KeyPath::default(), Some(node), self.environment).raw))
                    .collect())
            }
            Raw::Untyped("") => Ok(Vec::new()),
            Raw::Untyped(text) => {
                let parts = text.split(',').enumerate();
                Ok(parts.map(|(index, part)| entry(index, Raw::Untyped(part.trim()))).collect())
            }
            _ => Err(self.not_allowed(format!("an array of {of}"))),
        }
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
            _ if self.is_secret => DisplayedValue::secret(),
            Raw::Text(text) | Raw::Untyped(text) => DisplayedValue::text(text),
            Raw::Number(text) | Raw::Date(text) => DisplayedValue::plain(text),
            Raw::Boolean(boolean) => DisplayedValue::plain(boolean),
            Raw::List(_) => DisplayedValue::plain("an array"),
            Raw::Table(_) => DisplayedValue::plain("a table"),
        })
    }
}

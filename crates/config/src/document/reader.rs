//! Reads keys out of a tree: each is asked for by name and parsed at once. What is absent is a value too, one that
//! no parser takes, so that a missing key and a wrong one are told by the same words.

use std::sync::Arc;

use super::{
    displayed_value::DisplayedValue,
    error::{KeyError, Problem},
    path::KeyPath,
    tree::{Entries, Node, Value},
};
use crate::Sources;

/// The keys that a table may have.
pub(crate) struct Keys {
    /// Those that are read.
    pub now: &'static [&'static str],
}

impl Keys {
    /// All of these are read.
    pub(crate) const fn new(now: &'static [&'static str]) -> Self {
        Self { now }
    }

    /// What is wrong about a key called `key`, if anything is.
    fn problem(&self, key: &str) -> Option<Problem> {
        let unknown = || Problem::UnknownKey { nearest: self.nearest(key), allowed: self.now };
        (!self.now.contains(&key)).then(unknown)
    }

    /// The key that is a slip or two away from `key`.
    fn nearest(&self, key: &str) -> Option<&'static str> {
        /// The part of a key that may be wrong.
        const SLIPS: usize = 3;
        // Names are short; what is not one is not held against them.
        if key.len() > 64 {
            return None;
        }
        let slips = |known: &&&'static str| strsim::damerau_levenshtein(known, key);
        let nearest = self.now.iter().min_by_key(slips)?;
        (slips(&nearest) <= key.len().div_ceil(SLIPS).min(3)).then_some(*nearest)
    }
}

/// A table whose keys are all known.
pub(crate) struct Table<'t> {
    path: KeyPath,
    sources: &'t Arc<dyn Sources>,
    entries: Option<&'t Entries>,
}

/// A key with what was written for it, if anything was.
#[derive(Clone)]
pub(crate) struct Field<'t> {
    path: KeyPath,
    sources: &'t Arc<dyn Sources>,
    pub raw: Raw<'t>,
    is_secret: bool,
}

/// What was written.
#[derive(Clone, Copy)]
pub(crate) enum Raw<'t> {
    Absent,
    Text(&'t str),
    Number(&'t str),
    Boolean(bool),
    Date(&'t str),
    Loose(&'t str),
    List(&'t [Node]),
    Table(&'t Entries),
}

impl<'t> Table<'t> {
    /// The outermost table.
    ///
    /// # Errors
    /// [`Problem::UnknownKey`] for a key that is not one of `keys`.
    pub(crate) fn root(node: &'t Node, keys: &Keys, sources: &'t Arc<dyn Sources>) -> Result<Self, KeyError> {
        Field::new(KeyPath::default(), Some(node), sources).table(keys)
    }

    /// The key called `key`.
    pub(crate) fn field(&self, key: &str) -> Field<'t> {
        Field::new(self.path.key(key), self.entries.and_then(|entries| entries.get(key)), self.sources)
    }

    /// Where what its values name is found.
    pub(crate) const fn sources(&self) -> &'t Arc<dyn Sources> {
        self.sources
    }

    /// Where the table stands.
    pub(crate) const fn path(&self) -> &KeyPath {
        &self.path
    }
}

impl<'t> Field<'t> {
    fn new(path: KeyPath, node: Option<&'t Node>, sources: &'t Arc<dyn Sources>) -> Self {
        let raw = match node.map(|node| &node.value) {
            None => Raw::Absent,
            Some(Value::Text(text)) => Raw::Text(text),
            Some(Value::Number(text)) => Raw::Number(text),
            Some(Value::Boolean(boolean)) => Raw::Boolean(*boolean),
            Some(Value::Date(text)) => Raw::Date(text),
            Some(Value::Loose(text)) => Raw::Loose(text),
            Some(Value::List(entries)) => Raw::List(entries),
            Some(Value::Table(entries)) => Raw::Table(entries),
        };
        Self { path, sources, raw, is_secret: false }
    }

    /// The same key, whose value no error shows.
    pub(crate) fn secret(self) -> Self {
        Self { is_secret: true, ..self }
    }

    /// Where what is named by the value is found.
    pub(crate) const fn sources(&self) -> &'t Arc<dyn Sources> {
        self.sources
    }

    /// Where the value stands.
    pub(crate) const fn path(&self) -> &KeyPath {
        &self.path
    }

    /// Whether anything was written.
    pub(crate) const fn is_present(&self) -> bool {
        !matches!(self.raw, Raw::Absent)
    }

    /// What `parse` makes of the value, or `default` if nothing was written.
    pub(crate) fn or<T>(self, default: T, parse: impl FnOnce(Self) -> Result<T, KeyError>) -> Result<T, KeyError> {
        if self.is_present() { parse(self) } else { Ok(default) }
    }

    /// What `parse` makes of the value, if something was written.
    pub(crate) fn optional<T>(self, parse: impl FnOnce(Self) -> Result<T, KeyError>) -> Result<Option<T>, KeyError> {
        self.or(None, |field| parse(field).map(Some))
    }

    /// The table that stands here; an empty one if nothing was written.
    pub(crate) fn table(self, keys: &Keys) -> Result<Table<'t>, KeyError> {
        let entries = match self.raw {
            Raw::Absent => None,
            Raw::Table(entries) => Some(entries),
            _ => return Err(self.not_allowed(format!("a table of {}", keys.now.join(", ")))),
        };
        for key in entries.into_iter().flat_map(Entries::keys) {
            if let Some(problem) = keys.problem(key) {
                return Err(KeyError { key: self.path.key(key), problem });
            }
        }
        Ok(Table { path: self.path, sources: self.sources, entries })
    }

    /// The tables that stand here; none if nothing was written.
    pub(crate) fn tables(self, keys: &Keys) -> Result<Vec<Table<'t>>, KeyError> {
        match self.raw {
            Raw::Absent => Ok(Vec::new()),
            Raw::List(_) => self.list("tables")?.into_iter().map(|entry| entry.table(keys)).collect(),
            _ => Err(self.not_allowed(format!("an array of tables: [[{}]]", self.path))),
        }
    }

    /// The entries of an array; the parts of an environment variable with commas between them.
    pub(crate) fn list(&self, of: &str) -> Result<Vec<Field<'t>>, KeyError> {
        let entry =
            |index, raw| Field { path: self.path.index(index), sources: self.sources, raw, is_secret: self.is_secret };
        match self.raw {
            Raw::List(nodes) => {
                let fields = nodes.iter().enumerate();
                Ok(fields
                    .map(|(index, node)| entry(index, Field::new(KeyPath::default(), Some(node), self.sources).raw))
                    .collect())
            }
            Raw::Loose("") => Ok(Vec::new()),
            Raw::Loose(text) => {
                let parts = text.split(',').enumerate();
                Ok(parts.map(|(index, part)| entry(index, Raw::Loose(part.trim()))).collect())
            }
            _ => Err(self.not_allowed(format!("an array of {of}"))),
        }
    }

    /// The mistake that this value is not one that is allowed.
    pub(crate) fn not_allowed(&self, allowed: impl Into<String>) -> KeyError {
        let allowed = allowed.into();
        let problem = match self.shown() {
            Some(value) => Problem::NotAllowed { value, allowed },
            None => Problem::Missing { allowed },
        };
        KeyError { key: self.path.clone(), problem }
    }

    fn shown(&self) -> Option<DisplayedValue> {
        Some(match self.raw {
            Raw::Absent => return None,
            _ if self.is_secret => DisplayedValue::secret(),
            Raw::Text(text) | Raw::Loose(text) => DisplayedValue::text(text),
            Raw::Number(text) | Raw::Date(text) => DisplayedValue::plain(text),
            Raw::Boolean(boolean) => DisplayedValue::plain(boolean),
            Raw::List(_) => DisplayedValue::plain("an array"),
            Raw::Table(_) => DisplayedValue::plain("a table"),
        })
    }
}

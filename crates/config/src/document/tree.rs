//! A configuration before its keys are interpreted: nested values, each with its origin. Numbers are kept as the text
//! they were written in.

use std::collections::BTreeMap;

use super::{
    displayed_value::shown_variable,
    path::{KeyPath, PathSegment},
};

/// The entries of a table.
pub(crate) type Entries = BTreeMap<String, Node>;

/// A value with its origin. Without `Debug`, like [`Value`]: a text may be a secret.
pub struct Node {
    pub value: Value,
    pub origin: Origin,
}

/// A value as written.
pub enum Value {
    /// A string.
    Text(String),
    /// An integer or a fraction, without the underscores between its digits.
    Number(String),
    Boolean(bool),
    /// A date, with or without a time.
    Date(String),
    /// The text of an environment variable, to be parsed as the type of its key.
    Untyped(String),
    List(Vec<Node>),
    Table(Entries),
}

/// The origin of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The file as a whole.
    Document,
    /// A line of the file, from 1.
    Line(usize),
    /// The environment variable of this name.
    Variable(String),
}

impl Node {
    /// Returns the value of `key`, if this is a table that contains it.
    pub fn entry(&self, key: &str) -> Option<&Self> {
        match &self.value {
            Value::Table(entries) => entries.get(key),
            _ => None,
        }
    }

    /// Returns the origin of the value at `path`; if it is absent, that of the innermost existing table or array on the
    /// path.
    pub fn origin_of(&self, path: &KeyPath) -> &Origin {
        let mut node = self;
        for segment in path.segments() {
            let inner = match (&node.value, segment) {
                (Value::Table(entries), PathSegment::Key(key)) => entries.get(key),
                (Value::List(entries), PathSegment::Index(index)) => entries.get(*index),
                _ => None,
            };
            match inner {
                Some(inner) => node = inner,
                None => break,
            }
        }
        &node.origin
    }
}

impl Origin {
    /// Formats the origin for errors, for a configuration read from `file`.
    pub fn in_file(&self, file: &str) -> String {
        match self {
            Self::Document => file.to_owned(),
            Self::Line(line) => format!("{file}:{line}"),
            Self::Variable(name) => format!("environment variable {}", shown_variable(name)),
        }
    }
}

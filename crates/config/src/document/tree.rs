//! A configuration before anybody knows what its keys mean: nested values, each with the place it was written at.
//! Numbers are kept as the text they were written in.

use std::collections::BTreeMap;

use super::{
    displayed_value::shown_variable,
    path::{KeyPath, Step},
};

/// The entries of a table.
pub(crate) type Entries = BTreeMap<String, Node>;

/// A value and where it was written.
#[derive(Debug)]
pub struct Node {
    pub value: Value,
    pub origin: Origin,
}

/// What was written.
#[derive(Debug)]
pub enum Value {
    /// A string.
    Text(String),
    /// An integer or a fraction, without the underscores between its digits.
    Number(String),
    Boolean(bool),
    /// A date, with or without a time.
    Date(String),
    /// The text of an environment variable: whatever the key wants it to be.
    Loose(String),
    List(Vec<Node>),
    Table(Entries),
}

/// Where a value was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Nowhere in particular in the file.
    Document,
    /// In this line of the file, from 1.
    Line(usize),
    /// In the environment variable of this name.
    Variable(String),
}

impl Node {
    /// What stands under `key`, if this is a table that has it.
    pub fn entry(&self, key: &str) -> Option<&Self> {
        match &self.value {
            Value::Table(entries) => entries.get(key),
            _ => None,
        }
    }

    /// Where the value at `path` was written; if there is none, the innermost table or array it would stand in.
    pub fn origin_of(&self, path: &KeyPath) -> &Origin {
        let mut node = self;
        for step in path.steps() {
            let inner = match (&node.value, step) {
                (Value::Table(entries), Step::Key(key)) => entries.get(key),
                (Value::List(entries), Step::Index(index)) => entries.get(*index),
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
    /// The place as an error names it, for a configuration that stands in `file`.
    pub fn in_file(&self, file: &str) -> String {
        match self {
            Self::Document => file.to_owned(),
            Self::Line(line) => format!("{file}:{line}"),
            Self::Variable(name) => format!("environment variable {}", shown_variable(name)),
        }
    }
}

//! Errors of a configuration: one sentence with the place, the key, the value and the allowed values. Values that may
//! be secret are never included.

use super::{
    displayed_value::{DisplayedValue, shown_variable},
    path::KeyPath,
};

use std::{borrow::Cow, fmt, io};

/// Why a configuration is not usable.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// The file is missing, unreadable, or not UTF-8.
    #[error("{file}: cannot be read")]
    Unreadable {
        /// The path of the file as given.
        file: String,
        /// The cause.
        #[source]
        source: io::Error,
    },
    /// The file is not TOML. The line itself is not shown: it may contain a hash.
    #[error("{file}:{line}:{column}: not TOML: {message}")]
    Syntax {
        /// The path of the file as given.
        file: String,
        /// Line, from 1.
        line: usize,
        /// Column in characters, from 1.
        column: usize,
        /// The message of the parser.
        message: String,
    },
    /// The name of an environment variable looks like a key but is not one, or its value is not UTF-8.
    #[error("environment variable {} {reason}", shown_variable(.name))]
    Variable {
        /// Its name.
        name: String,
        /// The problem and the allowed values.
        reason: Cow<'static, str>,
    },
    /// A key is invalid.
    #[error("{location}: {error}")]
    Key {
        /// The line of the file, or the environment variable.
        location: String,
        /// The key, its value and the allowed values.
        error: KeyError,
    },
}

/// A key with its problem.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{key} {problem}")]
pub struct KeyError {
    pub key: KeyPath,
    pub problem: Problem,
}

impl KeyError {
    /// Creates the error for a value of `key` that is not allowed.
    pub fn not_allowed(key: KeyPath, value: impl fmt::Display, allowed: impl Into<String>) -> Self {
        Self { key, problem: Problem::NotAllowed { value: DisplayedValue::plain(value), allowed: allowed.into() } }
    }
}

/// The kind of problem with a key.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    #[error("is missing, allowed: {allowed}")]
    Missing { allowed: String },
    #[error("is {value}, allowed: {allowed}")]
    NotAllowed { value: DisplayedValue, allowed: String },
    #[error("is not a key{}{}, allowed: {}", with_kind(.kind.as_deref()), suggestion(*.nearest), .allowed.join(", "))]
    UnknownKey {
        /// The kind of the table that does not have it, if its kind determines the keys.
        kind: Option<String>,
        /// The key that was probably intended.
        nearest: Option<&'static str>,
        allowed: &'static [&'static str],
    },
    #[error("skips an index, allowed: an index of at most {max}")]
    Gap { max: usize },
    #[error("is a single value, without keys or indexes below it")]
    NothingBelow,
    #[error("is not an entry, allowed: an index, counted from 0")]
    NotAnIndex,
    #[error("is not a key, allowed: the name of a key")]
    NotAName,
}

fn with_kind(kind: Option<&str>) -> String {
    kind.map(|kind| format!(" with kind = {kind:?}")).unwrap_or_default()
}

fn suggestion(nearest: Option<&str>) -> String {
    nearest.map(|nearest| format!(" (did you mean {nearest}?)")).unwrap_or_default()
}

//! What `quote --json` and `sign --json` print; [`Document`](super::document::Document) reads it. Scripts rely on its names.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::value::RawValue;

use super::{derived::Derived, document::Asked, pool_sets::PoolSets};

/// The answers as they came, with what was asked and what follows.
#[derive(Debug, Serialize)]
pub(crate) struct Printed {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) quote: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) signed: Option<Box<RawValue>>,
    pub(crate) asked: Asked,
    pub(crate) derived: Derived,
    /// Whole seconds at the moment of printing, by this machine's clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) seconds_left_to_accept: Option<u64>,
    /// Pool data that was read just before the quote.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) pool: Option<PoolSets>,
    /// Whether the pool published the same again just after the quote.
    pub(crate) pool_is_still: bool,
}

impl Printed {
    /// Writes one line of JSON.
    ///
    /// # Errors
    /// Those of `out`.
    pub(crate) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        serde_json::to_writer(&mut *out, self)?;
        writeln!(out)
    }
}

/// The body of an answer as it came; `None` if it is no JSON, which no answer that was read is.
pub(crate) fn body(text: String) -> Option<Box<RawValue>> {
    RawValue::from_string(text).ok()
}

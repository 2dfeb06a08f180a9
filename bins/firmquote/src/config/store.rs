//! `[store]`: where quotes are kept.

use super::{
    error::Mistake,
    reader::{Keys, Table},
};

/// `[store]`. Its `kind` is `memory`, the default; there is no other one yet.
pub(crate) struct StoreConfig {
    /// `max_quotes`: live quotes kept at most, signed ones included, about 1 KiB each; further requests for a quote
    /// are answered 503. 1 to 10000000, default 100000.
    pub(crate) max_quotes: usize,
}

pub(super) const KEYS: Keys =
    Keys { now: &["kind", "max_quotes"], later: &[("url", "quotes are kept in memory, which has no address")] };

impl StoreConfig {
    /// Reads the table.
    ///
    /// # Errors
    /// [`Mistake`] for the first key that is wrong.
    pub(super) fn read(table: &Table<'_>) -> Result<Self, Mistake> {
        let is_memory = |text| if text == "memory" { Ok(()) } else { Err(()) };
        table.field("kind").or((), |field| field.text("\"memory\", the only kind of this version", is_memory))?;
        let max_quotes = table.field("max_quotes").or(100_000, |field| field.integer(1..=10_000_000, " quotes"))?;
        Ok(Self { max_quotes })
    }
}

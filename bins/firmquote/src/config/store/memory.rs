//! `[store]` with `kind = "memory"`.

use std::{path::PathBuf, time::Duration};

use super::{max_clock_skew, timeout};
use crate::config::{
    error::Mistake,
    reader::{Field, Table},
};

/// `[store]` with `kind = "memory"`.
pub(crate) struct MemoryConfig {
    /// `max_quotes`: live quotes kept at most, signed ones included, up to 1 KiB each; further requests for a quote
    /// are answered 503. 1 to 10000000, default 100000.
    pub(crate) max_quotes: usize,
    /// `ledger_file`: what every signature is appended to, as a line of JSON, before it leaves; relative to the
    /// working directory. Default: none is kept.
    pub(crate) ledger_file: Option<PathBuf>,
    /// `timeout_ms`: how long the disk may take for a line of `ledger_file`. 50 to 10000 ms, default 500.
    pub(crate) timeout: Duration,
    /// `max_clock_skew_ms`: how far the clock may be set forward while the service runs. 500 to 60000 ms, default 5000.
    pub(crate) max_clock_skew: Duration,
}

impl MemoryConfig {
    /// Reads its keys.
    ///
    /// # Errors
    /// [`Mistake`] for the first one that is wrong.
    pub(super) fn read(table: &Table<'_>) -> Result<Self, Mistake> {
        Ok(Self {
            max_quotes: table.field("max_quotes").or(100_000, |field| field.integer(1..=10_000_000, " quotes"))?,
            ledger_file: table.field("ledger_file").optional(ledger_file)?,
            timeout: timeout(table)?,
            max_clock_skew: max_clock_skew(table)?,
        })
    }
}

/// A path at which a file is or can be.
fn ledger_file(field: Field<'_>) -> Result<PathBuf, Mistake> {
    const ALLOWED: &str = "the path of a file, in a directory that exists";
    field.text(ALLOWED, |text| {
        let path = PathBuf::from(text);
        let directory = path.parent().is_some_and(|parent| parent.as_os_str().is_empty() || parent.is_dir());
        if directory && path.file_name().is_some() && !path.is_dir() { Ok(path) } else { Err(()) }
    })
}

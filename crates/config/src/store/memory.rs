//! `[store]` with `kind = "memory"`.

use std::{path::PathBuf, time::Duration};

use crate::document::{
    error::KeyError,
    reader::{Field, Table},
};

/// `[store]` with `kind = "memory"`.
pub struct MemoryConfig {
    /// `max_quotes`: live quotes kept at most, signed ones included, up to 1 KiB each. 1 to 10000000; by default a quarter of
    /// the memory that the process may use, 100000 to 10000000.
    pub max_quotes: usize,
    /// Whether nothing is written.
    pub is_max_quotes_default: bool,
    /// `ledger_file`: what every signature is appended to, as a line of JSON, before it leaves; relative to the
    /// working directory. Default: none is kept.
    pub ledger_file: Option<PathBuf>,
    /// `state_dir`: the directory in which pauses outlive a restart; relative to the working directory. Default: they end with
    /// the process.
    pub state_directory: Option<PathBuf>,
    /// `timeout_ms`: how long the disk may take for a line of `ledger_file`. 50 to 10000 ms, default 500.
    pub timeout: Duration,
    /// `max_clock_skew_ms`: how far the clock may be set forward while the service runs. 500 to 60000 ms, default 5000.
    pub max_clock_skew: Duration,
}

impl MemoryConfig {
    /// Reads its keys.
    ///
    /// # Errors
    /// [`KeyError`] for the first one that is wrong.
    pub(super) fn read(table: &Table<'_>, timeout: Duration, max_clock_skew: Duration) -> Result<Self, KeyError> {
        Ok(Self {
            max_quotes: table.field("max_quotes").or(default_max_quotes(table.sources().memory_bytes()), |field| {
                field.integer(1..=MAX_QUOTES, " quotes")
            })?,
            is_max_quotes_default: !table.field("max_quotes").is_present(),
            ledger_file: table.field("ledger_file").optional(ledger_file)?,
            state_directory: table
                .field("state_dir")
                .optional(|field| field.text("the path of a directory", directory))?,
            timeout,
            max_clock_skew,
        })
    }
}

/// The most quotes that may be configured.
const MAX_QUOTES: u64 = 10_000_000;
/// What is kept even where little memory is known of.
const MIN_DEFAULT_QUOTES: u64 = 100_000;
/// What a quote takes at most, in bytes.
const BYTES_PER_QUOTE: u64 = 1_024;

/// As many as a quarter of the memory takes.
fn default_max_quotes(memory: Option<u64>) -> usize {
    let quotes = memory.map_or(MIN_DEFAULT_QUOTES, |bytes| bytes / 4 / BYTES_PER_QUOTE);
    usize::try_from(quotes.clamp(MIN_DEFAULT_QUOTES, MAX_QUOTES)).unwrap_or(usize::MAX)
}

/// A path that may be a directory. Whether it is one is found out when it is used: without it pauses hold all the same.
fn directory(text: &str) -> Result<PathBuf, ()> {
    if text.is_empty() { Err(()) } else { Ok(PathBuf::from(text)) }
}

/// A path at which a file is or can be.
fn ledger_file(field: Field<'_>) -> Result<PathBuf, KeyError> {
    const ALLOWED: &str = "the path of a file, in a directory that exists";
    field.text(ALLOWED, |text| {
        let path = PathBuf::from(text);
        let directory = path.parent().is_some_and(|parent| parent.as_os_str().is_empty() || parent.is_dir());
        if directory && path.file_name().is_some() && !path.is_dir() { Ok(path) } else { Err(()) }
    })
}

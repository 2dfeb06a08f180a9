//! `[store]` with `kind = "memory"`.

use std::{path::PathBuf, time::Duration};

use crate::document::{
    error::KeyError,
    reader::{Field, Table},
};

/// `[store]` with `kind = "memory"`.
pub struct MemoryConfig {
    /// `max_quotes`: maximum number of live quotes, signed ones included, up to 1 KiB each. 1 to 10000000; by default
    /// as many as fit in a quarter of the memory that the process may use, 100000 to 10000000.
    pub max_quotes: usize,
    /// Whether `max_quotes` is the default.
    pub is_max_quotes_default: bool,
    /// `ledger_file`: file that every signature is appended to, as a line of JSON, before it is sent; relative to the
    /// file. Default: none.
    pub ledger_file: Option<PathBuf>,
    /// `state_dir`: directory in which pauses and volatility estimates are kept across restarts; relative to the file.
    /// Default: they end with the process.
    pub state_directory: Option<PathBuf>,
    /// `status_retention_seconds`: how long the status of a signed quote can be read after its end, for a quarter of
    /// `max_quotes` at most. 3600 to 31536000, default 86400.
    pub status_retention_seconds: u32,
    /// `timeout_ms`: time limit for writing a line of `ledger_file`. 50 to 10000 ms, default 500.
    pub timeout: Duration,
    /// `max_clock_skew_ms`: how far the clock may be set forward while the service runs. 500 to 60000 ms, default 5000.
    pub max_clock_skew: Duration,
}

impl MemoryConfig {
    /// Reads the keys of the memory store.
    ///
    /// # Errors
    /// [`KeyError`] for the first invalid key.
    pub(super) fn read(
        table: &Table<'_>,
        timeout: Duration,
        max_clock_skew: Duration,
        status_retention_seconds: u32,
    ) -> Result<Self, KeyError> {
        Ok(Self {
            max_quotes: table
                .field("max_quotes")
                .or(default_max_quotes(table.environment().memory_bytes()), |field| {
                    field.integer(1..=MAX_QUOTES, " quotes")
                })?,
            is_max_quotes_default: !table.field("max_quotes").is_present(),
            ledger_file: table.field("ledger_file").optional(ledger_file)?,
            state_directory: table.field("state_dir").optional(directory)?,
            status_retention_seconds,
            timeout,
            max_clock_skew,
        })
    }
}

/// Maximum of `max_quotes`.
const MAX_QUOTES: u64 = 10_000_000;
/// Minimum of the default, even if little or no memory is reported.
const MIN_DEFAULT_QUOTES: u64 = 100_000;
/// Maximum size of a quote in bytes.
const BYTES_PER_QUOTE: u64 = 1_024;

/// Returns the number of quotes that fit in a quarter of the memory.
fn default_max_quotes(memory: Option<u64>) -> usize {
    let quotes = memory.map_or(MIN_DEFAULT_QUOTES, |bytes| bytes / 4 / BYTES_PER_QUOTE);
    usize::try_from(quotes.clamp(MIN_DEFAULT_QUOTES, MAX_QUOTES)).unwrap_or(usize::MAX)
}

/// Reads the path of a directory. Its existence is checked on use: without it, pauses still work until the process
/// ends.
fn directory(field: Field<'_>) -> Result<PathBuf, KeyError> {
    field.file_path("the path of a directory", |_| true)
}

/// Reads the path of a file that exists or can be created.
fn ledger_file(field: Field<'_>) -> Result<PathBuf, KeyError> {
    field.file_path("the path of a file, in a directory that exists", |path| {
        let is_in_directory = path.parent().is_some_and(|parent| parent.as_os_str().is_empty() || parent.is_dir());
        is_in_directory && path.file_name().is_some() && !path.is_dir()
    })
}

//! `[store]` with `kind = "memory"`.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use super::table::{CommonSettings, MAX_QUOTES, StoreTable};
use crate::document::{
    error::KeyError,
    field::Field,
    values::{
        setting::OptionalSetting as _,
        text::{DirectoryPath, FilePath},
    },
};

/// The store in memory.
pub struct MemoryConfig {
    /// Maximum number of live quotes, signed ones included, up to 1 KiB each.
    pub max_quotes: usize,
    /// Whether `max_quotes` is the default: as many as fit in a quarter of the memory that the process may use.
    pub is_max_quotes_default: bool,
    /// The file that every signature is appended to, as a line of JSON, before it is sent.
    pub ledger_file: Option<PathBuf>,
    /// The directory in which pauses and volatility estimates are kept across restarts. Without one they end with the
    /// process.
    pub state_directory: Option<PathBuf>,
    /// How long the status of a signed quote can be read after its end, for a quarter of `max_quotes` at most.
    pub status_retention_seconds: u32,
    /// Time limit for writing a line of `ledger_file`.
    pub timeout: Duration,
    /// How far the clock may be set forward while the service runs.
    pub max_clock_skew: Duration,
}

impl MemoryConfig {
    /// Creates the settings of the table at `field`.
    ///
    /// # Errors
    /// [`KeyError`] for a ledger file that could not be created.
    pub(super) fn new(table: StoreTable, common: CommonSettings, field: &Field<'_>) -> Result<Self, KeyError> {
        let resolve = |path: &str| field.environment().resolve(Path::new(path));
        let ledger_file = table.ledger_file.value().map(|FilePath(path)| resolve(&path));
        if ledger_file.as_deref().is_some_and(|path| !is_creatable(path)) {
            let allowed = "the path of a file, in a directory that exists";
            return Err(field.key("ledger_file").not_allowed(allowed));
        }
        Ok(Self {
            is_max_quotes_default: table.max_quotes.is_none(),
            max_quotes: table.max_quotes.value_or(default_max_quotes(field.environment().memory_bytes())),
            ledger_file,
            // Its existence is checked on use: without it, pauses still work until the process ends.
            state_directory: table.state_dir.value().map(|DirectoryPath(path)| resolve(&path)),
            status_retention_seconds: common.status_retention_seconds,
            timeout: common.timeout,
            max_clock_skew: common.max_clock_skew,
        })
    }
}

/// Minimum of the default, even if little or no memory is reported.
const MIN_DEFAULT_QUOTES: u64 = 100_000;
/// Maximum size of a quote in bytes.
const BYTES_PER_QUOTE: u64 = 1_024;

/// Returns the number of quotes that fit in a quarter of the memory.
fn default_max_quotes(memory: Option<u64>) -> usize {
    let quotes = memory.map_or(MIN_DEFAULT_QUOTES, |bytes| bytes / 4 / BYTES_PER_QUOTE);
    usize::try_from(quotes.clamp(MIN_DEFAULT_QUOTES, MAX_QUOTES)).unwrap_or(usize::MAX)
}

/// Whether a path is that of a file that exists or can be created.
fn is_creatable(path: &Path) -> bool {
    let is_in_directory = path.parent().is_some_and(|parent| parent.as_os_str().is_empty() || parent.is_dir());
    is_in_directory && path.file_name().is_some() && !path.is_dir()
}

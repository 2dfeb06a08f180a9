//! `firmquote ledger`: prints issued signatures from the ledger of the configured store. It never modifies a ledger.

mod file;
mod stream;

use std::{
    io::{self, BufWriter, Write as _, stderr},
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context as _, ensure};
use firmquote_config::StoreConfig;
use firmquote_domain::Timestamp;
use firmquote_server::{environment, system_sources};
use firmquote_store::redis::RedisConfig;

use super::output::Output;

/// The place of a ledger.
enum LedgerSource {
    /// A stream in Redis.
    Stream(Box<RedisConfig>),
    File(PathBuf),
}

/// Prints the last `count` entries of the ledger configured in the file at `path` and, with `follow`, new ones.
pub(super) fn tail(path: &Path, count: usize, follow: bool) -> anyhow::Result<()> {
    match LedgerSource::from_config(path)? {
        LedgerSource::Stream(redis) => stream::tail(&redis, count, follow),
        LedgerSource::File(file) => file::tail(&file, count, follow),
    }
}

/// Prints the entries from `from` (inclusive) to `to` (exclusive), all by default.
///
/// # Errors
/// Unless `from` is before `to`, and when the ledger cannot be read.
pub(super) fn export(path: &Path, from: Option<Timestamp>, to: Option<Timestamp>) -> anyhow::Result<()> {
    let range = from.unwrap_or(Timestamp::from_micros(0))..to.unwrap_or(Timestamp::from_micros(u64::MAX));
    ensure!(!range.is_empty(), "--from has to be before --to");
    match LedgerSource::from_config(path)? {
        LedgerSource::Stream(redis) => stream::export(&redis, &range),
        LedgerSource::File(file) => file::export(&file, &range),
    }
}

impl LedgerSource {
    /// Returns the ledger of the store configured in the file at `path`.
    fn from_config(path: &Path) -> anyhow::Result<Self> {
        match StoreConfig::from_file(path, &environment::overrides()?, &system_sources())? {
            StoreConfig::Redis(redis) => Ok(Self::Stream(redis)),
            StoreConfig::Memory(memory) => memory
                .ledger_file
                .map(Self::File)
                .with_context(|| format!("{}: no ledger is configured, set store.ledger_file", path.display())),
        }
    }
}

/// How often `--follow` polls for new entries.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// Buffered standard output with a count of skipped lines.
struct Printer {
    out: BufWriter<Output>,
    skipped: usize,
}

impl Printer {
    /// Locks standard output until the value is dropped.
    fn lock() -> Self {
        Self { out: BufWriter::with_capacity(1 << 16, Output::lock()), skipped: 0 }
    }

    /// Prints an entry; it is written by the next [`Self::flush`] at the latest.
    fn print(&mut self, entry: &[u8]) -> io::Result<()> {
        self.out.write_all(entry)?;
        self.out.write_all(b"\n")
    }

    /// Counts an invalid line.
    const fn skip(&mut self) {
        self.skipped += 1;
    }

    /// Whether the reader has closed the pipe.
    fn is_closed(&self) -> bool {
        self.out.get_ref().is_closed()
    }

    /// Flushes standard output, and reports lines skipped since the last call on standard error.
    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()?;
        if self.skipped > 0 {
            note(&format!("skipped {} invalid lines, possibly left by a crash", self.skipped));
            self.skipped = 0;
        }
        Ok(())
    }
}

/// Prints a message on standard error.
fn note(text: &str) {
    // If standard error is closed, the message is lost.
    drop(writeln!(stderr(), "note: {text}"));
}

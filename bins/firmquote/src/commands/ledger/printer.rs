//! Prints entries, and says what could not be printed.

use std::{
    io::{self, BufWriter, Write as _, stderr},
    time::Duration,
};

use anyhow::ensure;
use firmquote_domain::Timestamp;

use crate::commands::output::Output;

/// A stretch of time.
pub(crate) struct Span {
    /// Its first instant.
    pub(crate) from: Timestamp,
    /// The instant it ends before, if it ends.
    pub(crate) to: Option<Timestamp>,
}

impl Span {
    /// From one instant up to, and without, another; without instants, all time.
    ///
    /// # Errors
    /// When it ends before it begins.
    pub(crate) fn new(from: Option<Timestamp>, to: Option<Timestamp>) -> anyhow::Result<Self> {
        let from = from.unwrap_or(Timestamp::from_micros(0));
        ensure!(to.is_none_or(|to| from < to), "--from has to be before --to");
        Ok(Self { from, to })
    }

    pub(crate) fn contains(&self, instant: Timestamp) -> bool {
        self.from <= instant && self.to.is_none_or(|to| instant < to)
    }
}

/// How long `--follow` waits before it looks for new entries again.
pub(super) const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// Standard output for many lines.
pub(super) struct Printer {
    out: BufWriter<Output>,
    skipped: usize,
}

impl Printer {
    /// All of standard output, until it is dropped.
    pub(super) fn lock() -> Self {
        Self { out: BufWriter::with_capacity(1 << 16, Output::lock()), skipped: 0 }
    }

    /// Prints an entry, at the latest with the next [`Self::flush`].
    pub(super) fn print(&mut self, entry: &[u8]) -> io::Result<()> {
        self.out.write_all(entry)?;
        self.out.write_all(b"\n")
    }

    /// Counts a line that is no entry.
    pub(super) const fn skip(&mut self) {
        self.skipped += 1;
    }

    /// Whether nobody reads what is printed any more.
    pub(super) fn is_closed(&self) -> bool {
        self.out.get_ref().is_closed()
    }

    /// Brings everything to whoever reads it, and what was skipped since the last time to standard error.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()?;
        if self.skipped > 0 {
            note(&format!("lines that are no entries, as a crash leaves them, skipped: {}", self.skipped));
            self.skipped = 0;
        }
        Ok(())
    }
}

/// Tells a person something that is not part of the output.
pub(super) fn note(text: &str) {
    // Nobody is left to tell when standard error is closed.
    drop(writeln!(stderr(), "note: {text}"));
}

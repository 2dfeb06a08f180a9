//! Prints entries, and reports skipped lines.

use std::{
    io::{self, BufWriter, Write as _, stderr},
    time::Duration,
};

use crate::commands::output::Output;

/// How often `--follow` polls for new entries.
pub(super) const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// Buffered standard output with a count of skipped lines.
pub(super) struct Printer {
    out: BufWriter<Output>,
    skipped: usize,
}

impl Printer {
    /// Locks standard output until the value is dropped.
    pub(super) fn lock() -> Self {
        Self { out: BufWriter::with_capacity(1 << 16, Output::lock()), skipped: 0 }
    }

    /// Prints an entry; it is written by the next [`Self::flush`] at the latest.
    pub(super) fn print(&mut self, entry: &[u8]) -> io::Result<()> {
        self.out.write_all(entry)?;
        self.out.write_all(b"\n")
    }

    /// Counts an invalid line.
    pub(super) const fn skip(&mut self) {
        self.skipped += 1;
    }

    /// Whether the reader has closed the pipe.
    pub(super) fn is_closed(&self) -> bool {
        self.out.get_ref().is_closed()
    }

    /// Flushes standard output, and reports lines skipped since the last call on standard error.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()?;
        if self.skipped > 0 {
            note(&format!("skipped {} invalid lines, possibly left by a crash", self.skipped));
            self.skipped = 0;
        }
        Ok(())
    }
}

/// Prints a message on standard error.
pub(in crate::commands) fn note(text: &str) {
    // If standard error is closed, the message is lost.
    drop(writeln!(stderr(), "note: {text}"));
}

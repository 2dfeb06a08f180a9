//! Standard output for commands that print a result and exit.

use std::{
    fmt::Display,
    io::{self, ErrorKind, StdoutLock, Write, stdout},
};

use anyhow::Context as _;

/// Standard output. Once the reader closes the pipe, as with `| head -1`, further writes are silently discarded.
pub(super) struct Output {
    stdout: StdoutLock<'static>,
    is_closed: bool,
}

/// Prints the whole result of a command.
pub(super) fn print(text: impl Display) -> anyhow::Result<()> {
    let mut out = Output::lock();
    write!(out, "{text}")?;
    Ok(out.flush()?)
}

/// Prints a secret, which is shown only once: a closed pipe is an error like any other.
pub(super) fn print_secret(text: impl Display) -> anyhow::Result<()> {
    let mut out = stdout().lock();
    write!(out, "{text}").and_then(|()| out.flush()).context("cannot show the secret")
}

impl Output {
    /// Locks standard output until the value is dropped.
    pub(super) fn lock() -> Self {
        Self { stdout: stdout().lock(), is_closed: false }
    }

    /// Whether a write found the pipe closed by its reader.
    pub(super) const fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Returns the result of a write, or `done` if the pipe is closed.
    fn ignore_broken_pipe<T>(&mut self, written: io::Result<T>, done: T) -> io::Result<T> {
        match written {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                self.is_closed = true;
                Ok(done)
            }
            written => written,
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.stdout.write(bytes);
        self.ignore_broken_pipe(written, bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.stdout.flush();
        self.ignore_broken_pipe(flushed, ())
    }
}

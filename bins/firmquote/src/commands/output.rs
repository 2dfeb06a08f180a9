//! Standard output of commands that show something and end.

use std::io::{self, ErrorKind, StdoutLock, Write, stdout};

/// Standard output. When nobody reads it any more, as after `| head -1`, the rest goes nowhere and is no error.
pub(super) struct Output {
    stdout: StdoutLock<'static>,
    is_closed: bool,
}

impl Output {
    /// All of standard output, until it is dropped.
    pub(super) fn lock() -> Self {
        Self { stdout: stdout().lock(), is_closed: false }
    }

    /// Whether a write found that nobody reads it any more.
    pub(super) const fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// What became of a write; `done` if the reader has gone.
    fn unless_closed<T>(&mut self, written: io::Result<T>, done: T) -> io::Result<T> {
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
        self.unless_closed(written, bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.stdout.flush();
        self.unless_closed(flushed, ())
    }
}

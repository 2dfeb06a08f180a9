//! Standard output of commands that show something and end.

use std::io::{self, ErrorKind, StdoutLock, Write, stdout};

/// Standard output. When nobody reads it any more, as after `| head -1`, the rest goes nowhere and is no error.
pub(super) struct Output(StdoutLock<'static>);

impl Output {
    /// All of standard output, until it is dropped.
    pub(super) fn lock() -> Self {
        Self(stdout().lock())
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        unless_closed(self.0.write(bytes), bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        unless_closed(self.0.flush(), ())
    }
}

/// What became of a write; `done` if the reader has gone.
fn unless_closed<T>(written: io::Result<T>, done: T) -> io::Result<T> {
    match written {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(done),
        written => written,
    }
}

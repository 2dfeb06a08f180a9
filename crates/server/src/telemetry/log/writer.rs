//! Writes log lines to standard error through a buffer that a dedicated thread drains in batches.
//!
//! Logging never blocks on the reader of standard error. When nothing reads it, the buffer fills up and further lines
//! are dropped; their number is logged as soon as lines are read again.

use std::{
    io::{self, Write},
    mem,
    sync::Arc,
    thread,
    time::Duration,
};

use parking_lot::{Condvar, Mutex};
use tracing_subscriber::fmt::MakeWriter;

/// Maximum buffered bytes; some 20,000 lines.
const MAX_BYTES: usize = 8 << 20;

/// How long lines are collected before they are written.
const BATCH_DELAY: Duration = Duration::from_millis(2);

/// Time limit for writing the last lines when the process ends.
const FLUSH_TIMEOUT: Duration = Duration::from_secs(1);

/// The sending half of the buffer. Cheap to clone; all clones fill one buffer.
#[derive(Clone)]
pub(crate) struct Lines(Arc<Shared>);

/// Handle of the writer thread. Dropping it writes the remaining lines and ends the thread.
#[must_use = "lines are written for as long as this value lives"]
pub struct LogWriter(Arc<Shared>);

#[derive(Default)]
struct Shared {
    buffer: Mutex<LogBuffer>,
    /// The buffer has become non-empty, or no more lines will come.
    has_lines: Condvar,
    /// No more lines will come.
    is_closing: Condvar,
    /// All lines are written.
    is_done: Condvar,
}

#[derive(Default)]
struct LogBuffer {
    bytes: Vec<u8>,
    dropped: u64,
    is_closed: bool,
    is_done: bool,
}

/// Starts a thread that writes lines to `output`, and calls `report_dropped` with the number of dropped lines once
/// there is room again.
///
/// # Errors
/// [`io::Error`] when the thread cannot be started.
pub(crate) fn write_to(
    output: impl Write + Send + 'static,
    report_dropped: impl Fn(u64) + Send + 'static,
) -> io::Result<(Lines, LogWriter)> {
    let shared = Arc::new(Shared::default());
    let written = Arc::clone(&shared);
    thread::Builder::new().name("log".to_owned()).spawn(move || written.write_to(output, report_dropped))?;
    Ok((Lines(Arc::clone(&shared)), LogWriter(shared)))
}

impl Shared {
    /// Appends a line, or drops it when the buffer is full.
    fn take(&self, line: &[u8]) {
        let mut buffer = self.buffer.lock();
        if buffer.bytes.len() + line.len() > MAX_BYTES {
            buffer.dropped = buffer.dropped.saturating_add(1);
            return;
        }
        let is_first = buffer.bytes.is_empty();
        buffer.bytes.extend_from_slice(line);
        drop(buffer);
        if is_first {
            self.has_lines.notify_one();
        }
    }

    /// Writes lines until no more will come, and reports dropped lines whenever there were some.
    fn write_to(&self, mut output: impl Write, report_dropped: impl Fn(u64)) {
        let mut batch = Vec::new();
        while self.gather(&mut batch, &report_dropped) {
            // A failure of standard error cannot be reported anywhere.
            let _ = output.write_all(&batch).and_then(|()| output.flush());
            batch.clear();
            batch.shrink_to(MAX_BYTES / 8);
        }
        self.buffer.lock().is_done = true;
        self.is_done.notify_all();
    }

    /// Waits for lines and takes all of them; `false` when everything is written and no more will come.
    fn gather(&self, batch: &mut Vec<u8>, report_dropped: impl Fn(u64)) -> bool {
        let is_idle = |buffer: &mut LogBuffer| buffer.bytes.is_empty() && !buffer.is_closed;
        let mut buffer = self.buffer.lock();
        self.has_lines.wait_while(&mut buffer, is_idle);
        self.is_closing.wait_while_for(&mut buffer, |buffer| !buffer.is_closed, BATCH_DELAY);
        mem::swap(&mut buffer.bytes, batch);
        let dropped = mem::take(&mut buffer.dropped);
        drop(buffer);
        if dropped > 0 {
            // Logged as a separate line, in the next batch.
            report_dropped(dropped);
        }
        !batch.is_empty()
    }
}

impl<'l> MakeWriter<'l> for Lines {
    type Writer = Line<'l>;

    fn make_writer(&'l self) -> Line<'l> {
        Line(&self.0)
    }
}

/// Writer of one line, which arrives in a single write.
pub(crate) struct Line<'l>(&'l Shared);

impl Write for Line<'_> {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.0.take(line);
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for LogWriter {
    /// Waits until the last lines are written, for a limited time: standard error may not be read.
    fn drop(&mut self) {
        let mut buffer = self.0.buffer.lock();
        buffer.is_closed = true;
        self.0.has_lines.notify_one();
        self.0.is_closing.notify_one();
        self.0.is_done.wait_while_for(&mut buffer, |buffer| !buffer.is_done, FLUSH_TIMEOUT);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, Sender, channel};

    use super::*;

    /// A writer that passes on one batch at a time, once permitted.
    struct WriteGate {
        let_through: Receiver<()>,
        written: Sender<Vec<u8>>,
    }

    impl Write for WriteGate {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            // The receiver may be gone: it has seen enough.
            let _ = self.let_through.recv();
            let _ = self.written.send(bytes.to_vec());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn gate() -> (WriteGate, Sender<()>, Receiver<Vec<u8>>) {
        let ((open, let_through), (written, received)) = (channel(), channel());
        (WriteGate { let_through, written }, open, received)
    }

    #[test]
    fn lines_are_written_whole_and_in_order() {
        let (gate, open, received) = gate();
        drop(open);
        let (lines, writing) = write_to(gate, |_| ()).unwrap();
        for number in 0..1_000 {
            writeln!(lines.make_writer(), "{number}").unwrap();
        }
        drop(writing);
        let all: Vec<u8> = received.iter().flatten().collect();
        let expected: String = (0..1_000).map(|number| format!("{number}\n")).collect();
        assert_eq!(String::from_utf8(all).unwrap(), expected);
    }

    #[test]
    fn without_a_reader_lines_are_dropped_and_counted_without_blocking() {
        let (gate, open, received) = gate();
        let (losses, lost) = channel();
        let (lines, writing) = write_to(gate, move |dropped| losses.send(dropped).unwrap()).unwrap();
        let line = [b'x'; 1 << 20];
        for _ in 0..100 {
            lines.make_writer().write_all(&line).unwrap();
        }
        drop(open);
        drop(writing);
        let all: Vec<u8> = received.iter().flatten().collect();
        let written_mib = all.iter().filter(|byte| **byte == b'x').count() >> 20;
        assert!(
            (8..=16).contains(&written_mib) && lost.iter().sum::<u64>() == 100 - written_mib as u64,
            "{written_mib} kept"
        );
    }
}

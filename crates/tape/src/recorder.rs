//! Records rows on a thread of its own: whoever records never waits. What cannot be written is counted, and stands on the
//! tape as a gap before the next row.

use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
        mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use firmquote_domain::{Clock, Timestamp};

use crate::{GapRow, Row, TapeDirectory, TapeError, TapeWriter};

/// Batches that may wait for the disk.
const MAX_QUEUED: usize = 1_024;
/// How long rows are collected for a batch at most.
const BATCH_INTERVAL: Duration = Duration::from_secs(1);
/// The time between two attempts to remove old segments, in seconds.
const REMOVAL_INTERVAL_SECONDS: u64 = 3_600;

/// Records the rows of a table until it is closed or dropped.
pub struct TapeRecorder<R> {
    sender: Mutex<Option<SyncSender<Vec<R>>>>,
    counts: TapeCounts,
    thread: Mutex<Option<JoinHandle<()>>>,
}

/// The numbers of rows that a recorder wrote and lost so far.
#[derive(Clone, Debug, Default)]
pub struct TapeCounts(Arc<Counts>);

#[derive(Debug, Default)]
struct Counts {
    written: AtomicU64,
    lost: AtomicU64,
}

impl TapeCounts {
    /// Returns the number of rows that were written.
    pub fn written(&self) -> u64 {
        self.0.written.load(Ordering::Relaxed)
    }

    /// Returns the number of rows that were lost.
    pub fn lost(&self) -> u64 {
        self.0.lost.load(Ordering::Relaxed)
    }

    fn add_written(&self, rows: u64) {
        self.0.written.fetch_add(rows, Ordering::Relaxed);
    }

    fn add_lost(&self, rows: u64) {
        self.0.lost.fetch_add(rows, Ordering::Relaxed);
    }
}

/// What is called with an error of the tape, and with `None` once it is written again.
pub type ReportError = Box<dyn Fn(Option<&TapeError>) + Send>;

impl<R: Row + Send + 'static> TapeRecorder<R> {
    /// Opens a tape in `directory`, and keeps its segments for `retention_seconds`.
    ///
    /// # Errors
    /// [`TapeError`] when the directory cannot be used.
    pub fn start(
        directory: TapeDirectory,
        retention_seconds: Option<u64>,
        clock: Arc<dyn Clock>,
        report: ReportError,
    ) -> Result<Self, TapeError> {
        let directory = Arc::new(directory);
        let writers = Writers {
            rows: TapeWriter::new(Arc::clone(&directory))?,
            gaps: TapeWriter::new(Arc::clone(&directory))?,
            directory,
            retention_seconds,
            clock,
            report,
            counts: TapeCounts::default(),
            gap: None,
            is_failing: false,
            removed_at: Timestamp::from_micros(0),
        };
        let (sender, receiver) = sync_channel(MAX_QUEUED);
        let counts = writers.counts.clone();
        let thread = thread::Builder::new().name("tape".to_owned()).spawn(move || writers.run(&receiver));
        let thread = thread.map_err(|source| TapeError::File { path: "tape".into(), source })?;
        Ok(Self { sender: Mutex::new(Some(sender)), counts, thread: Mutex::new(Some(thread)) })
    }

    /// Records rows. They are lost, and counted, if the disk has not kept up, and once the tape is closed.
    pub fn record(&self, rows: Vec<R>) {
        let number = count(&rows);
        let sender = locked(&self.sender).clone();
        if sender.is_none_or(|sender| sender.try_send(rows).is_err()) {
            self.counts.add_lost(number);
        }
    }

    /// Returns the numbers of rows, which keep counting.
    pub fn counts(&self) -> TapeCounts {
        self.counts.clone()
    }
}

impl<R> TapeRecorder<R> {
    /// Writes what was recorded, and closes the tape.
    pub fn close(&self) {
        drop(locked(&self.sender).take());
        let thread = locked(&self.thread).take();
        if let Some(thread) = thread {
            // A panic of the thread was reported when it happened.
            drop(thread.join());
        }
    }
}

impl<R> Drop for TapeRecorder<R> {
    fn drop(&mut self) {
        self.close();
    }
}

/// Locks a mutex, which nothing that panics holds.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The state of the thread.
struct Writers<R> {
    directory: Arc<TapeDirectory>,
    rows: TapeWriter<R>,
    gaps: TapeWriter<GapRow>,
    retention_seconds: Option<u64>,
    clock: Arc<dyn Clock>,
    report: ReportError,
    counts: TapeCounts,
    /// The rows that were lost since the last row.
    gap: Option<GapRow>,
    is_failing: bool,
    removed_at: Timestamp,
}

impl<R: Row> Writers<R> {
    fn run(mut self, receiver: &Receiver<Vec<R>>) {
        let (mut pending, mut accounted) = (Vec::new(), 0);
        loop {
            let received = receiver.recv_timeout(BATCH_INTERVAL);
            let is_idle = matches!(received, Err(RecvTimeoutError::Timeout));
            let is_over = matches!(received, Err(RecvTimeoutError::Disconnected));
            pending.extend(received.unwrap_or_default());
            let now = self.clock.now();
            let is_due = pending.first().is_none_or(|first: &R| now.seconds_since(first.time()) >= 1);
            if is_idle || is_over || is_due {
                let lost = self.counts.lost();
                self.extend_gap(lost - accounted, now);
                accounted = lost;
                let written = self.write(&pending, now).and_then(|()| self.remove_old(now));
                accounted += self.finish(written, &pending, now);
                pending.clear();
            }
            if is_over {
                let closed = self.rows.close().and_then(|()| self.gaps.close());
                self.finish(closed, &[], now);
                return;
            }
        }
    }

    /// Writes the gap, then the rows.
    fn write(&mut self, rows: &[R], now: Timestamp) -> Result<(), TapeError> {
        if let Some(gap) = &self.gap {
            self.gaps.write(std::slice::from_ref(gap), now)?;
            self.gap = None;
        }
        self.gaps.write(&[], now)?;
        self.rows.write(rows, now)
    }

    /// Counts the rows of an attempt, and reports the first error and the first success after one. Returns the number of
    /// rows that were lost.
    fn finish(&mut self, written: Result<(), TapeError>, rows: &[R], now: Timestamp) -> u64 {
        let rows = count(rows);
        match written {
            Ok(()) => {
                self.counts.add_written(rows);
                if std::mem::take(&mut self.is_failing) {
                    (self.report)(None);
                }
                0
            }
            Err(error) => {
                self.counts.add_lost(rows);
                self.extend_gap(rows, now);
                if !std::mem::replace(&mut self.is_failing, true) {
                    (self.report)(Some(&error));
                }
                rows
            }
        }
    }

    fn extend_gap(&mut self, rows: u64, now: Timestamp) {
        if rows > 0 {
            let new = || GapRow { from: now, to: now, table: R::TABLE.to_owned(), rows: 0 };
            let gap = self.gap.get_or_insert_with(new);
            gap.to = now;
            gap.rows += rows;
        }
    }

    fn remove_old(&mut self, now: Timestamp) -> Result<(), TapeError> {
        let Some(retention) = self.retention_seconds else { return Ok(()) };
        if now.seconds_since(self.removed_at) < REMOVAL_INTERVAL_SECONDS {
            return Ok(());
        }
        self.removed_at = now;
        let micros = now.as_micros().saturating_sub(retention.saturating_mul(1_000_000));
        self.directory.remove_before(Timestamp::from_micros(micros))
    }
}

fn count<R>(rows: &[R]) -> u64 {
    u64::try_from(rows.len()).unwrap_or(u64::MAX)
}

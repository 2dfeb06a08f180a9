//! Records on a thread of its own: whoever records never waits. What cannot be written is counted, and stands on the tape
//! as a gap before the next row.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
        mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel},
    },
    thread::{self, JoinHandle},
    time::Duration,
};

use firmquote_domain::{Clock, Timestamp};

use crate::{GapRow, Rows, Table, TapeDirectory, TapeError, TapeWriter};

/// Records that may wait for the thread.
const MAX_QUEUED: usize = 16_384;
/// Records that are written together at most.
const MAX_BATCH: usize = 8_192;
/// The delay between two looks at the queue.
const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// Looks for a batch at most: a second.
const POLLS_PER_BATCH: u32 = 50;
/// The nice value of the thread.
#[cfg(target_os = "linux")]
const NICE: i32 = 10;
/// The time between two attempts to remove old segments, in seconds.
const REMOVAL_INTERVAL_SECONDS: u64 = 3_600;

/// Converts records into rows, on the thread of the tape.
pub trait Encoder: Send + 'static {
    /// What is recorded.
    type Record: Send;

    /// Returns the number of rows that a record certainly has: those that are lost with it.
    fn count(record: &Self::Record) -> (Table, u64);

    /// Adds the rows of a record, before them what they name and the segment does not have yet.
    fn encode(&mut self, record: Self::Record, rows: &mut Rows);

    /// Begins another segment: it has nothing yet.
    fn begin_segment(&mut self);
}

/// Records until it is closed or dropped. Shared by all threads; none waits for another.
pub struct TapeRecorder<E: Encoder> {
    sender: SyncSender<Message<E::Record>>,
    is_closed: AtomicBool,
    is_failing: Arc<AtomicBool>,
    counts: TapeCounts,
    thread: Mutex<Option<JoinHandle<()>>>,
}

/// How a tape is recorded.
pub struct RecorderOptions {
    /// How long closed segments are retained; forever if absent.
    pub retention_seconds: Option<u64>,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// What is called with errors.
    pub report: ReportError,
}

/// What is called with an error of the tape, and with `None` once it is written again.
pub type ReportError = Box<dyn Fn(Option<&TapeError>) + Send>;

enum Message<T> {
    Record(T),
    Close,
}

/// The numbers of rows of each table that a recorder wrote and lost so far.
#[derive(Clone, Debug, Default)]
pub struct TapeCounts(Arc<[Counts; Table::ALL.len()]>);

#[derive(Debug, Default)]
struct Counts {
    written: AtomicU64,
    lost: AtomicU64,
}

impl TapeCounts {
    /// Returns the number of rows of a table that were written.
    pub fn written(&self, table: Table) -> u64 {
        self.table(table).map_or(0, |counts| counts.written.load(Ordering::Relaxed))
    }

    /// Returns the number of rows of a table that were lost.
    pub fn lost(&self, table: Table) -> u64 {
        self.table(table).map_or(0, |counts| counts.lost.load(Ordering::Relaxed))
    }

    fn add_lost(&self, table: Table, rows: u64) {
        if let Some(counts) = self.table(table) {
            counts.lost.fetch_add(rows, Ordering::Relaxed);
        }
    }

    fn add_written(&self, rows: &Rows) {
        for (table, counts) in Table::ALL.iter().zip(&*self.0) {
            counts.written.fetch_add(number(rows.len(*table)), Ordering::Relaxed);
        }
    }

    fn table(&self, table: Table) -> Option<&Counts> {
        self.0.get(table as usize)
    }
}

impl<E: Encoder> TapeRecorder<E> {
    /// Opens a tape in `directory`.
    ///
    /// # Errors
    /// [`TapeError`] when the directory cannot be used.
    pub fn start(directory: TapeDirectory, encoder: E, options: RecorderOptions) -> Result<Self, TapeError> {
        let directory = Arc::new(directory);
        let (counts, is_failing) = (TapeCounts::default(), Arc::new(AtomicBool::new(false)));
        let recording = Recording {
            writer: TapeWriter::new(Arc::clone(&directory))?,
            directory,
            encoder,
            options,
            counts: counts.clone(),
            accounted: [0; Table::ALL.len()],
            gaps: Vec::new(),
            is_failing: Arc::clone(&is_failing),
            removed_at: Timestamp::from_micros(0),
        };
        let (sender, receiver) = sync_channel(MAX_QUEUED);
        let thread = thread::Builder::new().name("tape".to_owned()).spawn(move || recording.run(&receiver));
        let thread = thread.map_err(|source| TapeError::File { path: "tape".into(), source })?;
        let (is_closed, thread) = (AtomicBool::new(false), Mutex::new(Some(thread)));
        Ok(Self { sender, is_closed, is_failing, counts, thread })
    }

    /// Records. It is lost, and counted, if the disk has not kept up, and once the tape is closed.
    pub fn record(&self, record: E::Record) {
        let (table, rows) = E::count(&record);
        let is_closed = self.is_closed.load(Ordering::Relaxed);
        if is_closed || self.sender.try_send(Message::Record(record)).is_err() {
            self.counts.add_lost(table, rows);
        }
    }

    /// Returns the numbers of rows, which keep counting.
    pub fn counts(&self) -> TapeCounts {
        self.counts.clone()
    }

    /// Returns whether the last attempt to write rows failed.
    pub fn is_failing(&self) -> bool {
        self.is_failing.load(Ordering::Relaxed)
    }

    /// Writes what was recorded, and closes the tape.
    pub fn close(&self) {
        self.is_closed.store(true, Ordering::Relaxed);
        // Nothing that panics holds the lock.
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = thread {
            // Neither fails unless the thread has panicked, which was reported when it happened.
            drop(self.sender.send(Message::Close));
            drop(thread.join());
        }
    }
}

impl<E: Encoder> Drop for TapeRecorder<E> {
    fn drop(&mut self) {
        self.close();
    }
}

/// The state of the thread.
struct Recording<E> {
    directory: Arc<TapeDirectory>,
    writer: TapeWriter,
    encoder: E,
    options: RecorderOptions,
    counts: TapeCounts,
    /// The numbers of lost rows that stand on the tape, or are in `gaps`.
    accounted: [u64; Table::ALL.len()],
    /// The rows that were lost since the last row.
    gaps: Vec<GapRow>,
    is_failing: Arc<AtomicBool>,
    removed_at: Timestamp,
}

impl<E: Encoder> Recording<E> {
    fn run(mut self, receiver: &Receiver<Message<E::Record>>) {
        lower_priority();
        let mut is_open = true;
        while is_open {
            let mut records = Vec::new();
            is_open = collect(receiver, &mut records);
            let now = self.options.clock.now();
            self.write(records, now);
        }
        let closed = self.writer.close();
        self.report(closed.as_ref().err());
    }

    /// Writes records, and before them the rows that were lost.
    fn write(&mut self, records: Vec<E::Record>, now: Timestamp) {
        let mut rows = Rows::default();
        for record in records {
            self.encoder.encode(record, &mut rows);
        }
        self.extend_gaps(now);
        rows.gaps.clone_from(&self.gaps);
        let written = self.writer.write(&rows, now);
        if !matches!(written, Ok(true)) {
            self.encoder.begin_segment();
        }
        match &written {
            Ok(_) => {
                self.gaps.clear();
                self.counts.add_written(&rows);
            }
            Err(_) => {
                for table in [Table::Prices, Table::Levels, Table::Requests, Table::Blocks, Table::Changes] {
                    self.counts.add_lost(table, number(rows.len(table)));
                }
                self.extend_gaps(now);
            }
        }
        let removed = self.remove_old(now);
        self.report(written.err().or(removed.err()).as_ref());
    }

    /// Reports the first error, and the first success after one.
    fn report(&mut self, error: Option<&TapeError>) {
        if error.is_some() != self.is_failing.swap(error.is_some(), Ordering::Relaxed) {
            (self.options.report)(error);
        }
    }

    /// Extends the gaps by the rows that were lost since the last call.
    fn extend_gaps(&mut self, now: Timestamp) {
        for (table, accounted) in Table::ALL.iter().copied().zip(&mut self.accounted) {
            let lost = self.counts.lost(table);
            let rows = lost - std::mem::replace(accounted, lost);
            if rows == 0 {
                continue;
            }
            match self.gaps.iter_mut().find(|gap| gap.table == table.name()) {
                Some(gap) => (gap.to, gap.rows) = (now, gap.rows + rows),
                None => self.gaps.push(GapRow { from: now, to: now, table: table.name().to_owned(), rows }),
            }
        }
    }

    fn remove_old(&mut self, now: Timestamp) -> Result<(), TapeError> {
        let Some(retention) = self.options.retention_seconds else { return Ok(()) };
        if now.seconds_since(self.removed_at) < REMOVAL_INTERVAL_SECONDS {
            return Ok(());
        }
        self.removed_at = now;
        let micros = now.as_micros().saturating_sub(retention.saturating_mul(1_000_000));
        self.directory.remove_before(Timestamp::from_micros(micros))
    }
}

/// Lets every other thread run first: when all processors are busy, rows are lost before requests wait.
#[cfg(target_os = "linux")]
fn lower_priority() {
    // On Linux, the nice value is that of a thread. Without it, requests and rows compete.
    rustix::process::setpriority_process(Some(rustix::thread::gettid()), NICE).ok();
}

#[cfg(not(target_os = "linux"))]
const fn lower_priority() {}

/// Collects the records of up to a second. Returns whether more may follow.
///
/// Waits for the first one only, and then looks now and then: waking a waiting thread would cost whoever records a system
/// call.
fn collect<T>(receiver: &Receiver<Message<T>>, records: &mut Vec<T>) -> bool {
    match receiver.recv_timeout(POLL_INTERVAL * POLLS_PER_BATCH) {
        Ok(Message::Record(record)) => records.push(record),
        Err(RecvTimeoutError::Timeout) => return true,
        Ok(Message::Close) | Err(RecvTimeoutError::Disconnected) => return false,
    }
    for _ in 0..POLLS_PER_BATCH {
        while records.len() < MAX_BATCH {
            match receiver.try_recv() {
                Ok(Message::Record(record)) => records.push(record),
                Err(TryRecvError::Empty) => break,
                Ok(Message::Close) | Err(TryRecvError::Disconnected) => return false,
            }
        }
        if records.len() >= MAX_BATCH {
            break;
        }
        thread::sleep(POLL_INTERVAL);
    }
    true
}

fn number(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

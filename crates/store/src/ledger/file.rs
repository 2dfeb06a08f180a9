//! The ledger file: an append returns only once its line is on disk.
//!
//! A single thread writes. Lines that arrive during a sync are written as one batch with one sync. A line whose caller
//! gave up meanwhile is removed again: its signature does not leave the service, and the next attempt writes it again.

use std::{
    fs::File,
    io::{self, BufRead as _, BufReader},
    path::Path,
    sync::{Arc, OnceLock},
    thread,
    time::Duration,
};

use alloy_primitives::keccak256;

use tokio::{
    sync::{mpsc, oneshot},
    time::timeout,
};

use super::{LedgerFault, lines::Lines};
use crate::{StoreError, events::LineLog};

/// The capacity of the queue; further callers wait to enqueue.
const QUEUE_CAPACITY: usize = 1_024;

/// A file that one process appends lines to. Its writer thread ends when it is dropped.
#[derive(Debug)]
pub struct LedgerFile {
    pending: mpsc::Sender<PendingAppend>,
    timeout: Duration,
    /// The lines that are on disk.
    log: Arc<LineLog>,
    /// Identifies the file by its first line; `None` while it is empty.
    generation: Arc<OnceLock<String>>,
    /// Whether it was empty when it was opened.
    began_empty: bool,
}

/// A request that waits for the disk.
#[derive(Debug)]
struct PendingAppend {
    /// The line to write; `None` to only check that a line could be written.
    line: Option<String>,
    done: oneshot::Sender<Result<(), LedgerFault>>,
}

impl LedgerFile {
    /// Opens the file at `path`, or creates it with mode 0600, and locks it. A last line without a newline, as left by
    /// a crash, is terminated. Appends fail if the disk takes longer than `timeout`.
    ///
    /// # Errors
    /// When the file can be neither opened nor created, when another process holds it, and when the thread cannot be
    /// spawned.
    pub fn open(path: &Path, timeout: Duration) -> io::Result<Self> {
        let lines = Lines::open(path)?;
        let log = Arc::new(LineLog::new(Some(path.to_owned()), lines.length()?));
        let generation = Arc::new(OnceLock::new());
        if let Some(first) = first_line(path)? {
            generation.get_or_init(|| identity(&first));
        }
        let began_empty = generation.get().is_none();
        let (file, pending) = Self::with_queue(timeout, Arc::clone(&log), Arc::clone(&generation));
        let file = Self { began_empty, ..file };
        thread::Builder::new().name("ledger".to_owned()).spawn(move || serve(lines, pending, &log, &generation))?;
        Ok(file)
    }

    fn with_queue(
        timeout: Duration,
        log: Arc<LineLog>,
        generation: Arc<OnceLock<String>>,
    ) -> (Self, mpsc::Receiver<PendingAppend>) {
        let (sender, pending) = mpsc::channel(QUEUE_CAPACITY);
        (Self { pending: sender, timeout, log, generation, began_empty: false }, pending)
    }

    /// Returns the lines that are on disk.
    pub(crate) const fn log(&self) -> &Arc<LineLog> {
        &self.log
    }

    /// Identifies the file: 32 hexadecimal digits, zeros while it is empty.
    pub(crate) fn generation(&self) -> String {
        self.generation.get().cloned().unwrap_or_else(empty)
    }

    /// Whether a cursor of this generation is one of this file: also one from before its first line.
    pub(crate) fn has_generation(&self, generation: &str) -> bool {
        generation == self.generation() || self.began_empty && generation == empty()
    }

    /// Appends a line and returns once it is on disk.
    ///
    /// # Errors
    /// [`StoreError::Ledger`] when the write fails or the disk takes too long; no part of the line is left in the file.
    pub async fn append(&self, line: String) -> Result<(), StoreError> {
        self.enqueue(Some(line)).await
    }

    /// Checks that a line could be written now.
    ///
    /// # Errors
    /// [`StoreError::Ledger`] when it could not.
    pub async fn ping(&self) -> Result<(), StoreError> {
        self.enqueue(None).await
    }

    async fn enqueue(&self, line: Option<String>) -> Result<(), StoreError> {
        let (done, mut written) = oneshot::channel();
        let answer = timeout(self.timeout, async {
            self.pending.send(PendingAppend { line, done }).await.ok()?;
            (&mut written).await.ok()
        });
        let outcome = match answer.await {
            Ok(outcome) => outcome.unwrap_or(Err(LedgerFault::Ended)),
            Err(_) => {
                written.close();
                // The outcome may have arrived just now.
                written.try_recv().unwrap_or(Err(LedgerFault::TooSlow(self.timeout)))
            }
        };
        outcome.map_err(|fault| StoreError::Ledger(Box::new(fault)))
    }
}

/// Writes batches until all senders are dropped.
fn serve(mut lines: Lines, mut pending: mpsc::Receiver<PendingAppend>, log: &LineLog, generation: &OnceLock<String>) {
    let mut batch = Vec::new();
    while pending.blocking_recv_many(&mut batch, QUEUE_CAPACITY) > 0 {
        let outcome = write_batch(&mut lines, &mut batch);
        if outcome.is_ok() {
            publish(&lines, &batch, log, generation);
        }
        for PendingAppend { done, .. } in batch.drain(..) {
            // A caller that gave up in between writes its line twice with its next attempt, at worst.
            drop(done.send(outcome.clone()));
        }
    }
}

/// Adds the lines of a batch that is on disk to the log, with their ends in the file.
fn publish(lines: &Lines, batch: &[PendingAppend], log: &LineLog, generation: &OnceLock<String>) {
    let written: Vec<&str> = batch.iter().filter_map(|pending| pending.line.as_deref()).collect();
    let size = |line: &str| u64::try_from(line.len() + 1).unwrap_or(0);
    // A device or a pipe has none.
    let length = lines.length().ok().filter(|length| *length > 0);
    let mut end = length.map(|end| end.saturating_sub(written.iter().map(|line| size(line)).sum()));
    for line in written {
        end = end.map(|end| end + size(line));
        generation.get_or_init(|| identity(line.as_bytes()));
        log.push(line, end);
    }
}

/// Returns the first line of a file; `None` if it has none.
fn first_line(path: &Path) -> io::Result<Option<Vec<u8>>> {
    // A pipe could not be read without a writer.
    if !path.is_file() {
        return Ok(None);
    }
    let mut line = Vec::new();
    BufReader::new(File::open(path)?).read_until(b'\n', &mut line)?;
    Ok((!line.trim_ascii().is_empty()).then(|| line.trim_ascii().to_vec()))
}

/// The generation of an empty file.
fn empty() -> String {
    "0".repeat(32)
}

/// Returns the first 32 hexadecimal digits of the hash of a line.
fn identity(line: &[u8]) -> String {
    keccak256(line).iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

/// Writes the lines of the callers that are still waiting once they are on disk, and drops all others from `batch`.
fn write_batch(lines: &mut Lines, batch: &mut Vec<PendingAppend>) -> Result<(), LedgerFault> {
    loop {
        batch.retain(|pending| !pending.done.is_closed());
        if batch.is_empty() {
            return Ok(());
        }
        let before = lines.length()?;
        let text: String = batch
            .iter()
            .filter_map(|pending| pending.line.as_deref())
            .fold(String::new(), |lines, line| lines + line + "\n");
        if batch.iter().any(|pending| pending.line.is_none()) {
            lines.probe()?;
        }
        if text.is_empty() {
            return Ok(());
        }
        lines.append(&text)?;
        if !batch.iter().any(|pending| pending.done.is_closed()) {
            return Ok(());
        }
        // Before any caller is notified: the lines are contiguous, so all are removed and written again without this
        // one.
        lines.truncate_to(before)?;
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn pending(line: &str) -> (PendingAppend, oneshot::Receiver<Result<(), LedgerFault>>) {
        let (done, written) = oneshot::channel();
        (PendingAppend { line: Some(line.to_owned()), done }, written)
    }

    #[tokio::test]
    async fn a_line_whose_caller_cancelled_before_the_write_is_not_written() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("ledger");
        let lines = Lines::open(&path).unwrap();
        let log = Arc::new(LineLog::new(None, 0));
        let (file, queue) = LedgerFile::with_queue(Duration::from_millis(1), Arc::clone(&log), Arc::default());
        let refused = file.append("given up".to_owned()).await;
        assert_eq!(refused.unwrap_err().to_string(), "no entry was written to the ledger file within 1 ms");
        drop(file);
        thread::spawn(move || serve(lines, queue, &log, &OnceLock::new())).join().unwrap();
        assert_eq!(fs::read_to_string(path).unwrap(), "");
    }

    #[test]
    fn lines_of_cancelled_callers_are_omitted_from_a_batch() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("ledger");
        let mut lines = Lines::open(&path).unwrap();
        let ((one, _one), (two, gone), (three, _three)) = (pending("one"), pending("two"), pending("three"));
        drop(gone);
        let mut batch = vec![one, two, three];
        write_batch(&mut lines, &mut batch).unwrap();
        assert_eq!((batch.len(), fs::read_to_string(path).unwrap().as_str()), (2, "one\nthree\n"));
    }

    #[test]
    fn a_rolled_back_line_is_removed_from_the_file() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("ledger");
        let mut lines = Lines::open(&path).unwrap();
        lines.append("one\n").unwrap();
        let before = lines.length().unwrap();
        lines.append("two\n").unwrap();
        lines.truncate_to(before).unwrap();
        lines.append("three\n").unwrap();
        assert_eq!(fs::read_to_string(path).unwrap(), "one\nthree\n");
    }

    #[test]
    fn a_removed_or_replaced_file_accepts_no_lines() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("ledger");
        let mut lines = Lines::open(&path).unwrap();
        lines.probe().unwrap();
        fs::rename(&path, directory.path().join("rotated")).unwrap();
        fs::write(&path, "").unwrap();
        assert!(matches!(lines.probe(), Err(LedgerFault::Removed)));
        lines.append("still found in the rotated file\n").unwrap();
        fs::remove_file(directory.path().join("rotated")).unwrap();
        assert!(matches!(lines.append("lost\n"), Err(LedgerFault::Removed)));
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1, "probes leave no file behind");
    }
}

//! The ledger in a file: lines that are on the disk before anybody is told so.
//!
//! One thread writes. What arrives while it waits for the disk is written together and forced to the disk once.

use std::{
    fs::{File, OpenOptions},
    io::{self, Read as _, Seek as _, SeekFrom, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::Path,
    sync::Arc,
    thread,
};

use tokio::sync::{mpsc, oneshot};

use crate::StoreError;

/// Lines that may wait for the disk; who comes later waits before.
const QUEUE: usize = 1_024;

/// A file that lines are appended to. Its thread ends with it.
#[derive(Debug)]
pub struct LedgerFile {
    lines: mpsc::Sender<Waiting>,
}

/// A line, and whoever waits until it is on the disk.
#[derive(Debug)]
struct Waiting {
    line: String,
    done: oneshot::Sender<Result<(), Arc<io::Error>>>,
}

impl LedgerFile {
    /// Opens the file at `path`, or makes one that only its owner may read and write. A last line without an end, as a
    /// crash leaves it, is ended.
    ///
    /// # Errors
    /// When the file can be neither opened nor made, and when there is no thread for it.
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut file = OpenOptions::new().read(true).append(true).create(true).mode(0o600).open(path)?;
        let is_torn = file.metadata()?.len() > 0 && !ends_with_line(&mut file)?;
        let (lines, waiting) = mpsc::channel(QUEUE);
        thread::Builder::new().name("ledger".to_owned()).spawn(move || write_all(Lines { file, is_torn }, waiting))?;
        Ok(Self { lines })
    }

    /// Appends a line and returns once it is on the disk.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when the file does not take it; nothing of it is left in the file then.
    pub async fn append(&self, line: String) -> Result<(), StoreError> {
        let gone = || StoreError::Unavailable("the ledger's thread has ended".into());
        let (done, written) = oneshot::channel();
        self.lines.send(Waiting { line, done }).await.map_err(|_| gone())?;
        written.await.map_err(|_| gone())?.map_err(|error| StoreError::Unavailable(Box::new(error)))
    }
}

fn ends_with_line(file: &mut File) -> io::Result<bool> {
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}

/// The file, and whether its last line has no end.
struct Lines {
    file: File,
    is_torn: bool,
}

impl Lines {
    /// Writes `lines` and forces them to the disk, all or none.
    fn append(&mut self, lines: &str) -> io::Result<()> {
        if self.is_torn {
            self.file.write_all(b"\n")?;
            self.is_torn = false;
        }
        let before = self.file.metadata()?.len();
        let written = self.file.write_all(lines.as_bytes()).and_then(|()| self.file.sync_data());
        if written.is_err() {
            // What is cut off here was promised to nobody.
            self.is_torn = self.file.set_len(before).is_err();
        }
        written
    }
}

/// Writes until nobody is left who could send a line.
fn write_all(mut file: Lines, mut waiting: mpsc::Receiver<Waiting>) {
    let mut together = Vec::new();
    while waiting.blocking_recv_many(&mut together, QUEUE) > 0 {
        let lines: String = together.iter().flat_map(|waiting| [waiting.line.as_str(), "\n"]).collect();
        let outcome = file.append(&lines).map_err(Arc::new);
        for Waiting { done, .. } in together.drain(..) {
            // Who no longer waits asked for nothing else.
            drop(done.send(outcome.clone()));
        }
    }
}

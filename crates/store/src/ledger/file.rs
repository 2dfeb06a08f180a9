//! The ledger in a file: lines that are on the disk before anybody is told so.
//!
//! One thread writes. What arrives while it waits for the disk is written together and forced to the disk once.

use std::{
    fs::{File, OpenOptions, TryLockError},
    io::{self, Read as _, Seek as _, SeekFrom, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::Path,
    sync::Arc,
    thread,
    time::Duration,
};

use tokio::{
    sync::{mpsc, oneshot},
    time::timeout,
};

use crate::StoreError;

/// Lines that may wait for the disk; who comes later waits before.
const QUEUE: usize = 1_024;

/// A file that lines are appended to, by one process. Its thread ends with it.
#[derive(Debug)]
pub struct LedgerFile {
    waiting: mpsc::Sender<Waiting>,
    timeout: Duration,
}

/// Somebody who waits for the disk.
#[derive(Debug)]
struct Waiting {
    /// What is to be written; nothing to only know whether it could be.
    line: Option<String>,
    done: oneshot::Sender<Result<(), Arc<io::Error>>>,
}

impl LedgerFile {
    /// Opens the file at `path`, or makes one that only its owner may read and write, and locks it. A last line without
    /// an end, as a crash leaves it, is ended. The disk has `timeout` to take a line.
    ///
    /// # Errors
    /// When the file can be neither opened nor made, when another process holds it, and when there is no thread for it.
    pub fn open(path: &Path, timeout: Duration) -> io::Result<Self> {
        let mut file = OpenOptions::new().read(true).append(true).create(true).mode(0o600).open(path)?;
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => io::Error::new(io::ErrorKind::WouldBlock, "another process appends to it"),
            TryLockError::Error(error) => error,
        })?;
        if let Some(directory) = path.parent().filter(|directory| !directory.as_os_str().is_empty()) {
            // A file that was just made is not there after a crash before its directory is on the disk.
            File::open(directory)?.sync_all()?;
        }
        let is_torn = file.metadata()?.len() > 0 && !ends_with_line(&mut file)?;
        let (sender, waiting) = mpsc::channel(QUEUE);
        thread::Builder::new().name("ledger".to_owned()).spawn(move || serve(Lines { file, is_torn }, waiting))?;
        Ok(Self { waiting: sender, timeout })
    }

    /// Appends a line and returns once it is on the disk.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when the file does not take it, and nothing of it is left in the file then; or when
    /// the disk takes too long, and the line may come later.
    pub async fn append(&self, line: String) -> Result<(), StoreError> {
        self.ask(Some(line)).await
    }

    /// Whether the file would take a line now.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when it would not.
    pub async fn ping(&self) -> Result<(), StoreError> {
        self.ask(None).await
    }

    async fn ask(&self, line: Option<String>) -> Result<(), StoreError> {
        let written = async {
            let (done, written) = oneshot::channel();
            self.waiting.send(Waiting { line, done }).await.ok()?;
            written.await.ok()
        };
        match timeout(self.timeout, written).await {
            Ok(Some(Ok(()))) => Ok(()),
            Ok(Some(Err(error))) => Err(StoreError::Unavailable(Box::new(error))),
            Ok(None) => Err(StoreError::Unavailable("the ledger's thread has ended".into())),
            Err(_) => {
                let waited = self.timeout.as_millis();
                Err(StoreError::Unavailable(format!("the ledger's file took no line within {waited} ms").into()))
            }
        }
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
            self.is_torn = self.cut(before).is_err();
        }
        written
    }

    /// Writes what no reader takes for a line, forces it to the disk, and takes it back.
    fn probe(&mut self) -> io::Result<()> {
        let before = self.file.metadata()?.len();
        self.append("\n")?;
        self.cut(before)
    }

    /// Shortens the file to `length`, if it is longer.
    fn cut(&self, length: u64) -> io::Result<()> {
        if self.file.metadata()?.len() > length { self.file.set_len(length) } else { Ok(()) }
    }
}

/// Writes until nobody is left who could send a line.
fn serve(mut file: Lines, mut waiting: mpsc::Receiver<Waiting>) {
    let mut together = Vec::new();
    while waiting.blocking_recv_many(&mut together, QUEUE) > 0 {
        let lines: String = together
            .iter()
            .filter_map(|waiting| waiting.line.as_deref())
            .fold(String::new(), |lines, line| lines + line + "\n");
        let outcome = if lines.is_empty() { file.probe() } else { file.append(&lines) }.map_err(Arc::new);
        for Waiting { done, .. } in together.drain(..) {
            // Who no longer waits asked for nothing else.
            drop(done.send(outcome.clone()));
        }
    }
}

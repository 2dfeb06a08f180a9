//! The file behind a ledger, with all-or-nothing appends of lines synced to disk, and the faults of such a file.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read as _, Seek as _, SeekFrom, Write as _},
    os::unix::fs::{FileExt as _, MetadataExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use crate::state_files::{create_new, try_lock};

/// The content of a probe: larger than the space left in the last block of a file on a full disk.
const PROBE: [u8; 4_096] = [b'\n'; 4_096];
/// How long a successful probe is trusted.
const PROBE_TTL: Duration = Duration::from_secs(1);

/// A file of lines, locked for this process.
#[derive(Debug)]
pub(super) struct Lines {
    file: File,
    path: PathBuf,
    /// An unlinked file in the same directory; absent if the directory is not writable, or the ledger is not a regular
    /// file.
    probe_file: Option<File>,
    /// Whether the last line lacks its newline.
    is_torn: bool,
    probed_at: Option<Instant>,
}

impl Lines {
    /// Opens the file at `path`, or creates it with mode 0600, and locks it.
    ///
    /// # Errors
    /// When the file can be neither opened nor created, and when another process holds it.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let mut file = OpenOptions::new().read(true).append(true).create(true).mode(0o600).open(path)?;
        try_lock(&file, "another process appends to it")?;
        let path = fs::canonicalize(path)?;
        if let Some(directory) = path.parent() {
            // A new file survives a crash only once its directory is synced.
            File::open(directory)?.sync_all()?;
        }
        let metadata = file.metadata()?;
        let is_torn = metadata.len() > 0 && !ends_with_line(&mut file)?;
        let probe_file = if metadata.is_file() { create_probe_file(&path) } else { None };
        Ok(Self { file, path, probe_file, is_torn, probed_at: None })
    }

    /// The length of the file.
    pub(super) fn length(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    /// Writes `lines` and syncs them to disk, all or none.
    ///
    /// # Errors
    /// [`LedgerFault::Removed`] when the file is unlinked, so that the lines would be lost; otherwise as the write
    /// fails.
    pub(super) fn append(&mut self, lines: &str) -> Result<(), LedgerFault> {
        if self.file.metadata()?.nlink() == 0 {
            return Err(LedgerFault::Removed);
        }
        if self.is_torn {
            self.file.write_all(b"\n")?;
            self.is_torn = false;
        }
        let before = self.length()?;
        let written = self.file.write_all(lines.as_bytes()).and_then(|()| self.file.sync_data());
        if written.is_err() {
            // No append of the lines removed here was reported as successful.
            self.is_torn = self.truncate_if_longer(before).is_err();
        }
        Ok(written?)
    }

    /// Checks that appended lines would end up in the file at the path, and that the disk has more room than the rest
    /// of its last block.
    ///
    /// # Errors
    /// [`LedgerFault`] when appended lines would fail or be lost.
    pub(super) fn probe(&mut self) -> Result<(), LedgerFault> {
        let metadata = self.file.metadata()?;
        let is_same = |there: fs::Metadata| (there.dev(), there.ino()) == (metadata.dev(), metadata.ino());
        if !fs::metadata(&self.path).is_ok_and(is_same) {
            return Err(LedgerFault::Removed);
        }
        if self.probed_at.is_some_and(|at| at.elapsed() < PROBE_TTL) {
            return Ok(());
        }
        match &self.probe_file {
            Some(probe_file) => {
                let written = probe_file.write_all_at(&PROBE, 0).and_then(|()| probe_file.sync_data());
                probe_file.set_len(0)?;
                written?;
            }
            None if metadata.is_file() => {}
            None => self.append("\n")?,
        }
        self.probed_at = Some(Instant::now());
        Ok(())
    }

    /// Truncates the file to `length` and syncs it.
    ///
    /// # Errors
    /// When some or all of it may remain; the next append then starts on a new line.
    pub(super) fn truncate_to(&mut self, length: u64) -> Result<(), LedgerFault> {
        let truncated = self.truncate_if_longer(length).and_then(|()| self.file.sync_data());
        self.is_torn = truncated.is_err();
        Ok(truncated?)
    }

    /// Truncates the file to `length`, if it is longer.
    fn truncate_if_longer(&self, length: u64) -> io::Result<()> {
        if self.length()? > length { self.file.set_len(length) } else { Ok(()) }
    }
}

fn ends_with_line(file: &mut File) -> io::Result<bool> {
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}

/// Creates an unlinked file on the filesystem of `path`, which disappears with this process.
fn create_probe_file(path: &Path) -> Option<File> {
    let mut name = path.file_name()?.to_owned();
    name.push(".probe");
    let probe_path = path.with_file_name(name);
    let probe_file = create_new(&probe_path).ok()?;
    fs::remove_file(&probe_path).ok()?;
    Some(probe_file)
}

/// Reasons the ledger file cannot take an entry. The messages contain neither the path nor any part of the entry.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LedgerFault {
    /// The disk is full, or the quota is exhausted.
    #[error("the disk of the ledger is full")]
    Full(#[source] Arc<io::Error>),
    /// The open file is no longer the one at its path: entries would be lost.
    #[error("the ledger file was removed or replaced while the service runs")]
    Removed,
    /// The disk took too long. The entry is not in the file.
    #[error("no entry was written to the ledger file within {} ms", .0.as_millis())]
    TooSlow(Duration),
    /// Any other I/O error.
    #[error("the ledger file cannot be written")]
    Io(#[source] Arc<io::Error>),
    /// The writer thread has ended.
    #[error("the ledger writer has ended")]
    Ended,
}

impl From<io::Error> for LedgerFault {
    fn from(error: io::Error) -> Self {
        let is_full = matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded);
        let error = Arc::new(error);
        if is_full { Self::Full(error) } else { Self::Io(error) }
    }
}

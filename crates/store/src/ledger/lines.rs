//! The file under a ledger: whole lines that are on the disk, or nothing of them; and the reasons it takes none.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read as _, Seek as _, SeekFrom, Write as _},
    os::unix::fs::{FileExt as _, MetadataExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use crate::file_lock::try_lock;

/// What a probe writes: more than is left in the last block of a file on a full disk.
const PROBE: [u8; 4_096] = [b'\n'; 4_096];
/// A probe is good for so long.
const PROBE_LASTS: Duration = Duration::from_secs(1);

/// A file that lines are appended to, locked for this process.
#[derive(Debug)]
pub(super) struct Lines {
    file: File,
    path: PathBuf,
    /// A file without a name beside it; absent where the directory takes none, or the ledger is no regular file.
    sibling: Option<File>,
    /// Whether the last line has no end.
    is_torn: bool,
    probed_at: Option<Instant>,
}

impl Lines {
    /// Opens the file at `path`, or makes one that only its owner may read and write, and locks it.
    ///
    /// # Errors
    /// When it can be neither opened nor made, and when another process holds it.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let mut file = OpenOptions::new().read(true).append(true).create(true).mode(0o600).open(path)?;
        try_lock(&file, "another process appends to it")?;
        let path = fs::canonicalize(path)?;
        if let Some(directory) = path.parent() {
            // A file that was just made is not there after a crash before its directory is on the disk.
            File::open(directory)?.sync_all()?;
        }
        let metadata = file.metadata()?;
        let is_torn = metadata.len() > 0 && !ends_with_line(&mut file)?;
        let sibling = if metadata.is_file() { unnamed_sibling(&path) } else { None };
        Ok(Self { file, path, sibling, is_torn, probed_at: None })
    }

    /// The length of the file.
    pub(super) fn length(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    /// Writes `lines` and forces them to the disk, all or none.
    ///
    /// # Errors
    /// [`LedgerFault::Removed`] when the file has no name any more: nobody would find them.
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
            // What is cut off here was promised to nobody.
            self.is_torn = self.cut(before).is_err();
        }
        Ok(written?)
    }

    /// Checks that the file would take lines that somebody finds, and not only in what is left of its last block.
    ///
    /// # Errors
    /// [`LedgerFault`] when it would not.
    pub(super) fn probe(&mut self) -> Result<(), LedgerFault> {
        let metadata = self.file.metadata()?;
        let is_same = |there: fs::Metadata| (there.dev(), there.ino()) == (metadata.dev(), metadata.ino());
        if !fs::metadata(&self.path).is_ok_and(is_same) {
            return Err(LedgerFault::Removed);
        }
        if self.probed_at.is_some_and(|at| at.elapsed() < PROBE_LASTS) {
            return Ok(());
        }
        match &self.sibling {
            Some(sibling) => {
                let written = sibling.write_all_at(&PROBE, 0).and_then(|()| sibling.sync_data());
                sibling.set_len(0)?;
                written?;
            }
            None if metadata.is_file() => {}
            None => self.append("\n")?,
        }
        self.probed_at = Some(Instant::now());
        Ok(())
    }

    /// Takes back what is behind `length`, also on the disk.
    ///
    /// # Errors
    /// When it stays, in part perhaps; the next line begins anew then.
    pub(super) fn take_back(&mut self, length: u64) -> Result<(), LedgerFault> {
        let taken = self.cut(length).and_then(|()| self.file.sync_data());
        self.is_torn = taken.is_err();
        Ok(taken?)
    }

    /// Shortens the file to `length`, if it is longer.
    fn cut(&self, length: u64) -> io::Result<()> {
        if self.length()? > length { self.file.set_len(length) } else { Ok(()) }
    }
}

fn ends_with_line(file: &mut File) -> io::Result<bool> {
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}

/// A file on the filesystem of `path` that is gone with this process.
fn unnamed_sibling(path: &Path) -> Option<File> {
    let mut name = path.file_name()?.to_owned();
    name.push(".probe");
    let place = path.with_file_name(name);
    let sibling = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&place).ok()?;
    fs::remove_file(&place).ok()?;
    Some(sibling)
}

/// Why the ledger's file takes no entry. What it says names no path and nothing that was to be written.
#[derive(Clone, Debug, thiserror::Error)]
pub enum LedgerFault {
    /// No room on the disk, or in the quota.
    #[error("the disk of the ledger is full")]
    Full(#[source] Arc<io::Error>),
    /// The file that is open is not the one at its path any more: entries would be lost.
    #[error("the file of the ledger was removed or replaced while the service runs")]
    Removed,
    /// The disk takes too long. The entry is not in the file.
    #[error("the file of the ledger took no entry within {} ms", .0.as_millis())]
    TooSlow(Duration),
    /// Anything else that the system says.
    #[error("the file of the ledger cannot be written")]
    Io(#[source] Arc<io::Error>),
    /// The thread that writes has ended.
    #[error("the writer of the ledger has ended")]
    Ended,
}

impl From<io::Error> for LedgerFault {
    fn from(error: io::Error) -> Self {
        let is_full = matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded);
        let error = Arc::new(error);
        if is_full { Self::Full(error) } else { Self::Io(error) }
    }
}

//! The directories of an archive.

use std::{
    collections::{BTreeMap, HashMap},
    fs::{self, DirBuilder, File, OpenOptions, TryLockError},
    io::{self, Read as _, Seek as _, SeekFrom, Write as _},
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
};

use alloy_primitives::{B256, keccak256};
use firmquote_domain::Timestamp;
use jiff::tz::TimeZone;
use serde::{Serialize, de::DeserializeOwned};

use super::ArchiveError;
use crate::{
    ledger::{LedgerLine, LedgerReader},
    replace_file,
};

/// An entry to archive: its time and its line.
pub(super) type Entry = (Timestamp, Vec<u8>);

/// The directory of the operator's stream in that of an archive.
pub const OPERATOR_DIRECTORY: &str = "operator";

/// The directories of an archive, locked for this process.
pub struct Archive {
    pub(super) ledger: ArchiveDirectory,
    pub(super) operator: ArchiveDirectory,
}

impl Archive {
    /// Opens the directory at `path`, and that of the operator's stream in it.
    ///
    /// # Errors
    /// [`ArchiveError::Directory`] when one cannot be created or written, [`ArchiveError::Locked`] when another process
    /// archives there.
    pub fn open(path: &Path) -> Result<Self, ArchiveError> {
        let operator = path.join(OPERATOR_DIRECTORY);
        Ok(Self { ledger: ArchiveDirectory::open(path)?, operator: ArchiveDirectory::open(&operator)? })
    }
}

/// The directory of a stream in an archive, locked for this process.
pub(super) struct ArchiveDirectory {
    path: PathBuf,
    _lock: File,
    /// The hashes of lines that are archived and may be read again, and how often each is.
    archived: HashMap<B256, u32>,
}

const CURSOR: &str = "cursor.json";
const LOCK: &str = "lock";

impl ArchiveDirectory {
    /// Opens the directory at `path`, which is created if it does not exist, readable by its owner only.
    ///
    /// # Errors
    /// Those of [`Archive::open`].
    fn open(path: &Path) -> Result<Self, ArchiveError> {
        let lock = || {
            DirBuilder::new().recursive(true).mode(0o700).create(path)?;
            private().create(true).truncate(false).open(path.join(LOCK))
        };
        let lock = lock().map_err(|error| unusable(path, error))?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { path: path.to_owned(), _lock: lock, archived: HashMap::new() }),
            Err(TryLockError::WouldBlock) => Err(ArchiveError::Locked(path.to_owned())),
            Err(TryLockError::Error(error)) => Err(unusable(path, error)),
        }
    }

    /// Returns the cursor; `None` if nothing was archived yet.
    ///
    /// # Errors
    /// [`ArchiveError::Directory`] when it cannot be read, [`ArchiveError::OtherLedger`] when it is that of another kind
    /// of ledger.
    pub(super) fn cursor<C: DeserializeOwned>(&self) -> Result<Option<C>, ArchiveError> {
        let path = self.path.join(CURSOR);
        match fs::read(&path) {
            Ok(text) => serde_json::from_slice(&text).map(Some).map_err(|error| self.other_ledger(error)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(unusable(&path, error)),
        }
    }

    /// Returns the error for a cursor of another kind of ledger.
    pub(super) fn other_ledger(&self, error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> ArchiveError {
        ArchiveError::OtherLedger { path: self.path.join(CURSOR), source: error.into() }
    }

    /// Replaces the cursor.
    ///
    /// # Errors
    /// [`ArchiveError::Directory`] when it cannot be written.
    pub(super) fn set_cursor(&self, cursor: &impl Serialize) -> Result<(), ArchiveError> {
        let path = self.path.join(CURSOR);
        let text = serde_json::to_vec(cursor).map_err(io::Error::from);
        text.and_then(|text| replace_file(&path, &text)).map_err(|error| unusable(&path, error))
    }

    /// Has entries of `since` and later that are archived already left out, if they are read again.
    ///
    /// # Errors
    /// [`ArchiveError::Directory`] when the files of these days cannot be read.
    pub(super) fn load_archived_since(&mut self, since: Timestamp) -> Result<(), ArchiveError> {
        self.archived.clear();
        let first = day_file(since)?;
        for file in fs::read_dir(&self.path).map_err(|error| unusable(&self.path, error))? {
            let path = file.map_err(|error| unusable(&self.path, error))?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if !name.ends_with(".jsonl") || *name < *first {
                continue;
            }
            let lines = LedgerReader::open(&path).map_err(|error| unusable(&path, error))?.lines();
            for line in lines {
                if let LedgerLine::Entry { text, time } = line.map_err(|error| unusable(&path, error))?
                    && time >= since
                {
                    *self.archived.entry(keccak256(text)).or_default() += 1;
                }
            }
        }
        Ok(())
    }

    /// Forgets the entries that would be left out: none is read again from here on.
    pub(super) fn forget_archived(&mut self) {
        self.archived = HashMap::new();
    }

    /// Writes entries to the files of their days, and waits for the disk.
    ///
    /// # Errors
    /// [`ArchiveError::Directory`] when a file cannot be written; some entries may be archived then.
    pub(super) fn append(&mut self, entries: Vec<Entry>) -> Result<(), ArchiveError> {
        let mut days: BTreeMap<String, Vec<u8>> = BTreeMap::new();
        for (time, line) in entries {
            if let Some(copies) = self.archived.get_mut(&keccak256(&line)).filter(|copies| **copies > 0) {
                *copies -= 1;
                continue;
            }
            let day = days.entry(day_file(time)?).or_default();
            day.extend_from_slice(&line);
            day.push(b'\n');
        }
        for (name, lines) in days {
            let path = self.path.join(name);
            append(&path, &lines).map_err(|error| unusable(&path, error))?;
        }
        Ok(())
    }
}

/// Appends whole lines to a file; what a crash left of a line at its end is removed.
fn append(path: &Path, lines: &[u8]) -> io::Result<()> {
    let mut file = private().read(true).create(true).truncate(false).open(path)?;
    let end = end_of_lines(&mut file)?;
    file.set_len(end)?;
    file.seek(SeekFrom::Start(end))?;
    file.write_all(lines)?;
    file.sync_all()
}

/// Returns the end of the last complete line.
fn end_of_lines(file: &mut File) -> io::Result<u64> {
    /// More than any line.
    const STEP: u64 = 1 << 16;
    let mut end = file.metadata()?.len();
    while end > 0 {
        let start = end.saturating_sub(STEP);
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(start))?;
        (&*file).take(end - start).read_to_end(&mut bytes)?;
        if let Some(last) = bytes.iter().rposition(|byte| *byte == b'\n') {
            return Ok(start + u64::try_from(last).unwrap_or(0) + 1);
        }
        end = start;
    }
    Ok(0)
}

/// Files that only their owner may read: entries contain signatures.
fn private() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).mode(0o600);
    options
}

/// Returns the name of the file of the day of `time` in UTC.
fn day_file(time: Timestamp) -> Result<String, ArchiveError> {
    let micros = time.as_micros().try_into().unwrap_or(i64::MAX);
    let instant = jiff::Timestamp::from_microsecond(micros).map_err(ArchiveError::Time)?;
    Ok(format!("{}.jsonl", instant.to_zoned(TimeZone::UTC).date()))
}

fn unusable(path: &Path, source: io::Error) -> ArchiveError {
    ArchiveError::Directory { path: path.to_owned(), source }
}

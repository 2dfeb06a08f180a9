//! Writes rows into segments, with a file for each table: one is open as `.part`; it is closed after ten minutes or 64 MiB,
//! synced, renamed to `.arrow` and listed in the manifest.

use std::{
    collections::{BTreeMap, btree_map::Entry},
    fs::{self, DirBuilder, File, OpenOptions, TryLockError},
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
    sync::Arc,
};

use arrow_ipc::{
    CompressionType, MetadataVersion,
    writer::{FileWriter, IpcWriteOptions},
};
use arrow_schema::{ArrowError, Schema};
use firmquote_domain::Timestamp;

use crate::{
    Row, Rows, Segment, Table, TableRow, TapeError,
    columns::schema,
    manifest,
    reader::{ALIGNMENT, CLOSED, OPEN, whole_batches},
};

/// How long a segment is open, in seconds.
pub const MAX_SEGMENT_SECONDS: u32 = 600;
/// The length of all its files after which a segment is closed, in bytes.
const MAX_BYTES: u64 = 64 << 20;
/// The ends of the names of open and closed files.
const EXTENSIONS: [&str; 2] = [OPEN, CLOSED];

/// A directory of a tape, locked for this process.
pub struct TapeDirectory {
    path: PathBuf,
    _lock: File,
}

impl TapeDirectory {
    /// Opens the directory at `path`, which is created if it does not exist, readable by its owner only.
    ///
    /// # Errors
    /// When it cannot be created, and when another process writes there.
    pub fn open(path: &Path) -> Result<Self, TapeError> {
        let error = TapeError::file(path);
        DirBuilder::new().recursive(true).mode(0o700).create(path).map_err(&error)?;
        let lock = OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(path.join("lock"));
        let lock = lock.map_err(&error)?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { path: path.to_owned(), _lock: lock }),
            Err(TryLockError::WouldBlock) => Err(TapeError::InUse { path: path.to_owned() }),
            Err(TryLockError::Error(source)) => Err(error(source)),
        }
    }

    /// Removes the closed segments of all tables that were begun before `time`; the manifest keeps their lines.
    ///
    /// # Errors
    /// When a file cannot be removed.
    pub fn remove_before(&self, time: Timestamp) -> Result<(), TapeError> {
        for entry in fs::read_dir(&self.path).map_err(TapeError::file(&self.path))? {
            let path = entry.map_err(TapeError::file(&self.path))?.path();
            let is_segment = path.extension().is_some_and(|extension| extension == CLOSED);
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            let begun_at = name.rsplit_once('-').and_then(|(_, micros)| micros.parse().ok());
            if is_segment && begun_at.is_some_and(|micros| Timestamp::from_micros(micros) < time) {
                fs::remove_file(&path).map_err(TapeError::file(&path))?;
            }
        }
        Ok(())
    }
}

/// Writes rows into segments: files of all tables that are begun and closed together.
pub struct TapeWriter {
    directory: Arc<TapeDirectory>,
    /// When the open segment was begun, and the end of the names of its files.
    segment: Option<(Timestamp, u64)>,
    /// The open files of the segment.
    open: BTreeMap<Table, OpenFile>,
}

struct OpenFile {
    /// The name of the file, without its extension.
    name: String,
    writer: FileWriter<File>,
    rows: u64,
    bytes: u64,
}

impl TapeWriter {
    /// Creates the writer, and closes the files that a crash left open.
    ///
    /// # Errors
    /// [`TapeError`] when files cannot be read or written.
    pub fn new(directory: Arc<TapeDirectory>) -> Result<Self, TapeError> {
        close_files_of_crash(&directory.path)?;
        Ok(Self { directory, segment: None, open: BTreeMap::new() })
    }

    /// Writes rows, one batch for each table, which a crash after this call does not tear. Closes the segment if it is
    /// old or long enough. Returns whether it is still open: what later rows name has to be written again otherwise.
    ///
    /// # Errors
    /// When a file cannot be written: rows are lost, and the next call begins another segment.
    pub fn write(&mut self, rows: &Rows, now: Timestamp) -> Result<bool, TapeError> {
        if !rows.is_empty() {
            let (_, stamp) = *self.segment.get_or_insert_with(|| (now, self.directory.unused_stamp(now)));
            if let Err(error) = self.write_tables(rows, stamp) {
                self.abandon();
                return Err(error);
            }
        }
        let is_due = |(begun_at, _): (Timestamp, u64)| {
            now.seconds_since(begun_at) >= MAX_SEGMENT_SECONDS.into() || self.bytes() >= MAX_BYTES
        };
        if self.segment.is_some_and(is_due) {
            self.close()?;
        }
        Ok(self.segment.is_some())
    }

    /// Closes the open segment, if any.
    ///
    /// # Errors
    /// When it cannot be written; the next start closes it.
    pub fn close(&mut self) -> Result<(), TapeError> {
        self.segment = None;
        // All of them, even if one cannot be.
        let closed: Vec<_> = std::mem::take(&mut self.open)
            .into_iter()
            .map(|(table, file)| file.close(&self.directory.path, table, false))
            .collect();
        closed.into_iter().collect()
    }

    fn write_tables(&mut self, rows: &Rows, stamp: u64) -> Result<(), TapeError> {
        // What a row names stands before it.
        self.write_table(stamp, &rows.gaps)?;
        self.write_table(stamp, &rows.changes)?;
        self.write_table(stamp, &rows.blocks)?;
        self.write_table(stamp, &rows.prices)?;
        self.write_table(stamp, &rows.configurations)?;
        self.write_table(stamp, &rows.states)?;
        self.write_table(stamp, &rows.levels)?;
        self.write_table(stamp, &rows.requests)
    }

    fn write_table<R: TableRow>(&mut self, stamp: u64, rows: &[R]) -> Result<(), TapeError> {
        if rows.is_empty() {
            return Ok(());
        }
        let directory = &self.directory.path;
        let file = match self.open.entry(R::TABLE) {
            Entry::Occupied(open) => open.into_mut(),
            Entry::Vacant(place) => {
                let name = file_name(R::TABLE, stamp);
                let path = directory.join(format!("{name}.{OPEN}"));
                let schema = schema::<R>().map_err(TapeError::invalid(&path))?;
                place.insert(OpenFile { name, writer: new_file(&path, &schema)?, rows: 0, bytes: 0 })
            }
        };
        let path = file.part(directory);
        file.write(rows).map_err(TapeError::invalid(&path))?;
        file.bytes = fs::metadata(&path).map_err(TapeError::file(&path))?.len();
        Ok(())
    }

    /// Leaves the open files to the next start.
    fn abandon(&mut self) {
        self.segment = None;
        self.open.clear();
    }

    fn bytes(&self) -> u64 {
        self.open.values().map(|file| file.bytes).sum()
    }
}

impl TapeDirectory {
    /// Returns the microseconds of `now`, or the next that no file of any table has in its name. Names are in the order
    /// of time.
    fn unused_stamp(&self, now: Timestamp) -> u64 {
        let is_used = |stamp: u64| {
            let names = Table::ALL.iter().map(|table| file_name(*table, stamp));
            let mut paths = names.flat_map(|name| EXTENSIONS.map(|end| self.path.join(format!("{name}.{end}"))));
            paths.any(|path| path.exists())
        };
        (now.as_micros()..).find(|stamp| !is_used(*stamp)).unwrap_or(u64::MAX)
    }
}

fn file_name(table: Table, stamp: u64) -> String {
    format!("{}-{stamp:020}", table.name())
}

/// Closes the files that a crash left open.
fn close_files_of_crash(directory: &Path) -> Result<(), TapeError> {
    for entry in fs::read_dir(directory).map_err(TapeError::file(directory))? {
        let path = entry.map_err(TapeError::file(directory))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let start = name.split_once('-').map(|(start, _)| start);
        let Some(table) = Table::ALL.iter().copied().find(|table| start == Some(table.name())) else { continue };
        match name.rsplit_once('.') {
            Some((stem, OPEN)) => close_torn(directory, table, &path, stem)?,
            // A crash between the new name and the manifest.
            Some((_, CLOSED)) => list_unlisted(directory, table, &path, &name)?,
            _ => {}
        }
    }
    Ok(())
}

impl OpenFile {
    fn write<R: Row>(&mut self, rows: &[R]) -> Result<(), ArrowError> {
        self.writer.write(&R::columns(rows)?.into_batch()?)?;
        self.writer.flush()?;
        self.rows += u64::try_from(rows.len()).unwrap_or(u64::MAX);
        Ok(())
    }

    fn part(&self, directory: &Path) -> PathBuf {
        directory.join(format!("{}.{OPEN}", self.name))
    }

    fn close(mut self, directory: &Path, table: Table, torn: bool) -> Result<(), TapeError> {
        let (part, name) = (self.part(directory), format!("{}.{CLOSED}", self.name));
        self.writer.finish().map_err(TapeError::invalid(&part))?;
        self.writer.get_ref().sync_all().map_err(TapeError::file(&part))?;
        fs::rename(&part, directory.join(&name)).map_err(TapeError::file(&part))?;
        manifest::append(directory, &Segment::of(directory, &name, table.name(), self.rows, torn)?)
    }
}

fn new_file(path: &Path, schema: &Schema) -> Result<FileWriter<File>, TapeError> {
    let file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path);
    let file = file.map_err(TapeError::file(path))?;
    let options = IpcWriteOptions::try_new(ALIGNMENT.into(), false, MetadataVersion::V5);
    options
        .and_then(|options| options.try_with_compression(Some(CompressionType::ZSTD)))
        .and_then(|options| FileWriter::try_new_with_options(file, schema, options))
        .map_err(TapeError::invalid(path))
}

/// Closes a segment that a crash left open: its whole batches are copied with their schema, which may be that of an
/// earlier release, and the rest is given up.
fn close_torn(directory: &Path, table: Table, path: &Path, stem: &str) -> Result<(), TapeError> {
    let batches = whole_batches(path)?;
    let Some(first) = batches.first().filter(|_| batches.iter().any(|batch| batch.num_rows() > 0)) else {
        return fs::remove_file(path).map_err(TapeError::file(path));
    };
    let copy = directory.join(format!("{stem}.copy"));
    let mut torn = OpenFile { name: stem.to_owned(), writer: new_file(&copy, &first.schema())?, rows: 0, bytes: 0 };
    for batch in &batches {
        torn.writer.write(batch).map_err(TapeError::invalid(&copy))?;
        torn.rows += u64::try_from(batch.num_rows()).unwrap_or(u64::MAX);
    }
    fs::rename(&copy, path).map_err(TapeError::file(path))?;
    torn.close(directory, table, true)
}

/// Adds a closed segment to the manifest if a crash left it out.
fn list_unlisted(directory: &Path, table: Table, path: &Path, name: &str) -> Result<(), TapeError> {
    if manifest::read(directory)?.iter().any(|segment| segment.file == name) {
        return Ok(());
    }
    let mut rows = 0;
    for batch in crate::reader::batches(path)? {
        rows += u64::try_from(batch.map_err(TapeError::invalid(path))?.num_rows()).unwrap_or(u64::MAX);
    }
    manifest::append(directory, &Segment::of(directory, name, table.name(), rows, false)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{GapRow, read};

    #[test]
    fn a_file_that_an_earlier_release_left_open_keeps_its_schema() {
        let folder = tempfile::tempdir().unwrap();
        let gap = GapRow {
            from: Timestamp::from_seconds(1),
            to: Timestamp::from_seconds(2),
            table: "prices".to_owned(),
            rows: 3,
        };
        let earlier =
            GapRow::columns(std::slice::from_ref(&gap)).unwrap().into_batch().unwrap().project(&[3, 2, 1, 0]).unwrap();
        let part = folder.path().join(format!("{}.{OPEN}", file_name(Table::Gaps, 1)));
        let mut file = new_file(&part, &earlier.schema()).unwrap();
        file.write(&earlier).unwrap();
        file.flush().unwrap();
        drop(file);
        drop(TapeWriter::new(Arc::new(TapeDirectory::open(folder.path()).unwrap())).unwrap());
        assert!(!part.exists());
        assert_eq!(read::<GapRow>(folder.path()).unwrap(), [gap]);
    }
}

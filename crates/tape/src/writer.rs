//! Writes rows into segments, with a file for each table: one is open as `.part`; it is closed after ten minutes or 64 MiB,
//! synced, renamed to `.arrow` and listed in the manifest.

use std::{
    fs::{self, DirBuilder, File, OpenOptions, TryLockError},
    marker::PhantomData,
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
    sync::Arc,
};

use arrow_ipc::{
    CompressionType, MetadataVersion,
    writer::{FileWriter, IpcWriteOptions},
};
use arrow_schema::ArrowError;
use firmquote_domain::Timestamp;

use crate::{
    BlockRow, ChangeRow, ConfigurationRow, GapRow, LevelsRow, PriceRow, RequestRow, Row, Rows, Segment, StateRow,
    Table, TableRow, TapeError,
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
    prices: TableWriter<PriceRow>,
    configurations: TableWriter<ConfigurationRow>,
    states: TableWriter<StateRow>,
    levels: TableWriter<LevelsRow>,
    requests: TableWriter<RequestRow>,
    blocks: TableWriter<BlockRow>,
    changes: TableWriter<ChangeRow>,
    gaps: TableWriter<GapRow>,
}

/// Writes the rows of one table.
struct TableWriter<R> {
    open: Option<OpenFile>,
    row: PhantomData<fn(R)>,
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
        let path = &directory.path;
        Ok(Self {
            prices: TableWriter::new(path)?,
            configurations: TableWriter::new(path)?,
            states: TableWriter::new(path)?,
            levels: TableWriter::new(path)?,
            requests: TableWriter::new(path)?,
            blocks: TableWriter::new(path)?,
            changes: TableWriter::new(path)?,
            gaps: TableWriter::new(path)?,
            segment: None,
            directory,
        })
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
        let path = &self.directory.path;
        let closed = [
            self.prices.close(path),
            self.configurations.close(path),
            self.states.close(path),
            self.levels.close(path),
            self.requests.close(path),
            self.blocks.close(path),
            self.changes.close(path),
            self.gaps.close(path),
        ];
        closed.into_iter().collect()
    }

    fn write_tables(&mut self, rows: &Rows, stamp: u64) -> Result<(), TapeError> {
        let path = &self.directory.path;
        // What a row names stands before it.
        self.gaps.write(path, stamp, &rows.gaps)?;
        self.changes.write(path, stamp, &rows.changes)?;
        self.blocks.write(path, stamp, &rows.blocks)?;
        self.prices.write(path, stamp, &rows.prices)?;
        self.configurations.write(path, stamp, &rows.configurations)?;
        self.states.write(path, stamp, &rows.states)?;
        self.levels.write(path, stamp, &rows.levels)?;
        self.requests.write(path, stamp, &rows.requests)
    }

    /// Leaves the open files to the next start.
    fn abandon(&mut self) {
        self.segment = None;
        self.prices.open = None;
        self.configurations.open = None;
        self.states.open = None;
        self.levels.open = None;
        self.requests.open = None;
        self.blocks.open = None;
        self.changes.open = None;
        self.gaps.open = None;
    }

    fn bytes(&self) -> u64 {
        let open = [
            &self.prices.open,
            &self.configurations.open,
            &self.states.open,
            &self.levels.open,
            &self.requests.open,
            &self.blocks.open,
            &self.changes.open,
            &self.gaps.open,
        ];
        open.into_iter().flatten().map(|file| file.bytes).sum()
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

impl<R: TableRow> TableWriter<R> {
    /// Closes the files that a crash left open.
    fn new(directory: &Path) -> Result<Self, TapeError> {
        for entry in fs::read_dir(directory).map_err(TapeError::file(directory))? {
            let path = entry.map_err(TapeError::file(directory))?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let is_own = name.starts_with(&format!("{}-", R::TABLE.name()));
            match name.rsplit_once('.') {
                Some((stem, OPEN)) if is_own => close_torn::<R>(directory, &path, stem)?,
                // A crash between the new name and the manifest.
                Some((_, CLOSED)) if is_own => list_unlisted::<R>(directory, &path, &name)?,
                _ => {}
            }
        }
        Ok(Self { open: None, row: PhantomData })
    }

    fn write(&mut self, directory: &Path, stamp: u64, rows: &[R]) -> Result<(), TapeError> {
        if rows.is_empty() {
            return Ok(());
        }
        let mut file = match self.open.take() {
            Some(file) => file,
            None => {
                let name = file_name(R::TABLE, stamp);
                let writer = new_file::<R>(&directory.join(format!("{name}.{OPEN}")))?;
                OpenFile { name, writer, rows: 0, bytes: 0 }
            }
        };
        let path = file.part(directory);
        file.write(rows).map_err(TapeError::invalid(&path))?;
        file.bytes = fs::metadata(&path).map_err(TapeError::file(&path))?.len();
        self.open = Some(file);
        Ok(())
    }

    fn close(&mut self, directory: &Path) -> Result<(), TapeError> {
        self.open.take().map_or(Ok(()), |file| file.close(directory, R::TABLE.name(), false))
    }
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

    fn close(mut self, directory: &Path, table: &str, torn: bool) -> Result<(), TapeError> {
        let (part, name) = (self.part(directory), format!("{}.{CLOSED}", self.name));
        self.writer.finish().map_err(TapeError::invalid(&part))?;
        self.writer.get_ref().sync_all().map_err(TapeError::file(&part))?;
        fs::rename(&part, directory.join(&name)).map_err(TapeError::file(&part))?;
        manifest::append(directory, &Segment::of(directory, &name, table, self.rows, torn)?)
    }
}

fn new_file<R: Row>(path: &Path) -> Result<FileWriter<File>, TapeError> {
    let file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path);
    let file = file.map_err(TapeError::file(path))?;
    let options = IpcWriteOptions::try_new(ALIGNMENT.into(), false, MetadataVersion::V5);
    options
        .and_then(|options| options.try_with_compression(Some(CompressionType::ZSTD)))
        .and_then(|options| FileWriter::try_new_with_options(file, &schema::<R>()?, options))
        .map_err(TapeError::invalid(path))
}

/// Closes a segment that a crash left open: its whole batches are copied, and the rest is given up.
fn close_torn<R: TableRow>(directory: &Path, path: &Path, stem: &str) -> Result<(), TapeError> {
    let copy = directory.join(format!("{stem}.copy"));
    let mut torn = OpenFile { name: stem.to_owned(), writer: new_file::<R>(&copy)?, rows: 0, bytes: 0 };
    for batch in whole_batches(path)? {
        torn.writer.write(&batch).map_err(TapeError::invalid(&copy))?;
        torn.rows += u64::try_from(batch.num_rows()).unwrap_or(u64::MAX);
    }
    if torn.rows == 0 {
        fs::remove_file(&copy).map_err(TapeError::file(&copy))?;
        return fs::remove_file(path).map_err(TapeError::file(path));
    }
    fs::rename(&copy, path).map_err(TapeError::file(path))?;
    torn.close(directory, R::TABLE.name(), true)
}

/// Adds a closed segment to the manifest if a crash left it out.
fn list_unlisted<R: TableRow>(directory: &Path, path: &Path, name: &str) -> Result<(), TapeError> {
    if manifest::read(directory)?.iter().any(|segment| segment.file == name) {
        return Ok(());
    }
    let mut rows = 0;
    for batch in crate::reader::batches(path)? {
        rows += u64::try_from(batch.map_err(TapeError::invalid(path))?.num_rows()).unwrap_or(u64::MAX);
    }
    manifest::append(directory, &Segment::of(directory, name, R::TABLE.name(), rows, false)?)
}

//! Writes the rows of a table into segments: one is open as `.part`; it is closed after ten minutes or 64 MiB, synced,
//! renamed to `.arrow` and listed in the manifest.

use std::{
    fs::{self, DirBuilder, File, OpenOptions, TryLockError},
    io::{BufReader, Seek as _, SeekFrom},
    marker::PhantomData,
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
    sync::Arc,
};

use arrow_ipc::{
    CompressionType, MetadataVersion,
    reader::StreamReader,
    writer::{FileWriter, IpcWriteOptions},
};
use arrow_schema::ArrowError;
use firmquote_domain::Timestamp;

use crate::{Row, Segment, TapeError, manifest};

/// How long a segment is open.
const MAX_AGE_SECONDS: u64 = 600;
/// The length after which a segment is closed, in bytes.
const MAX_BYTES: u64 = 64 << 20;
/// The length of the magic and its padding, before the messages of a file: messages are aligned to it.
const ALIGNMENT: u8 = 64;

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
            let is_segment = path.extension().is_some_and(|extension| extension == "arrow");
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            let begun_at = name.rsplit_once('-').and_then(|(_, micros)| micros.parse().ok());
            if is_segment && begun_at.is_some_and(|micros| Timestamp::from_micros(micros) < time) {
                fs::remove_file(&path).map_err(TapeError::file(&path))?;
            }
        }
        Ok(())
    }
}

/// Writes the rows of a table.
pub struct TapeWriter<R> {
    directory: Arc<TapeDirectory>,
    open: Option<OpenSegment>,
    row: PhantomData<fn(R)>,
}

struct OpenSegment {
    /// The name of the file, without its extension.
    name: String,
    writer: FileWriter<File>,
    opened_at: Timestamp,
    rows: u64,
}

impl<R: Row> TapeWriter<R> {
    /// Creates the writer, and closes the segments that a crash left open.
    ///
    /// # Errors
    /// [`TapeError`] when files cannot be read or written.
    pub fn new(directory: Arc<TapeDirectory>) -> Result<Self, TapeError> {
        let parts = fs::read_dir(&directory.path).map_err(TapeError::file(&directory.path))?;
        for entry in parts {
            let path = entry.map_err(TapeError::file(&directory.path))?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let is_own = name.starts_with(&format!("{}-", R::TABLE));
            match name.rsplit_once('.') {
                Some((stem, "part")) if is_own => close_torn::<R>(&directory.path, &path, stem)?,
                // A crash between the new name and the manifest.
                Some((_, "arrow")) if is_own => list_unlisted::<R>(&directory.path, &path, &name)?,
                _ => {}
            }
        }
        Ok(Self { directory, open: None, row: PhantomData })
    }

    /// Writes rows as one batch, which a crash after this call does not tear. Closes the segment if it is old or long enough.
    ///
    /// # Errors
    /// When the file cannot be written: the rows are lost, and the next call begins another segment.
    pub fn write(&mut self, rows: &[R], now: Timestamp) -> Result<(), TapeError> {
        if rows.is_empty() {
            return self.close_if(|segment| now.seconds_since(segment.opened_at) >= MAX_AGE_SECONDS);
        }
        let mut segment = match self.open.take() {
            Some(segment) => segment,
            None => OpenSegment::create::<R>(&self.directory.path, now)?,
        };
        let path = segment.part(&self.directory.path);
        segment.write(rows).map_err(TapeError::invalid(&path))?;
        let length = fs::metadata(&path).map_err(TapeError::file(&path))?.len();
        self.open = Some(segment);
        self.close_if(|segment| length >= MAX_BYTES || now.seconds_since(segment.opened_at) >= MAX_AGE_SECONDS)
    }

    /// Closes the open segment, if any.
    ///
    /// # Errors
    /// When it cannot be written; the next start closes it.
    pub fn close(&mut self) -> Result<(), TapeError> {
        self.close_if(|_| true)
    }

    fn close_if(&mut self, is_due: impl FnOnce(&OpenSegment) -> bool) -> Result<(), TapeError> {
        match self.open.take_if(|segment| is_due(segment)) {
            Some(segment) => segment.close(&self.directory.path, R::TABLE, false),
            None => Ok(()),
        }
    }
}

impl OpenSegment {
    fn create<R: Row>(directory: &Path, now: Timestamp) -> Result<Self, TapeError> {
        // Names are in the order of time.
        let mut micros = now.as_micros();
        let name = loop {
            let name = format!("{}-{micros:020}", R::TABLE);
            let is_taken = ["part", "arrow"].iter().any(|end| directory.join(format!("{name}.{end}")).exists());
            if !is_taken {
                break name;
            }
            micros += 1;
        };
        let writer = new_file::<R>(&directory.join(format!("{name}.part")))?;
        Ok(Self { name, writer, opened_at: now, rows: 0 })
    }

    fn write<R: Row>(&mut self, rows: &[R]) -> Result<(), ArrowError> {
        self.writer.write(&R::to_batch(rows)?)?;
        self.writer.flush()?;
        self.rows += u64::try_from(rows.len()).unwrap_or(u64::MAX);
        Ok(())
    }

    fn part(&self, directory: &Path) -> PathBuf {
        directory.join(format!("{}.part", self.name))
    }

    fn close(mut self, directory: &Path, table: &str, torn: bool) -> Result<(), TapeError> {
        let (part, name) = (self.part(directory), format!("{}.arrow", self.name));
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
        .and_then(|options| FileWriter::try_new_with_options(file, &R::schema(), options))
        .map_err(TapeError::invalid(path))
}

/// Closes a segment that a crash left open: its whole batches are copied, and the rest is given up.
fn close_torn<R: Row>(directory: &Path, path: &Path, stem: &str) -> Result<(), TapeError> {
    let copy = directory.join(format!("{stem}.copy"));
    let mut segment = OpenSegment {
        name: stem.to_owned(),
        writer: new_file::<R>(&copy)?,
        opened_at: Timestamp::from_micros(0),
        rows: 0,
    };
    let mut file = BufReader::new(File::open(path).map_err(TapeError::file(path))?);
    file.seek(SeekFrom::Start(ALIGNMENT.into())).map_err(TapeError::file(path))?;
    // Not even the schema may be there.
    if let Ok(batches) = StreamReader::try_new(file, None) {
        for batch in batches.map_while(Result::ok) {
            segment.writer.write(&batch).map_err(TapeError::invalid(&copy))?;
            segment.rows += u64::try_from(batch.num_rows()).unwrap_or(u64::MAX);
        }
    }
    if segment.rows == 0 {
        fs::remove_file(&copy).map_err(TapeError::file(&copy))?;
        return fs::remove_file(path).map_err(TapeError::file(path));
    }
    fs::rename(&copy, path).map_err(TapeError::file(path))?;
    segment.close(directory, R::TABLE, true)
}

/// Adds a closed segment to the manifest if a crash left it out.
fn list_unlisted<R: Row>(directory: &Path, path: &Path, name: &str) -> Result<(), TapeError> {
    if manifest::read(directory)?.iter().any(|segment| segment.file == name) {
        return Ok(());
    }
    let mut rows = 0;
    for batch in crate::reader::batches(path)? {
        rows += u64::try_from(batch.map_err(TapeError::invalid(path))?.num_rows()).unwrap_or(u64::MAX);
    }
    manifest::append(directory, &Segment::of(directory, name, R::TABLE, rows, false)?)
}

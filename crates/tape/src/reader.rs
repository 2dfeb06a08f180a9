//! Reads the rows of a table.

use std::{
    fs::{self, File},
    io::{BufReader, ErrorKind, Seek as _, SeekFrom},
    path::{Path, PathBuf},
};

use arrow_array::RecordBatch;
use arrow_ipc::reader::{FileReader, StreamReader};
use firmquote_domain::Timestamp;

use crate::{TableRow, TapeError, columns::Batch};

/// The length of the magic and its padding, before the messages of a file: messages are aligned to it.
pub(crate) const ALIGNMENT: u8 = 64;
/// The extension of a closed file, which never changes.
pub(crate) const CLOSED: &str = "arrow";
/// The extension of a file that is written.
pub(crate) const OPEN: &str = "part";

/// Reads the closed segments of a table in a directory and in the directories in it, such as those of several replicas;
/// those of each in the order of time.
///
/// # Errors
/// [`TapeError`] for a file that cannot be read, and for one that is not a segment of the table.
pub fn read<R: TableRow + Clone>(directory: &Path) -> Result<Vec<R>, TapeError> {
    let prefix = format!("{}-", R::TABLE.name());
    let is_of_table = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&prefix));
    let files = files(directory, &[CLOSED])?.into_iter().filter(is_of_table);
    Ok(files.map(|path| read_file(&path)).collect::<Result<Vec<_>, _>>()?.concat())
}

pub(crate) fn batches(path: &Path) -> Result<FileReader<File>, TapeError> {
    let file = File::open(path).map_err(TapeError::file(path))?;
    FileReader::try_new(file, None).map_err(TapeError::invalid(path))
}

/// Reads the whole batches of a file that is written, or that a crash left open; none if not even its schema is there.
pub(crate) fn whole_batches(path: &Path) -> Result<Vec<RecordBatch>, TapeError> {
    let mut file = BufReader::new(File::open(path).map_err(TapeError::file(path))?);
    file.seek(SeekFrom::Start(ALIGNMENT.into())).map_err(TapeError::file(path))?;
    Ok(StreamReader::try_new(file, None).into_iter().flatten().map_while(Result::ok).collect())
}

/// A segment: the files of all tables that are written together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SegmentFiles {
    /// The end of the names of its files, which is in the order of time.
    stamp: String,
    directory: PathBuf,
}

impl SegmentFiles {
    /// Returns the closed segments in these directories and in the directories in them, such as those of several replicas,
    /// in the order of time.
    ///
    /// # Errors
    /// [`TapeError::File`] for a directory that cannot be read.
    pub fn find(directories: &[PathBuf]) -> Result<Vec<Self>, TapeError> {
        Self::find_files(directories, &[CLOSED])
    }

    /// Like [`Self::find`], with the segments that are written now, as far as they are.
    ///
    /// # Errors
    /// Those of [`Self::find`].
    pub fn find_with_open(directories: &[PathBuf]) -> Result<Vec<Self>, TapeError> {
        Self::find_files(directories, &[CLOSED, OPEN])
    }

    fn find_files(directories: &[PathBuf], extensions: &[&str]) -> Result<Vec<Self>, TapeError> {
        let mut found = Vec::new();
        for directory in directories {
            for path in files(directory, extensions)? {
                let name = path.file_stem().unwrap_or_default().to_string_lossy();
                let stamp = name.rsplit_once('-').map(|(_, stamp)| stamp.to_owned());
                if let (Some(stamp), Some(directory)) = (stamp, path.parent()) {
                    found.push(Self { stamp, directory: directory.to_owned() });
                }
            }
        }
        found.sort();
        found.dedup();
        Ok(found)
    }

    /// Returns the directory, which is that of one process at a time.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Returns when the segment was begun.
    pub fn begun_at(&self) -> Timestamp {
        Timestamp::from_micros(self.stamp.parse().unwrap_or_default())
    }

    /// Reads the rows of a table; empty if the segment has none.
    ///
    /// # Errors
    /// [`TapeError`] for a file that cannot be read, and for one that is not a segment of the table.
    pub fn read<R: TableRow>(&self) -> Result<Vec<R>, TapeError> {
        let closed = self.directory.join(format!("{}-{}.{CLOSED}", R::TABLE.name(), self.stamp));
        let open = closed.with_extension(OPEN);
        let read_open = || whole_batches(&open).and_then(|batches| rows(&open, &batches));
        let read_closed = || read_file(&closed);
        // It may be closed, and removed, meanwhile; a segment need not have every table.
        let attempts: [&dyn Fn() -> Result<Vec<R>, TapeError>; 3] = [&read_closed, &read_open, &read_closed];
        for attempt in attempts {
            match attempt() {
                Err(TapeError::File { source, .. }) if source.kind() == ErrorKind::NotFound => {}
                result => return result,
            }
        }
        Ok(Vec::new())
    }
}

fn read_file<R: TableRow>(path: &Path) -> Result<Vec<R>, TapeError> {
    let batches = batches(path)?.collect::<Result<Vec<_>, _>>().map_err(TapeError::invalid(path))?;
    rows(path, &batches)
}

fn rows<R: TableRow>(path: &Path, batches: &[RecordBatch]) -> Result<Vec<R>, TapeError> {
    let rows = batches.iter().map(|batch| R::read(&Batch(batch)));
    Ok(rows.collect::<Result<Vec<_>, _>>().map_err(TapeError::invalid(path))?.into_iter().flatten().collect())
}

/// Returns the files of all tables with these extensions in a directory and in the directories in it.
fn files(directory: &Path, extensions: &[&str]) -> Result<Vec<PathBuf>, TapeError> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).map_err(TapeError::file(directory))? {
        let path = entry.map_err(TapeError::file(directory))?.path();
        if path.is_dir() {
            found.extend(files(&path, extensions)?);
        } else if path.extension().is_some_and(|extension| extensions.iter().any(|other| extension == *other)) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

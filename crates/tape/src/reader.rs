//! Reads the rows of a table.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
};

use arrow_ipc::reader::FileReader;
use firmquote_domain::Timestamp;

use crate::{TableRow, TapeError, columns::Batch};

/// Reads the closed segments of a table in a directory and in the directories in it, such as those of several replicas;
/// those of each in the order of time.
///
/// # Errors
/// [`TapeError`] for a file that cannot be read, and for one that is not a segment of the table.
pub fn read<R: TableRow + Clone>(directory: &Path) -> Result<Vec<R>, TapeError> {
    let prefix = format!("{}-", R::TABLE.name());
    let is_of_table = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&prefix));
    let files = files(directory)?.into_iter().filter(is_of_table);
    Ok(files.map(|path| read_file(&path)).collect::<Result<Vec<_>, _>>()?.concat())
}

pub(crate) fn batches(path: &Path) -> Result<FileReader<File>, TapeError> {
    let file = File::open(path).map_err(TapeError::file(path))?;
    FileReader::try_new(file, None).map_err(TapeError::invalid(path))
}

/// A closed segment: the files of all tables that were written together.
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
        let mut found = Vec::new();
        for directory in directories {
            for path in files(directory)? {
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

    /// Returns when the segment was begun.
    pub fn begun_at(&self) -> Timestamp {
        Timestamp::from_micros(self.stamp.parse().unwrap_or_default())
    }

    /// Reads the rows of a table; empty if the segment has none.
    ///
    /// # Errors
    /// [`TapeError`] for a file that cannot be read, and for one that is not a segment of the table.
    pub fn read<R: TableRow>(&self) -> Result<Vec<R>, TapeError> {
        let path = self.directory.join(format!("{}-{}.arrow", R::TABLE.name(), self.stamp));
        if path.exists() { read_file(&path) } else { Ok(Vec::new()) }
    }
}

fn read_file<R: TableRow>(path: &Path) -> Result<Vec<R>, TapeError> {
    let mut rows = Vec::new();
    for batch in batches(path)? {
        let batch = batch.map_err(TapeError::invalid(path))?;
        rows.extend(R::read(&Batch(&batch)).map_err(TapeError::invalid(path))?);
    }
    Ok(rows)
}

/// Returns the closed files of all tables in a directory and in the directories in it.
fn files(directory: &Path) -> Result<Vec<PathBuf>, TapeError> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).map_err(TapeError::file(directory))? {
        let path = entry.map_err(TapeError::file(directory))?.path();
        if path.is_dir() {
            found.extend(files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "arrow") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

//! Reads the rows of a table.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
};

use arrow_ipc::reader::FileReader;

use crate::{Row, TapeError};

/// Reads the closed segments of a table in a directory and in the directories in it, such as those of several replicas;
/// those of each in the order of time.
///
/// # Errors
/// [`TapeError`] for a file that cannot be read, and for one that is not a segment of the table.
pub fn read<R: Row>(directory: &Path) -> Result<Vec<R>, TapeError> {
    let mut rows = Vec::new();
    for path in segments(directory, R::TABLE)? {
        for batch in batches(&path)? {
            let batch = batch.map_err(TapeError::invalid(&path))?;
            rows.extend(R::from_batch(&batch).map_err(TapeError::invalid(&path))?);
        }
    }
    Ok(rows)
}

pub(crate) fn batches(path: &Path) -> Result<FileReader<File>, TapeError> {
    let file = File::open(path).map_err(TapeError::file(path))?;
    FileReader::try_new(file, None).map_err(TapeError::invalid(path))
}

fn segments(directory: &Path, table: &str) -> Result<Vec<PathBuf>, TapeError> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).map_err(TapeError::file(directory))? {
        let path = entry.map_err(TapeError::file(directory))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() {
            found.extend(segments(&path, table)?);
        } else if name.starts_with(&format!("{table}-")) && name.ends_with(".arrow") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

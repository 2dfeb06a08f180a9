//! `manifest.jsonl`: the closed segments of a directory with their lengths and hashes, in the order in which they were
//! closed. A closed segment never changes.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read as _, Seek as _, SeekFrom, Write as _},
    os::unix::fs::OpenOptionsExt as _,
    path::Path,
};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::TapeError;

const MANIFEST: &str = "manifest.jsonl";

/// A closed segment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Segment {
    /// The name of its file in the directory.
    pub file: String,
    /// The table.
    pub table: String,
    /// The number of rows.
    pub rows: u64,
    /// The length of the file in bytes.
    pub bytes: u64,
    /// The SHA-256 of the file in hexadecimal digits.
    pub sha256: String,
    /// Whether it was left open by a crash: it has the rows up to the last whole batch.
    pub torn: bool,
}

impl Segment {
    /// Describes the file `file` of `directory`.
    pub(crate) fn of(directory: &Path, file: &str, table: &str, rows: u64, torn: bool) -> Result<Self, TapeError> {
        let path = directory.join(file);
        let (bytes, sha256) = hash(&path).map_err(TapeError::file(&path))?;
        Ok(Self { file: file.to_owned(), table: table.to_owned(), rows, bytes, sha256, torn })
    }
}

/// Reads the manifest of a directory; empty if there is none.
pub(crate) fn read(directory: &Path) -> Result<Vec<Segment>, TapeError> {
    let path = directory.join(MANIFEST);
    let text = match fs::read_to_string(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        text => text.map_err(TapeError::file(&path))?,
    };
    // A crash may have torn the last line: its segment is found and listed again.
    Ok(text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
}

/// Appends a segment to the manifest.
pub(crate) fn append(directory: &Path, segment: &Segment) -> Result<(), TapeError> {
    let path = directory.join(MANIFEST);
    let write = || {
        let mut file = OpenOptions::new().read(true).append(true).create(true).mode(0o600).open(&path)?;
        let mut line = serde_json::to_vec(segment)?;
        line.push(b'\n');
        if !ends_with_line(&mut file)? {
            line.insert(0, b'\n');
        }
        file.write_all(&line)?;
        file.sync_all()
    };
    write().map_err(TapeError::file(&path))
}

/// Whether the last line of a file is complete: a crash may have torn it.
fn ends_with_line(file: &mut File) -> io::Result<bool> {
    if file.metadata()?.len() == 0 {
        return Ok(true);
    }
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}

/// Checks the closed segments of a directory against its manifest, and returns their number. Segments that were moved
/// elsewhere are not missed.
///
/// # Errors
/// [`TapeError::Differs`] for the first file with other contents, and for one that the manifest does not list.
pub fn verify(directory: &Path) -> Result<usize, TapeError> {
    let listed = read(directory)?;
    let mut count = 0;
    for entry in fs::read_dir(directory).map_err(TapeError::file(directory))? {
        let path = entry.map_err(TapeError::file(directory))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if !name.ends_with(".arrow") {
            continue;
        }
        let differs = |difference: &str| TapeError::Differs { path: path.clone(), difference: difference.to_owned() };
        let segment = listed.iter().rev().find(|segment| segment.file == *name);
        let segment = segment.ok_or_else(|| differs("not in the manifest"))?;
        let found = hash(&path).map_err(TapeError::file(&path))?;
        if found != (segment.bytes, segment.sha256.clone()) {
            return Err(differs("its contents are not those that were written"));
        }
        count += 1;
    }
    Ok(count)
}

fn hash(path: &Path) -> io::Result<(u64, String)> {
    let mut hasher = Sha256::new();
    let bytes = io::copy(&mut File::open(path)?, &mut HashWriter(&mut hasher))?;
    Ok((bytes, hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect()))
}

struct HashWriter<'h>(&'h mut Sha256);

impl io::Write for HashWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

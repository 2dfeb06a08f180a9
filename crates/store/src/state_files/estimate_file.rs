//! Estimates in a file, for a store whose contents end with the process.

use std::{
    collections::BTreeMap,
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use parking_lot::Mutex;

use super::{blocking::access_disk, exclusive_file::create_new};
use crate::StoreError;

/// The name of the file in its directory.
const FILE_NAME: &str = "estimates";

/// The estimates in `<directory>/estimates`: one line per estimate, its name and itself, separated by a space. Every
/// change replaces the whole file; it is not synced to the disk, since estimates that a crash loses are made anew.
#[derive(Debug)]
pub struct EstimateFile {
    path: Arc<PathBuf>,
    /// Serializes writes.
    writing: Arc<Mutex<()>>,
    timeout: Duration,
}

impl EstimateFile {
    /// Uses the file in `directory`, which must belong to this process alone. A call fails if the disk takes longer
    /// than `timeout`.
    pub fn new(directory: &Path, timeout: Duration) -> Self {
        Self { path: Arc::new(directory.join(FILE_NAME)), writing: Arc::default(), timeout }
    }

    async fn run<T: Send + 'static>(
        &self,
        access: impl FnOnce(&Path) -> io::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (path, writing) = (Arc::clone(&self.path), Arc::clone(&self.writing));
        access_disk(self.timeout, move || {
            let _writing = writing.lock();
            access(&path)
        })
        .await
    }
}

impl EstimateFile {
    /// Returns the estimates by name.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when the disk does not respond.
    pub async fn read(&self) -> Result<BTreeMap<String, String>, StoreError> {
        self.run(|path| match fs::read_to_string(path) {
            Ok(text) => Ok(text.lines().filter_map(parse).collect()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(BTreeMap::new()),
            Err(error) => Err(error),
        })
        .await
    }

    /// Replaces all estimates.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when the disk does not respond.
    pub async fn write(&self, estimates: &BTreeMap<String, String>) -> Result<(), StoreError> {
        let lines: String = estimates.iter().map(|(name, estimate)| format!("{name} {estimate}\n")).collect();
        self.run(move |path| {
            let temporary = path.with_extension("new");
            create_new(&temporary)?.write_all(lines.as_bytes())?;
            fs::rename(temporary, path)
        })
        .await
    }
}

/// Returns the name and the estimate of a line.
fn parse(line: &str) -> Option<(String, String)> {
    let (name, estimate) = line.split_once(' ')?;
    Some((name.to_owned(), estimate.to_owned()))
}

//! Texts by name in a file, for a store whose contents end with the process.

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

/// A file with one line per text: its name and itself, separated by a space. Every change replaces the whole file; its
/// directory is not synced to the disk, so that a crash of the machine may lose the last change.
#[derive(Debug)]
pub struct NamedTextsFile {
    path: Arc<PathBuf>,
    /// Serializes writes.
    writing: Arc<Mutex<()>>,
    timeout: Duration,
}

impl NamedTextsFile {
    /// Uses the file at `path`, which must belong to this process alone. A call fails if the disk takes longer than
    /// `timeout`.
    pub fn new(path: PathBuf, timeout: Duration) -> Self {
        Self { path: Arc::new(path), writing: Arc::default(), timeout }
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

impl NamedTextsFile {
    /// Returns the texts by name.
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

    /// Replaces all texts.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when the disk does not respond.
    pub async fn write(&self, texts: &BTreeMap<String, String>) -> Result<(), StoreError> {
        let texts = texts.clone();
        self.write_with(move || texts).await
    }

    /// Replaces all texts by those that `latest` returns once no other write is in progress, so that the last write has the
    /// latest texts.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when the disk does not respond.
    pub async fn write_with(
        &self,
        latest: impl FnOnce() -> BTreeMap<String, String> + Send + 'static,
    ) -> Result<(), StoreError> {
        self.run(move |path| {
            let lines: String = latest().iter().map(|(name, text)| format!("{name} {text}\n")).collect();
            let temporary = path.with_extension("new");
            let mut file = create_new(&temporary)?;
            file.write_all(lines.as_bytes())?;
            file.sync_all()?;
            fs::rename(temporary, path)
        })
        .await
    }
}

/// Returns the name and the text of a line.
fn parse(line: &str) -> Option<(String, String)> {
    let (name, text) = line.split_once(' ')?;
    Some((name.to_owned(), text.to_owned()))
}

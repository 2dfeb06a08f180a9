//! Texts by name in a file, for a store whose contents end with the process.

use std::{collections::BTreeMap, fs, io, path::PathBuf, time::Duration};

use super::{exclusive_file::replace_file, state_file::StateFile};
use crate::StoreError;

/// A file with one line per text: its name and itself, separated by a space. Every change replaces the whole file.
#[derive(Debug)]
pub struct NamedTextsFile(StateFile);

impl NamedTextsFile {
    /// Uses the file at `path`, which must belong to this process alone. A call fails if the disk takes longer than
    /// `timeout`.
    pub fn new(path: PathBuf, timeout: Duration) -> Self {
        Self(StateFile::new(path, timeout))
    }

    /// Returns the texts by name.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when the disk does not respond.
    pub async fn read(&self) -> Result<BTreeMap<String, String>, StoreError> {
        let texts = self.0.access(|path| match fs::read_to_string(path) {
            Ok(text) => Ok(text.lines().filter_map(parse).collect()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(BTreeMap::new()),
            Err(error) => Err(error),
        });
        texts.await
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
        let replace = self.0.access(move |path| {
            let lines: String = latest().iter().map(|(name, text)| format!("{name} {text}\n")).collect();
            replace_file(path, lines.as_bytes())
        });
        replace.await
    }
}

/// Returns the name and the text of a line.
fn parse(line: &str) -> Option<(String, String)> {
    let (name, text) = line.split_once(' ')?;
    Some((name.to_owned(), text.to_owned()))
}

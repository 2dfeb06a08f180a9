//! The file in which `--cursor` remembers the last printed entry: the position that the next run resumes after.

use std::{fmt::Display, fs, io, path::PathBuf, str::FromStr};

use anyhow::Context as _;
use firmquote_store::replace_file;

/// A file with the position of the last printed entry in one line.
pub(crate) struct CursorFile(PathBuf);

impl CursorFile {
    /// Uses the file at `path`, which need not exist.
    pub(crate) const fn new(path: PathBuf) -> Self {
        Self(path)
    }

    /// Returns the position, or `None` if there is no file yet.
    ///
    /// # Errors
    /// When the file cannot be read, or is not a position in a ledger of this kind.
    pub(super) fn read<P: FromStr<Err: std::error::Error + Send + Sync + 'static>>(&self) -> anyhow::Result<Option<P>> {
        let name = || format!("--cursor {}", self.0.display());
        match fs::read_to_string(&self.0) {
            Ok(text) => Ok(Some(text.trim().parse().with_context(name)?)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error).with_context(name),
        }
    }

    /// Replaces the position. Entries are printed before, so one that is interrupted in between is printed again.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub(super) fn write(&self, position: &impl Display) -> anyhow::Result<()> {
        replace_file(&self.0, format!("{position}\n").as_bytes())
            .with_context(|| format!("--cursor {}", self.0.display()))
    }
}

//! Where the configuration comes from, and which of its files have changed.

use std::path::{Path, PathBuf};

use super::watch::Watched;
use crate::config::{self, Config, ConfigError, Files, Override};

/// Where the configuration comes from.
pub(crate) struct Origin {
    pub(super) path: PathBuf,
    overrides: Vec<Override>,
    /// What has to be in force together.
    together: Watched,
    /// What counts for itself.
    apart: Watched,
}

/// What has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// What has to be in force together, and perhaps the rest as well.
    Together,
    /// Only what counts for itself.
    Apart,
}

impl Origin {
    /// Watches the files of the configuration at `path` from now on; to be made before they are read.
    pub(crate) fn new(path: &Path, overrides: Vec<Override>) -> Self {
        let Files { together, apart } = config::files(path, &overrides);
        let (together, apart) = (Watched::new(together), Watched::new(apart));
        Self { path: path.to_owned(), overrides, together, apart }
    }

    /// Reads the configuration.
    ///
    /// # Errors
    /// For the first thing that is wrong.
    pub(crate) fn read(&self) -> Result<Config, ConfigError> {
        Config::from_file(&self.path, &self.overrides)
    }

    /// The same, for another thread.
    pub(super) fn reader(&self) -> impl FnOnce() -> Result<Config, ConfigError> + Send + 'static {
        let (path, overrides) = (self.path.clone(), self.overrides.clone());
        move || Config::from_file(&path, &overrides)
    }

    /// What has changed since it was read and has come to rest.
    pub(super) fn change(&mut self) -> Option<Change> {
        let (together, apart) = (self.together.have_changed(), self.apart.have_changed());
        match (together, apart) {
            (true, _) => Some(Change::Together),
            (false, true) => Some(Change::Apart),
            (false, false) => None,
        }
    }

    /// Takes what is to be read now for read. A file that is broken names no others: those that were known are watched on.
    pub(super) fn begin(&mut self, change: Change) {
        let Files { together, apart } = config::files(&self.path, &self.overrides);
        self.apart = self.apart.again(apart);
        if change == Change::Together {
            self.together = self.together.again(together);
        }
    }
}

//! Where the configuration comes from, and which of its files have changed.

use std::path::{Path, PathBuf};

use super::{reading::Reading, watch::Watched};
use crate::config::{self, Config, ConfigError, Files, Override};

/// How many looks have to see the same of files before they are read: lists are written bit by bit.
const LOOKS_TOGETHER: u32 = 5;
/// The same of files that are replaced whole, and cannot wait.
const LOOKS_APART: u32 = 2;

/// Where the configuration comes from.
pub(crate) struct Origin {
    pub(super) path: PathBuf,
    overrides: Vec<Override>,
    /// What has to be in force together.
    together: Watched,
    /// What counts for itself.
    apart: Watched,
}

/// What has to be read again.
#[derive(Clone, Copy, Debug)]
pub(super) struct Change {
    /// What counts for itself.
    pub(super) apart: bool,
    /// What has to be in force together, and how.
    pub(super) together: Option<Reading>,
}

impl Origin {
    /// Watches the files of the configuration at `path` from now on; to be made before they are read.
    pub(crate) fn new(path: &Path, overrides: Vec<Override>) -> Self {
        let Files { together, apart } = config::files(path, &overrides);
        let (together, apart) = (Watched::new(together, LOOKS_TOGETHER), Watched::new(apart, LOOKS_APART));
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
    pub(super) fn change(&mut self) -> Change {
        let (together, apart) = (self.together.have_changed(), self.apart.have_changed());
        Change { apart, together: together.then_some(Reading::CHANGED) }
    }

    /// Takes what is to be read now for read. A file that is broken names no others: those that were known are watched on.
    pub(super) fn begin(&mut self, change: &Change) {
        if !change.apart && change.together.is_none() {
            return;
        }
        let Files { together, apart } = config::files(&self.path, &self.overrides);
        if change.apart {
            self.apart = self.apart.again(apart);
        }
        if change.together.is_some() {
            self.together = self.together.again(together);
        }
    }
}

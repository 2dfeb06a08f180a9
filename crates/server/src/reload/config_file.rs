//! The file of a configuration, with those that it names, and which of them have changed.

use std::path::{Path, PathBuf};

use firmquote_config::{Config, ConfigError, Files, Override, files};

use super::watched_files::WatchedFiles;
use crate::sources::system_sources;

/// How many looks have to see the same of files before they are read: lists are written bit by bit.
const CONFIG_LOOKS: u32 = 5;
/// The same of files that are replaced whole, and cannot wait.
const LOOKS_ALONE: u32 = 2;

/// The file that a configuration is read from, with the variables over it, to be watched for changes.
pub struct ConfigFile {
    pub(super) path: PathBuf,
    overrides: Vec<Override>,
    /// What has to be in force together.
    together: WatchedFiles,
    credentials: WatchedFiles,
    certificate: WatchedFiles,
}

/// What has to be read again.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChangedFiles {
    pub(super) credentials: bool,
    pub(super) certificate: bool,
    /// What has to be in force together.
    pub(super) together: bool,
}

impl ChangedFiles {
    /// Everything.
    pub(super) const ALL: Self = Self { credentials: true, certificate: true, together: true };

    pub(super) const fn is_any(&self) -> bool {
        self.credentials || self.certificate || self.together
    }
}

impl ConfigFile {
    /// Watches the files of the configuration at `path` from now on; to be made before they are read.
    pub fn new(path: &Path, overrides: Vec<Override>) -> Self {
        let Files { together, credentials, certificate } = files(path, &overrides, &*system_sources());
        Self {
            path: path.to_owned(),
            overrides,
            together: WatchedFiles::new(together, CONFIG_LOOKS),
            credentials: WatchedFiles::new(credentials, LOOKS_ALONE),
            certificate: WatchedFiles::new(certificate, LOOKS_ALONE),
        }
    }

    /// Reads the configuration.
    ///
    /// # Errors
    /// For the first thing that is wrong.
    pub fn read(&self) -> Result<Config, ConfigError> {
        Config::from_file(&self.path, &self.overrides, &system_sources())
    }

    /// The same, for another thread.
    pub(super) fn reader(&self) -> impl FnOnce() -> Result<Config, ConfigError> + Send + 'static {
        let (path, overrides) = (self.path.clone(), self.overrides.clone());
        move || Config::from_file(&path, &overrides, &system_sources())
    }

    /// What has changed since it was read and has come to rest.
    pub(super) fn change(&mut self) -> ChangedFiles {
        ChangedFiles {
            credentials: self.credentials.have_changed(),
            certificate: self.certificate.have_changed(),
            together: self.together.have_changed(),
        }
    }

    /// Whether what has to be in force together is as it was when it was read.
    pub(super) fn is_at_rest(&self) -> bool {
        self.together.is_at_rest()
    }

    /// Takes what is to be read now for read. The configuration may name other files than before; those that were known are
    /// watched on, for one that is broken names none.
    pub(super) fn begin(&mut self, change: &ChangedFiles) {
        let Files { together, credentials, certificate } = files(&self.path, &self.overrides, &*system_sources());
        let watched = [
            (&mut self.together, together, change.together),
            (&mut self.credentials, credentials, change.credentials),
            (&mut self.certificate, certificate, change.certificate),
        ];
        for (watched, files, is_read) in watched {
            watched.add(files);
            if is_read {
                watched.begin();
            }
        }
    }
}

//! The configuration file and the files that it names, watched for changes.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use firmquote_config::{Config, ConfigError, Environment, Files, Override, files};

use super::watched_files::WatchedFiles;
use crate::environment::system_environment;

/// What a host changes in each configuration that is read.
type Change = dyn Fn(&mut Config) -> Result<(), ConfigError> + Send + Sync;

/// How many polls must see the same state of files before they are read: lists may be written piece by piece.
const CONFIG_STABLE_POLLS: u32 = 3;
/// The same for files that are replaced atomically and are urgent.
const ATOMIC_STABLE_POLLS: u32 = 2;

/// The file that a configuration is read from, with its environment overrides, watched for changes.
pub struct ConfigFile {
    pub(super) path: PathBuf,
    overrides: Vec<Override>,
    environment: Arc<dyn Environment>,
    change: Arc<Change>,
    /// The files that take effect together: the configuration and its lists of accounts.
    config_and_lists: WatchedFiles,
    credentials: WatchedFiles,
    certificate: WatchedFiles,
}

/// The files that must be reloaded.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChangedFiles {
    pub(super) credentials: bool,
    pub(super) certificate: bool,
    /// The files that take effect together: the configuration and its lists of accounts.
    pub(super) config_and_lists: bool,
}

impl ChangedFiles {
    /// All files.
    pub(super) const ALL: Self = Self { credentials: true, certificate: true, config_and_lists: true };

    pub(super) const fn is_any(&self) -> bool {
        self.credentials || self.certificate || self.config_and_lists
    }
}

impl ConfigFile {
    /// Watches the files of the configuration at `path` from now on; must be created before they are read.
    pub fn new(path: &Path, overrides: Vec<Override>) -> Self {
        let environment = system_environment();
        let Files { config_and_lists, credentials, certificate } = files(path, &overrides, &*environment);
        Self {
            path: path.to_owned(),
            overrides,
            environment,
            change: Arc::new(|_| Ok(())),
            config_and_lists: WatchedFiles::new(config_and_lists, CONFIG_STABLE_POLLS),
            credentials: WatchedFiles::new(credentials, ATOMIC_STABLE_POLLS),
            certificate: WatchedFiles::new(certificate, ATOMIC_STABLE_POLLS),
        }
    }

    /// Applies `change` to the configuration whenever it is read, so that what a host changes by code holds after a
    /// reload as well. A change that fails refuses the configuration.
    #[must_use]
    pub fn with_change(
        mut self,
        change: impl Fn(&mut Config) -> Result<(), ConfigError> + Send + Sync + 'static,
    ) -> Self {
        self.change = Arc::new(change);
        self
    }

    /// Reads the configuration.
    ///
    /// # Errors
    /// [`ConfigError`] for the first problem.
    pub fn read(&self) -> Result<Config, ConfigError> {
        self.reader()()
    }

    /// Returns [`Self::read`] as a closure for another thread.
    pub(super) fn reader(&self) -> impl FnOnce() -> Result<Config, ConfigError> + Send + 'static {
        let (path, overrides, environment) = (self.path.clone(), self.overrides.clone(), Arc::clone(&self.environment));
        let change = Arc::clone(&self.change);
        move || {
            let mut config = Config::from_file(&path, &overrides, &environment)?;
            change(&mut config)?;
            Ok(config)
        }
    }

    /// Returns the files that have changed since they were read and are stable again.
    pub(super) fn changed(&mut self) -> ChangedFiles {
        ChangedFiles {
            credentials: self.credentials.have_changed(),
            certificate: self.certificate.have_changed(),
            config_and_lists: self.config_and_lists.have_changed(),
        }
    }

    /// Whether the files that take effect together are unchanged since they were read.
    pub(super) fn is_unchanged(&self) -> bool {
        self.config_and_lists.is_unchanged()
    }

    /// Marks the files of `changed` as read. The configuration may name new files, which are watched too; the known
    /// ones stay watched, because a broken configuration names none.
    pub(super) fn mark_read(&mut self, changed: &ChangedFiles) {
        let Files { config_and_lists, credentials, certificate } =
            files(&self.path, &self.overrides, &*self.environment);
        let watched = [
            (&mut self.config_and_lists, config_and_lists, changed.config_and_lists),
            (&mut self.credentials, credentials, changed.credentials),
            (&mut self.certificate, certificate, changed.certificate),
        ];
        for (watched, files, is_read) in watched {
            watched.add(files);
            if is_read {
                watched.mark_read();
            }
        }
    }
}

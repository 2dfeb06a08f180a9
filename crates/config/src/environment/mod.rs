//! Access to the resources that a configuration refers to: variables, files, and the limits of the machine.

mod files;
mod relative;
pub mod secret_file;

pub use files::{Files, files};
pub(crate) use relative::relative_to;

use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use firmquote_signer::{KeystoreError, LocalSigner};
use zeroize::Zeroizing;

/// Description of the allowed modes of a secret file, for error messages.
pub const SECRET_MODES: &str = "mode 600 or 400, or 640 or 440 of root's if the service is not root";

/// The parts of the system that a configuration depends on. The only real implementation is the program's; nothing else
/// reads the environment.
pub trait Environment: Send + Sync {
    /// Returns the secret in an environment variable; `None` if it is unset or not UTF-8.
    fn variable(&self, name: &str) -> Option<Zeroizing<String>>;

    /// Returns where the file that a configuration calls `path` is: relative to the working directory, by default.
    fn resolve(&self, path: &Path) -> PathBuf {
        path.to_owned()
    }

    /// Returns the text of the configuration at `path`.
    ///
    /// # Errors
    /// [`io::Error`] when it cannot be read or is not UTF-8.
    fn text(&self, path: &Path) -> io::Result<String>;

    /// Returns the contents of the file at `path`, at most `max_bytes`, overwritten when dropped.
    ///
    /// # Errors
    /// [`UnreadableFile`] for the first problem.
    fn file(&self, path: &Path, max_bytes: usize, readers: FileReaders) -> Result<Zeroizing<Vec<u8>>, UnreadableFile>;

    /// Returns the signer of an encrypted keystore.
    ///
    /// # Errors
    /// [`KeystoreError`] for an unusable keystore, and for a wrong password.
    fn signer(&self, keystore: &[u8], password: &[u8]) -> Result<Arc<LocalSigner>, KeystoreError> {
        LocalSigner::from_keystore(keystore, password).map(Arc::new)
    }

    /// Returns the memory in bytes that the process may use, bounded by its control group or the machine.
    fn memory_bytes(&self) -> Option<u64>;

    /// Returns the maximum number of connections that the system lets the process open; `None` without a limit.
    fn max_connections(&self) -> Option<u64>;
}

/// An empty system, for documents without references.
#[derive(Clone, Copy, Debug, Default)]
pub struct EmptyEnvironment;

impl Environment for EmptyEnvironment {
    fn variable(&self, _name: &str) -> Option<Zeroizing<String>> {
        None
    }

    fn text(&self, _path: &Path) -> io::Result<String> {
        Err(io::ErrorKind::NotFound.into())
    }

    fn file(
        &self,
        _path: &Path,
        _max_bytes: usize,
        _readers: FileReaders,
    ) -> Result<Zeroizing<Vec<u8>>, UnreadableFile> {
        Err(io::Error::from(io::ErrorKind::NotFound).into())
    }

    fn memory_bytes(&self) -> Option<u64> {
        None
    }

    fn max_connections(&self) -> Option<u64> {
        None
    }
}

/// Which users may have read access to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileReaders {
    /// Any user.
    All,
    /// Only its owner, and the group that `root` assigns to it, which is how container runtimes and service managers
    /// pass secrets to a user other than `root`.
    OwnerOnly,
}

/// Why a file is not read.
#[derive(Debug, thiserror::Error)]
pub enum UnreadableFile {
    /// The system returned an error.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Users other than the owner may read or write it.
    #[error("it is not a file that only its owner may read and write ({SECRET_MODES})")]
    Exposed,
    /// Reading did not finish in time.
    #[error(
        "it was not read to its end within {timeout_seconds} s; it may be a pipe without a writer \
         or on a mount that hangs"
    )]
    TooSlow {
        /// The time limit.
        timeout_seconds: u64,
    },
    /// It is longer than any valid file.
    #[error("it is longer than {max_bytes} bytes")]
    TooLong {
        /// The maximum length in bytes.
        max_bytes: usize,
    },
}

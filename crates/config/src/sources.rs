//! Where a configuration finds what stands outside its text: variables, files, and the size of the machine.

use std::{io, path::Path};

use zeroize::Zeroizing;

/// What the mode of a file of secrets has to be, for people.
pub const SECRET_MODES: &str = "mode 600 or 400, or 640 or 440 of root's if the service is not root";

/// The system, as far as a configuration depends on it. The one real implementation is the program's; nothing else reads the
/// environment.
pub trait Sources: Send + Sync {
    /// The secret in an environment variable, or `None` if it is not set or not text.
    fn variable(&self, name: &str) -> Option<Zeroizing<String>>;

    /// The text of the configuration at `path`.
    ///
    /// # Errors
    /// [`io::Error`] when it cannot be read, or is not text.
    fn text(&self, path: &Path) -> io::Result<String>;

    /// The contents of the file at `path`, at most `max_bytes`, overwritten when dropped.
    ///
    /// # Errors
    /// [`UnreadableFile`] for the first thing that is wrong.
    fn file(&self, path: &Path, max_bytes: usize, readers: FileReaders) -> Result<Zeroizing<Vec<u8>>, UnreadableFile>;

    /// The memory that the process may use, in bytes: that of its control group or of the machine.
    fn memory_bytes(&self) -> Option<u64>;

    /// The most connections that the system lets the process open; `None` without a limit.
    fn max_connections(&self) -> Option<u64>;
}

/// A system where nothing is, for documents that name nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoSources;

impl Sources for NoSources {
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

/// Who may be able to read a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileReaders {
    /// Anybody.
    All,
    /// Its owner; and the group that `root` gives it to, which is how a container and a service manager hand secrets to
    /// a user who is not `root`.
    OwnerOnly,
}

/// Why a file is not read.
#[derive(Debug, thiserror::Error)]
pub enum UnreadableFile {
    /// It cannot be.
    #[error("it cannot be read")]
    Io(#[from] io::Error),
    /// Others may read it, or write it.
    #[error("it is not a file that only its owner may read and write ({SECRET_MODES})")]
    Exposed,
    /// It did not come to its end in time.
    #[error(
        "it was not read to its end within {deadline_seconds} s; of a pipe nobody writes into or a mount that hangs nothing comes"
    )]
    TooSlow {
        /// The time that there was.
        deadline_seconds: u64,
    },
    /// It holds more than anything that is meant.
    #[error("it is longer than {max_bytes} bytes")]
    TooLong {
        /// The most bytes.
        max_bytes: usize,
    },
}

//! Why a tape cannot be written or read.

use std::{io, path::PathBuf};

use arrow_schema::ArrowError;

/// Why a tape cannot be written or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TapeError {
    /// A file cannot be read or written.
    #[error("{}", .path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// A file is not a segment of this table.
    #[error("{}: not a segment of this table", .path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: ArrowError,
    },
    /// A segment is not what the manifest says.
    #[error("{}: {difference}", .path.display())]
    Differs {
        /// The file.
        path: PathBuf,
        /// What differs.
        difference: String,
    },
    /// Another process writes in the directory.
    #[error("{}: another process writes there", .path.display())]
    InUse {
        /// The directory.
        path: PathBuf,
    },
}

impl TapeError {
    /// Creates a conversion of errors of the file at `path`.
    pub(crate) fn file(path: &std::path::Path) -> impl Fn(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::File { path: path.clone(), source }
    }

    /// Creates a conversion of errors of the contents of the file at `path`.
    pub(crate) fn invalid(path: &std::path::Path) -> impl Fn(ArrowError) -> Self {
        let path = path.to_owned();
        move |source| match source {
            ArrowError::IoError(_, source) => Self::File { path: path.clone(), source },
            source => Self::Invalid { path: path.clone(), source },
        }
    }
}

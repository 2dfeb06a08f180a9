//! Why an archive cannot be continued, and what is reported while it is.

use std::{fmt, io, path::PathBuf};

#[cfg(feature = "redis")]
use crate::{EventStream, StoreError, redis::LedgerId};

/// Reasons an archive cannot be continued.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// A file of the archive cannot be read or written; some entries may be archived. Opening the archiver again continues
    /// after those.
    #[error("cannot archive to {}", .path.display())]
    Directory {
        /// The file or directory.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The ledger file cannot be read. Opening the archiver again continues.
    #[error("cannot read the ledger file {}", .path.display())]
    Ledger {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// Another process archives to the directory.
    #[error("{}: another process archives there", .0.display())]
    Locked(PathBuf),
    /// The directory is the archive of another kind of ledger.
    #[error("{}: not the cursor of this kind of ledger: use another directory", .path.display())]
    OtherLedger {
        /// The cursor.
        path: PathBuf,
        /// What is wrong with it.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The time of an entry is past the year 9999.
    #[error("the time of an entry is past the year 9999")]
    Time(#[source] jiff::Error),
    /// Entries may be missing, and gaps are not accepted.
    #[error("{0}: entries in between may be missing")]
    Gap(ArchiveGap),
    /// The store could not be reached. The archiver can be used again.
    #[cfg(feature = "redis")]
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Entries that may be missing: the ledger may have dropped them before they were archived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArchiveGap {
    /// The file that was archived last was moved elsewhere or removed, perhaps not archived to its end.
    File {
        /// The ledger file.
        path: PathBuf,
    },
    /// The stream in Redis begins after the last archived entry.
    #[cfg(feature = "redis")]
    Stream {
        /// The stream.
        stream: EventStream,
        /// Its first entry.
        first: LedgerId,
        /// The last archived entry.
        archived: LedgerId,
    },
}

/// What an archiver reports while it goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArchiveWarning {
    /// So many lines of a ledger file are not entries.
    InvalidLines(usize),
    /// A gap that was accepted.
    Gap(ArchiveGap),
    /// Redis has another history of writes, after a failover or a restart: its end is read again.
    #[cfg(feature = "redis")]
    OtherHistory(EventStream),
    /// The stream in Redis ends before the last archived entry: all of it is read again.
    #[cfg(feature = "redis")]
    Shortened {
        /// The stream.
        stream: EventStream,
        /// Its last entry.
        last: LedgerId,
        /// The last entry that was read.
        read: LedgerId,
    },
}

impl fmt::Display for ArchiveGap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { path } => {
                write!(f, "the file that was archived last is neither {} nor beside it", path.display())
            }
            #[cfg(feature = "redis")]
            Self::Stream { stream, first, archived } => {
                write!(f, "{} begins at {first}, after {archived}, the last archived entry", name(*stream))
            }
        }
    }
}

impl fmt::Display for ArchiveWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InvalidLines(count) => write!(f, "left out {count} invalid lines, possibly left by a crash"),
            Self::Gap(gap) => write!(f, "{gap}: continuing"),
            #[cfg(feature = "redis")]
            Self::OtherHistory(stream) => {
                let stream = name(*stream);
                write!(f, "another server or history of Redis: reading the last ten minutes of {stream} again")
            }
            #[cfg(feature = "redis")]
            Self::Shortened { stream, last, read } => {
                write!(f, "{} ends at {last}, before {read}: reading all of it again", name(*stream))
            }
        }
    }
}

#[cfg(feature = "redis")]
const fn name(stream: EventStream) -> &'static str {
    match stream {
        EventStream::Ledger => "the ledger",
        EventStream::Operator => "the operator's stream",
    }
}

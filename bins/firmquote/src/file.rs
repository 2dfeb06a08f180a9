//! Files that hold secrets, and others of a known size.

use std::{
    fs::File,
    io::{self, Read as _},
    os::unix::fs::PermissionsExt as _,
    path::Path,
};

use zeroize::Zeroizing;

/// Who may be able to read a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Readers {
    /// Anybody.
    All,
    /// Its owner and nobody else.
    OwnerOnly,
}

/// Why a file is not read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unread {
    /// It cannot be.
    #[error("it cannot be read")]
    Io(#[from] io::Error),
    /// Others may read it, or write it.
    #[error("it is not a file that only its owner may read and write (mode 600 or 400)")]
    Exposed,
    /// It holds more than anything that is meant.
    #[error("it is longer than {most} bytes")]
    TooLong {
        /// The most bytes.
        most: usize,
    },
}

/// The contents of the file at `path`, at most `most` bytes, overwritten when dropped.
///
/// # Errors
/// [`Unread`] for the first thing that is wrong. Pipes and the like have no owner that matters: they are read.
pub(crate) fn read(path: &Path, most: usize, readers: Readers) -> Result<Zeroizing<Vec<u8>>, Unread> {
    let file = File::open(path)?;
    let meta = file.metadata()?;
    if readers == Readers::OwnerOnly && meta.is_file() && meta.permissions().mode() & 0o077 != 0 {
        return Err(Unread::Exposed);
    }
    // With room for everything no copies stay behind in memory.
    let mut contents = Zeroizing::new(Vec::with_capacity(most.saturating_add(1)));
    let limit = u64::try_from(most).unwrap_or(u64::MAX).saturating_add(1);
    file.take(limit).read_to_end(&mut contents)?;
    if contents.len() > most { Err(Unread::TooLong { most }) } else { Ok(contents) }
}

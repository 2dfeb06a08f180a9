//! `firmquote ledger archive`: copies the ledger into daily files that are kept.

mod directory;
mod file;
mod stream;

use std::path::Path;

use anyhow::ensure;

use self::directory::ArchiveDirectory;
use super::LedgerSource;

/// How an archiver runs.
#[derive(Clone, Copy)]
pub(crate) struct ArchiveOptions {
    /// Whether it continues with entries that are added later.
    pub(crate) follow: bool,
    /// Whether it continues after entries that the ledger no longer has.
    pub(crate) accept_gap: bool,
}

/// Archives the ledger configured in the file at `path` in `directory`.
///
/// # Errors
/// When the ledger cannot be read or the directory cannot be written, and for entries that were dropped before they
/// were archived.
pub(crate) fn run(path: &Path, directory: &Path, options: ArchiveOptions) -> anyhow::Result<()> {
    let source = LedgerSource::from_config(path)?;
    let mut directory = ArchiveDirectory::open(directory)?;
    match source {
        LedgerSource::Stream(redis) => stream::archive(&redis, &mut directory, options),
        LedgerSource::File(file) => {
            ensure!(!options.accept_gap, "--accept-gap is for a ledger in Redis: a file loses no entries");
            file::archive(&file, &mut directory, options.follow)
        }
    }
}

//! `firmquote ledger archive`: copies the ledger into daily files that are kept.

mod directory;
mod file;
mod stream;

use std::path::Path;

use anyhow::ensure;

use self::directory::ArchiveDirectory;
use super::source::LedgerSource;

/// Archives the ledger configured in the file at `path` in `directory`, with `follow` also what is added later. With
/// `accept_gap` it continues after entries that Redis dropped before they were archived.
///
/// # Errors
/// When the ledger cannot be read or the directory cannot be written, and for entries that were dropped.
pub(in crate::commands) fn run(path: &Path, directory: &Path, follow: bool, accept_gap: bool) -> anyhow::Result<()> {
    let source = LedgerSource::from_config(path)?;
    let mut directory = ArchiveDirectory::open(directory)?;
    match source {
        LedgerSource::Stream(redis) => stream::archive(&redis, &mut directory, follow, accept_gap),
        LedgerSource::File(file) => {
            ensure!(!accept_gap, "--accept-gap is for a ledger in Redis: a file loses no entries");
            file::archive(&file, &mut directory, follow)
        }
    }
}

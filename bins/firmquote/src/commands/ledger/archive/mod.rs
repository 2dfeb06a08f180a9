//! `firmquote ledger archive`: copies the ledger and the operator's stream into daily files that are kept.

mod directory;
mod file;
mod stream;

use std::{io, mem, path::Path, thread::sleep, time::Duration};

use self::directory::Archive;
pub(in crate::commands) use self::directory::OPERATOR_DIRECTORY;
use super::{printer::note, source::LedgerSource};

/// Archives the ledger configured in the file at `path`, and the operator's stream beside it, in `directory`, with
/// `follow` also what is added later. With `accept_gap` it continues after entries that were dropped before they were
/// archived.
///
/// # Errors
/// When the ledger cannot be read or the directory cannot be written, and for entries that were dropped.
pub(in crate::commands) fn run(path: &Path, directory: &Path, follow: bool, accept_gap: bool) -> anyhow::Result<()> {
    let source = LedgerSource::from_config(path)?;
    let mut archive = Archive::open(directory)?;
    let mut is_reported = false;
    loop {
        let archived = match &source {
            LedgerSource::Stream(redis) => stream::archive(redis, &mut archive, follow, accept_gap),
            LedgerSource::File(file) => file::archive(file, &mut archive, follow, accept_gap),
        };
        match archived {
            // A full disk has room again some day.
            Err(error) if follow && error.chain().any(|cause| cause.is::<io::Error>()) => {
                if !mem::replace(&mut is_reported, true) {
                    note(&format!("{error:#}; retrying until it succeeds"));
                }
                sleep(RETRY_INTERVAL);
            }
            archived => return archived,
        }
    }
}

/// The time between two attempts after an error of a file.
const RETRY_INTERVAL: Duration = Duration::from_secs(5);

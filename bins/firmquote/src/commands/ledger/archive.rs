//! `firmquote ledger archive`: copies the ledger and the operator's stream into daily files that are kept.

use std::{mem, path::Path, thread::sleep, time::Duration};

use anyhow::anyhow;
use firmquote_outbound::error_chain;
use firmquote_store::{
    archive::{Archive, ArchiveError, ArchiveWarning, FileArchiver, StreamArchiver},
    redis::RedisConfig,
};

use super::{
    printer::{POLL_INTERVAL, note},
    source::LedgerSource,
    stream::connect,
};
use crate::commands::runtime::runtime;

/// The time between two attempts after an error of a file.
const RETRY_INTERVAL: Duration = Duration::from_secs(5);

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
            LedgerSource::Stream(redis) => archive_streams(redis, &mut archive, follow, accept_gap)?,
            LedgerSource::File(file) => archive_file(file, &mut archive, follow, accept_gap),
        };
        match archived {
            // A full disk has room again some day.
            Err(error @ (ArchiveError::Directory { .. } | ArchiveError::Ledger { .. })) if follow => {
                if !mem::replace(&mut is_reported, true) {
                    note(&format!("{}; retrying until it succeeds", error_chain(&error)));
                }
                sleep(RETRY_INTERVAL);
            }
            Err(gap @ ArchiveError::Gap(_)) => {
                return Err(anyhow!("{gap}. --accept-gap continues with what is there"));
            }
            archived => return Ok(archived?),
        }
    }
}

fn report(message: ArchiveWarning) {
    note(&message.to_string());
}

fn archive_file(path: &Path, archive: &mut Archive, follow: bool, accept_gap: bool) -> Result<(), ArchiveError> {
    let mut archiver = FileArchiver::open(path, archive, accept_gap, &mut report)?;
    loop {
        if archiver.archive_new(&mut report)? {
            continue;
        }
        if !follow {
            return Ok(());
        }
        sleep(POLL_INTERVAL);
    }
}

/// Archives the streams in Redis. The inner error is that of the archive.
fn archive_streams(
    config: &RedisConfig,
    archive: &mut Archive,
    follow: bool,
    accept_gap: bool,
) -> anyhow::Result<Result<(), ArchiveError>> {
    runtime()?.block_on(async {
        let store = connect(config).await?;
        let archived = async {
            let mut archiver = StreamArchiver::open(&store, archive, config.ledger_max_age_seconds, accept_gap)?;
            let mut is_reported = false;
            loop {
                match archiver.archive_new(&mut report).await {
                    Ok(true) => continue,
                    Ok(false) if follow => is_reported = false,
                    Err(ArchiveError::Store(error)) if follow => {
                        if !mem::replace(&mut is_reported, true) {
                            note(&format!("{}; retrying until it responds", error_chain(&error)));
                        }
                    }
                    archived => return archived.map(drop),
                }
                tokio::time::sleep(POLL_INTERVAL).await;
            }
        };
        Ok(archived.await)
    })
}

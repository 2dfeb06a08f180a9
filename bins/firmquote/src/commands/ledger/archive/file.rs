//! Archives a ledger file. A file that was rotated is read to its end, and then the new one from its start.

use std::{fs, mem, os::unix::fs::MetadataExt as _, path::Path, thread::sleep};

use anyhow::Context as _;
use firmquote_domain::Timestamp;
use firmquote_store::ledger::{LedgerLine, LedgerPosition, LedgerReader};
use serde::{Deserialize, Serialize};

use super::{
    super::printer::{POLL_INTERVAL, note},
    directory::{ArchiveDirectory, Entry},
};

/// The position up to which a file is archived.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Cursor {
    /// See [`LedgerPosition`].
    position: String,
}

/// How much earlier than the first entry that is read the time of an archived one may be, in microseconds: lines are
/// not strictly in the order of their times.
const TOLERANCE_US: u64 = 600_000_000;

/// Archives what is in the file at `path` and, with `follow`, what is added later.
pub(super) fn archive(path: &Path, directory: &mut ArchiveDirectory, follow: bool) -> anyhow::Result<()> {
    let name = || format!("store.ledger_file: cannot read {}", path.display());
    let open = |position| LedgerReader::open(path).and_then(|reader| reader.follow_from(position)).with_context(name);
    let cursor: Option<Cursor> = directory.cursor()?;
    let position = cursor.map(|cursor| cursor.position.parse()).transpose()?;
    let mut follower = open(position.unwrap_or(LedgerPosition::START))?;
    let mut is_first_read = true;
    loop {
        let lines = follower.new_lines().with_context(name)?;
        if lines.is_empty() {
            directory.leave_out_nothing();
            let is_rotated = fs::metadata(path).is_ok_and(|metadata| Some(metadata.ino()) != follower.inode().ok());
            match (is_rotated, follow) {
                (true, _) => (follower, is_first_read) = (open(LedgerPosition::START)?, true),
                (false, true) => sleep(POLL_INTERVAL),
                (false, false) => return Ok(()),
            }
            continue;
        }
        let invalid = lines.iter().filter(|line| **line == LedgerLine::Invalid).count();
        if invalid > 0 {
            note(&format!("left out {invalid} invalid lines, possibly left by a crash"));
        }
        let entries: Vec<Entry> = lines.into_iter().filter_map(entry).collect();
        if let Some((first, _)) = entries.first()
            && mem::take(&mut is_first_read)
        {
            // A crash may have left entries beyond the cursor, and a new file may begin with the last day of the old one.
            let since = first.as_micros().saturating_sub(TOLERANCE_US);
            directory.leave_out_since(Timestamp::from_micros(since))?;
        }
        directory.append(entries)?;
        directory.set_cursor(&Cursor { position: follower.position()?.to_string() })?;
    }
}

fn entry(line: LedgerLine) -> Option<Entry> {
    match line {
        LedgerLine::Entry { text, time } => Some((time, text)),
        LedgerLine::Invalid => None,
    }
}

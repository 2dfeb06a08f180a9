//! Archives a ledger file, and the operator's stream beside it. A file that was rotated is read to its end, and then the
//! new one from its start.

use std::{
    fs, io, mem,
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
    thread::sleep,
};

use anyhow::{Context as _, ensure};
use firmquote_domain::Timestamp;
use firmquote_server::OPERATOR_FILE;
use firmquote_store::ledger::{LedgerFollower, LedgerLine, LedgerPosition, LedgerReader};
use serde::{Deserialize, Serialize};

use super::{
    super::printer::{POLL_INTERVAL, note},
    directory::{Archive, ArchiveDirectory, Entry},
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

/// Archives what is in the ledger file at `path` and in the operator's stream beside it and, with `follow`, what is
/// added later.
pub(super) fn archive(
    path: &Path,
    Archive { ledger, operator }: &mut Archive,
    follow: bool,
    accept_gap: bool,
) -> anyhow::Result<()> {
    let mut archivers = vec![FileArchiver::open(path, ledger, accept_gap)?];
    let (operator_path, mut operator) = (path.with_file_name(OPERATOR_FILE), Some(operator));
    loop {
        // An earlier release may write the ledger, which has no such file.
        if operator_path.is_file()
            && let Some(directory) = operator.take()
        {
            archivers.push(FileArchiver::open(&operator_path, directory, accept_gap)?);
        }
        let mut has_more = false;
        for archiver in &mut archivers {
            has_more |= archiver.archive_lines()?;
        }
        match (has_more, follow) {
            (true, _) => {}
            (false, true) => sleep(POLL_INTERVAL),
            (false, false) => return Ok(()),
        }
    }
}

/// The archiver of a file.
struct FileArchiver<'d> {
    path: PathBuf,
    directory: &'d mut ArchiveDirectory,
    follower: LedgerFollower,
    /// Whether nothing was read from the file yet.
    is_first_read: bool,
}

impl<'d> FileArchiver<'d> {
    /// Opens the file where the archive ends.
    fn open(path: &Path, directory: &'d mut ArchiveDirectory, accept_gap: bool) -> anyhow::Result<Self> {
        let cursor: Option<Cursor> = directory.cursor()?;
        let follower = match cursor.map(|cursor| cursor.position.parse()).transpose()? {
            Some(position) => open_at(path, position, accept_gap)?,
            None => open(path, LedgerPosition::START).with_context(|| unreadable(path))?,
        };
        Ok(Self { path: path.to_owned(), directory, follower, is_first_read: true })
    }

    /// Archives the lines that there are. Returns whether there may be others.
    fn archive_lines(&mut self) -> anyhow::Result<bool> {
        let name = || unreadable(&self.path);
        // Before the lines: a file that was given up has no others then.
        let is_written = self.follower.is_written().with_context(name)?;
        let lines = self.follower.new_lines().with_context(name)?;
        if lines.is_empty() {
            self.directory.leave_out_nothing();
            let inode = self.follower.inode().ok();
            let is_rotated = fs::metadata(&self.path).is_ok_and(|metadata| Some(metadata.ino()) != inode);
            let is_over = is_rotated && !is_written;
            if is_over {
                self.follower = open(&self.path, LedgerPosition::START).with_context(name)?;
                self.is_first_read = true;
            }
            return Ok(is_over);
        }
        let invalid = lines.iter().filter(|line| **line == LedgerLine::Invalid).count();
        if invalid > 0 {
            note(&format!("left out {invalid} invalid lines, possibly left by a crash"));
        }
        let entries: Vec<Entry> = lines.into_iter().filter_map(entry).collect();
        if let Some((first, _)) = entries.first()
            && mem::take(&mut self.is_first_read)
        {
            // A crash may have left entries beyond the cursor, and a new file may begin with the last day of the old one.
            let since = first.as_micros().saturating_sub(TOLERANCE_US);
            self.directory.leave_out_since(Timestamp::from_micros(since))?;
        }
        self.directory.append(entries)?;
        self.directory.set_cursor(&Cursor { position: self.follower.position()?.to_string() })?;
        Ok(true)
    }
}

fn unreadable(path: &Path) -> String {
    format!("store.ledger_file: cannot read {}", path.display())
}

fn open(path: &Path, position: LedgerPosition) -> io::Result<LedgerFollower> {
    LedgerReader::open(path)?.follow_from(position)
}

/// Opens the file that contains `position`: the one at `path`, or one beside it that was rotated. What a service put in
/// place of lines that it could not sync is read from the start of the file.
///
/// # Errors
/// When that file is not there, without `accept_gap`.
fn open_at(path: &Path, position: LedgerPosition, accept_gap: bool) -> anyhow::Result<LedgerFollower> {
    let name = || unreadable(path);
    let current = LedgerReader::open(path).with_context(name)?;
    if current.inode().with_context(name)? == position.inode() {
        return current.follow_from(position).with_context(name);
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    for entry in fs::read_dir(folder).with_context(name)? {
        let entry = entry.with_context(name)?;
        if entry.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.ino() == position.inode()) {
            let mut rotated = LedgerReader::open(&entry.path()).with_context(name)?;
            if rotated.contains(position).with_context(name)? {
                return rotated.follow_from(position).with_context(name);
            }
        }
    }
    let gap = format!("the file that was archived last is neither {} nor beside it", path.display());
    ensure!(accept_gap, "{gap}: entries at its end may be missing. --accept-gap continues with the file that is there");
    note(&format!("{gap}: continuing"));
    current.follow_from(LedgerPosition::START).with_context(name)
}

fn entry(line: LedgerLine) -> Option<Entry> {
    match line {
        LedgerLine::Entry { text, time } => Some((time, text)),
        LedgerLine::Invalid => None,
    }
}

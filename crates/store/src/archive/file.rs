//! Archives a ledger file, and the operator's stream beside it. A file that was rotated is read to its end, and then the
//! new one from its start.

use std::{
    fs, io, mem,
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
};

use firmquote_domain::Timestamp;
use serde::{Deserialize, Serialize};

use super::{
    Archive, ArchiveError, ArchiveGap, ArchiveWarning,
    directory::{ArchiveDirectory, Entry},
};
use crate::ledger::{LedgerFollower, LedgerLine, LedgerPosition, LedgerReader, OPERATOR_FILE};

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

/// Archives a ledger file, and the operator's stream beside it, which an earlier release does not write.
///
/// After an error it has to be opened again, which continues where the archive ends.
pub struct FileArchiver<'a> {
    files: Vec<FileCopier<'a>>,
    /// The operator's stream, until it is there.
    operator: Option<(PathBuf, &'a mut ArchiveDirectory)>,
    accept_gap: bool,
}

impl<'a> FileArchiver<'a> {
    /// Opens the ledger file at `path` where the archive ends. With `accept_gap` it continues after entries that may be
    /// missing. `report` is called with what the operator should know.
    ///
    /// # Errors
    /// [`ArchiveError`], without `accept_gap` also for a [gap](ArchiveError::Gap).
    pub fn open(
        path: &Path,
        Archive { ledger, operator }: &'a mut Archive,
        accept_gap: bool,
        report: &mut dyn FnMut(ArchiveWarning),
    ) -> Result<Self, ArchiveError> {
        let files = vec![FileCopier::open(path, ledger, accept_gap, report)?];
        Ok(Self { files, operator: Some((path.with_file_name(OPERATOR_FILE), operator)), accept_gap })
    }

    /// Archives lines that were added. Returns whether there may be others.
    ///
    /// # Errors
    /// Those of [`Self::open`].
    pub fn archive_new(&mut self, report: &mut dyn FnMut(ArchiveWarning)) -> Result<bool, ArchiveError> {
        if let Some((path, directory)) = self.operator.take_if(|(path, _)| path.is_file()) {
            self.files.push(FileCopier::open(&path, directory, self.accept_gap, report)?);
        }
        let mut has_more = false;
        for file in &mut self.files {
            has_more |= file.copy_lines(report)?;
        }
        Ok(has_more)
    }
}

/// Copies the lines of a file.
struct FileCopier<'d> {
    path: PathBuf,
    directory: &'d mut ArchiveDirectory,
    follower: LedgerFollower,
    /// Whether nothing was read from the file yet.
    is_first_read: bool,
}

impl<'d> FileCopier<'d> {
    /// Opens the file where the archive ends.
    fn open(
        path: &Path,
        directory: &'d mut ArchiveDirectory,
        accept_gap: bool,
        report: &mut dyn FnMut(ArchiveWarning),
    ) -> Result<Self, ArchiveError> {
        let cursor: Option<Cursor> = directory.cursor()?;
        let position = cursor.map(|cursor| cursor.position.parse()).transpose();
        let follower = match position.map_err(|error| directory.other_ledger(error))? {
            Some(position) => open_at(path, position, accept_gap, report)?,
            None => open(path, LedgerPosition::START).map_err(unreadable(path))?,
        };
        Ok(Self { path: path.to_owned(), directory, follower, is_first_read: true })
    }

    /// Archives the lines that there are. Returns whether there may be others.
    fn copy_lines(&mut self, report: &mut dyn FnMut(ArchiveWarning)) -> Result<bool, ArchiveError> {
        // Before the lines: a file that was given up has no others then.
        let is_written = self.follower.is_written().map_err(unreadable(&self.path))?;
        let lines = self.follower.new_lines().map_err(unreadable(&self.path))?;
        if lines.is_empty() {
            self.directory.forget_archived();
            let inode = self.follower.inode().ok();
            let is_rotated = fs::metadata(&self.path).is_ok_and(|metadata| Some(metadata.ino()) != inode);
            let is_over = is_rotated && !is_written;
            if is_over {
                self.follower = open(&self.path, LedgerPosition::START).map_err(unreadable(&self.path))?;
                self.is_first_read = true;
            }
            return Ok(is_over);
        }
        let invalid = lines.iter().filter(|line| **line == LedgerLine::Invalid).count();
        if invalid > 0 {
            report(ArchiveWarning::InvalidLines(invalid));
        }
        let entries: Vec<Entry> = lines.into_iter().filter_map(entry).collect();
        if let Some((first, _)) = entries.first()
            && mem::take(&mut self.is_first_read)
        {
            // A crash may have left entries beyond the cursor, and a new file may begin with the last day of the old one.
            let since = first.as_micros().saturating_sub(TOLERANCE_US);
            self.directory.load_archived_since(Timestamp::from_micros(since))?;
        }
        self.directory.append(entries)?;
        let position = self.follower.position().map_err(unreadable(&self.path))?;
        self.directory.set_cursor(&Cursor { position: position.to_string() })?;
        Ok(true)
    }
}

fn unreadable(path: &Path) -> impl Fn(io::Error) -> ArchiveError {
    move |source| ArchiveError::Ledger { path: path.to_owned(), source }
}

fn open(path: &Path, position: LedgerPosition) -> io::Result<LedgerFollower> {
    LedgerReader::open(path)?.follow_from(position)
}

/// Opens the file that contains `position`: the one at `path`, or one beside it that was rotated. What a service put in
/// place of lines that it could not sync is read from the start of the file.
///
/// # Errors
/// When that file is not there, without `accept_gap`.
fn open_at(
    path: &Path,
    position: LedgerPosition,
    accept_gap: bool,
    report: &mut dyn FnMut(ArchiveWarning),
) -> Result<LedgerFollower, ArchiveError> {
    if let Some(follower) = find(path, position).map_err(unreadable(path))? {
        return Ok(follower);
    }
    let gap = ArchiveGap::File { path: path.to_owned() };
    if !accept_gap {
        return Err(ArchiveError::Gap(gap));
    }
    report(ArchiveWarning::Gap(gap));
    open(path, LedgerPosition::START).map_err(unreadable(path))
}

/// Opens the file that contains `position`, if it is there.
fn find(path: &Path, position: LedgerPosition) -> io::Result<Option<LedgerFollower>> {
    let current = LedgerReader::open(path)?;
    if current.inode()? == position.inode() {
        return current.follow_from(position).map(Some);
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.ino() == position.inode()) {
            let mut rotated = LedgerReader::open(&entry.path())?;
            if rotated.contains(position)? {
                return rotated.follow_from(position).map(Some);
            }
        }
    }
    Ok(None)
}

fn entry(line: LedgerLine) -> Option<Entry> {
    match line {
        LedgerLine::Entry { text, time } => Some((time, text)),
        LedgerLine::Invalid => None,
    }
}

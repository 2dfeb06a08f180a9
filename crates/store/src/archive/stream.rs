//! Archives the streams in Redis. After a failover, what the new server added shortly before the last archived entry is
//! read again, because the old one may not have had it.

use std::mem;

use firmquote_domain::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Archive, ArchiveError, ArchiveGap, ArchiveWarning, directory::ArchiveDirectory};
use crate::{
    EventStream, StoreError,
    redis::{LedgerId, LedgerSection, RedisStore},
};

/// Entries per request to Redis.
const ENTRIES_PER_SECTION: usize = 1_000;

/// How far a ledger is archived.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Cursor {
    /// The history of writes in which it was read.
    generation: String,
    /// The last entry that was read; `0-0` before the first.
    id: String,
    /// When everything was archived, by the clock of Redis. Entries from before are not missed when Redis drops them.
    complete_at_ms: u64,
}

/// How far before the last archived entry another server is read again, in milliseconds.
const REREAD_MS: u64 = 600_000;
/// How much earlier than its id the time of an entry may be, in milliseconds.
const TOLERANCE_MS: u64 = 600_000;
/// The time between two writes of the cursor while nothing is added, in milliseconds.
const IDLE_CURSOR_MS: u64 = 10_000;

/// Archives the ledger and the operator's stream in Redis, and reports to Redis how far the ledger is archived.
///
/// After an error of the store it can be used again; after any other it has to be opened again, which continues where the
/// archive ends.
pub struct StreamArchiver<'a> {
    store: &'a RedisStore,
    streams: [StreamCopier<'a>; 2],
}

impl<'a> StreamArchiver<'a> {
    /// Opens the streams where the archive ends. Redis keeps entries for `max_age_seconds`. With `accept_gap` it
    /// continues after entries that may be missing.
    ///
    /// # Errors
    /// [`ArchiveError`], when the archive cannot be read.
    pub fn open(
        store: &'a RedisStore,
        Archive { ledger, operator }: &'a mut Archive,
        max_age_seconds: u32,
        accept_gap: bool,
    ) -> Result<Self, ArchiveError> {
        let max_age_ms = u64::from(max_age_seconds) * 1_000;
        let streams = [
            StreamCopier::open(EventStream::Ledger, ledger, max_age_ms, accept_gap)?,
            StreamCopier::open(EventStream::Operator, operator, max_age_ms, accept_gap)?,
        ];
        Ok(Self { store, streams })
    }

    /// Archives the next section of each stream. Returns whether others can be read at once. `report` is called with what
    /// the operator should know.
    ///
    /// # Errors
    /// [`ArchiveError`], without `accept_gap` also for a [gap](ArchiveError::Gap).
    pub async fn archive_new(&mut self, report: &mut dyn FnMut(ArchiveWarning)) -> Result<bool, ArchiveError> {
        let mut has_more = false;
        for stream in &mut self.streams {
            has_more |= stream.copy_section(self.store, report).await? == SectionEnd::More;
        }
        Ok(has_more)
    }
}

/// What follows a section.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SectionEnd {
    /// Entries that can be read at once.
    More,
    /// Nothing for now.
    Complete,
}

/// Copies the entries of a stream.
struct StreamCopier<'d> {
    stream: EventStream,
    directory: &'d mut ArchiveDirectory,
    /// How long Redis keeps entries.
    max_age_ms: u64,
    /// Whether it continues after entries that were dropped.
    accept_gap: bool,
    /// The history of writes that is read; empty before the first section.
    generation: String,
    /// The last entry that was read.
    position: LedgerId,
    /// The last entry that was archived, in any history.
    archived: LedgerId,
    /// Whether entries of another history are read that may be archived already.
    is_rereading: bool,
    complete_at_ms: u64,
    /// What the cursor says: the position, and when everything was archived.
    saved: (LedgerId, u64),
}

impl<'d> StreamCopier<'d> {
    fn open(
        stream: EventStream,
        directory: &'d mut ArchiveDirectory,
        max_age_ms: u64,
        accept_gap: bool,
    ) -> Result<Self, ArchiveError> {
        let start = LedgerId { ms: 0, sequence: 0 };
        let cursor: Option<Cursor> = directory.cursor()?;
        let position = cursor.as_ref().map_or(Ok(start), |cursor| cursor.id.parse());
        let position = position.map_err(|error| directory.other_ledger(error))?;
        let (generation, complete_at_ms) =
            cursor.map_or_else(Default::default, |cursor| (cursor.generation, cursor.complete_at_ms));
        // A crash may have left entries beyond the cursor.
        directory.load_archived_since(micros(position.ms.saturating_sub(TOLERANCE_MS)))?;
        Ok(Self {
            stream,
            directory,
            max_age_ms,
            accept_gap,
            generation,
            position,
            archived: position,
            is_rereading: false,
            complete_at_ms,
            saved: (start, 0),
        })
    }

    /// Archives the next section.
    async fn copy_section(
        &mut self,
        store: &RedisStore,
        report: &mut dyn FnMut(ArchiveWarning),
    ) -> Result<SectionEnd, ArchiveError> {
        let section = store.section(self.stream, Some(self.position), ENTRIES_PER_SECTION).await?;
        let now = micros(section.read_at_ms);
        if let Err(gap) = self.check_gap(&section, report) {
            // Redis may have lost the position with the entries: without it no alert would follow.
            self.report_archived(store, self.archived, now).await?;
            return Err(gap);
        }
        let Some(end) = self.archive(section, report)? else { return Ok(SectionEnd::More) };
        if self.save_cursor(end)? {
            self.report_archived(store, self.position, now).await?;
        }
        Ok(end)
    }

    /// Reports how far the ledger is archived; the operator's stream is archived beside it.
    async fn report_archived(&self, store: &RedisStore, archived: LedgerId, now: Timestamp) -> Result<(), StoreError> {
        match self.stream {
            EventStream::Ledger => store.report_archived(archived, now).await,
            EventStream::Operator => Ok(()),
        }
    }

    /// Archives a section; `None` if it has to be read from another position first.
    fn archive(
        &mut self,
        section: LedgerSection,
        report: &mut dyn FnMut(ArchiveWarning),
    ) -> Result<Option<SectionEnd>, ArchiveError> {
        if section.generation != self.generation {
            let may_lack_entries = !self.generation.is_empty() && self.archived.ms > 0;
            self.generation.clone_from(&section.generation);
            if may_lack_entries {
                report(ArchiveWarning::OtherHistory(self.stream));
                self.is_rereading = true;
                self.position = LedgerId { ms: self.archived.ms.saturating_sub(REREAD_MS), sequence: 0 };
                self.directory.load_archived_since(micros(self.position.ms.saturating_sub(TOLERANCE_MS)))?;
                return Ok(None);
            }
        }
        if let Some(last) = section.last.filter(|last| *last < self.position) {
            report(ArchiveWarning::Shortened { stream: self.stream, last, read: self.position });
            self.position = LedgerId { ms: 0, sequence: 0 };
            self.archived = self.position;
            self.directory.load_archived_since(Timestamp::from_micros(0))?;
            return Ok(None);
        }
        let end = if section.entries.len() < ENTRIES_PER_SECTION { SectionEnd::Complete } else { SectionEnd::More };
        self.position = section.entries.last().map_or(self.position, |(id, _)| *id);
        let entries = section.entries.into_iter().map(|(id, line)| (micros(id.ms), line.into_bytes()));
        self.directory.append(entries.collect())?;
        self.archived = self.archived.max(self.position);
        if end == SectionEnd::Complete {
            self.complete_at_ms = section.read_at_ms;
            self.is_rereading = false;
            self.directory.forget_archived();
        }
        Ok(Some(end))
    }

    /// Checks that Redis has dropped no entry that is not archived.
    fn check_gap(
        &mut self,
        section: &LedgerSection,
        report: &mut dyn FnMut(ArchiveWarning),
    ) -> Result<(), ArchiveError> {
        let (Some(first), Some(last)) = (section.first, section.last) else { return Ok(()) };
        if section.generation != self.generation && !self.generation.is_empty() {
            // It is read from another position first.
            return Ok(());
        }
        let is_new = self.archived.ms == 0;
        // Redis drops what is older than the maximum age when it adds an entry.
        let may_be_missed = self.is_rereading || last.ms.saturating_sub(self.max_age_ms) > self.complete_at_ms;
        if is_new || first <= self.archived || !may_be_missed {
            return Ok(());
        }
        let gap = ArchiveGap::Stream { stream: self.stream, first, archived: self.archived };
        if !mem::take(&mut self.accept_gap) {
            return Err(ArchiveError::Gap(gap));
        }
        report(ArchiveWarning::Gap(gap));
        self.complete_at_ms = section.read_at_ms;
        self.is_rereading = false;
        Ok(())
    }

    /// Writes the cursor, at the end of idle sections every ten seconds only. Returns whether it was written.
    fn save_cursor(&mut self, end: SectionEnd) -> Result<bool, ArchiveError> {
        let (position, complete_at_ms) = self.saved;
        let is_idle = position == self.position && end == SectionEnd::Complete;
        if is_idle && self.complete_at_ms < complete_at_ms + IDLE_CURSOR_MS {
            return Ok(false);
        }
        self.directory.set_cursor(&Cursor {
            generation: self.generation.clone(),
            id: self.position.to_string(),
            complete_at_ms: self.complete_at_ms,
        })?;
        self.saved = (self.position, self.complete_at_ms);
        Ok(true)
    }
}

/// Returns the time of Unix milliseconds.
fn micros(ms: u64) -> Timestamp {
    Timestamp::from_micros(ms.saturating_mul(1_000))
}

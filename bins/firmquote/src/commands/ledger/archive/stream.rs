//! Archives the streams in Redis. After a failover, what the new server added shortly before the last archived entry is
//! read again, because the old one may not have had it.

use anyhow::{Context as _, bail};
use firmquote_domain::Timestamp;
use firmquote_outbound::error_chain;
use firmquote_store::{
    EventStream, StoreError,
    redis::{LedgerId, LedgerSection, RedisConfig, RedisStore},
};
use serde::{Deserialize, Serialize};
use tokio::time::sleep;

use super::{
    super::{
        printer::{POLL_INTERVAL, note},
        stream::{ENTRIES_PER_PAGE, connect},
    },
    directory::{Archive, ArchiveDirectory},
};
use crate::commands::runtime::runtime;

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

/// Archives what is in both streams and, with `follow`, what is added later.
pub(super) fn archive(
    config: &RedisConfig,
    Archive { ledger, operator }: &mut Archive,
    follow: bool,
    accept_gap: bool,
) -> anyhow::Result<()> {
    runtime()?.block_on(async {
        let store = connect(config).await?;
        let max_age_ms = u64::from(config.ledger_max_age_seconds) * 1_000;
        let mut archivers = [
            Archiver::open(EventStream::Ledger, ledger, max_age_ms, accept_gap)?,
            Archiver::open(EventStream::Operator, operator, max_age_ms, accept_gap)?,
        ];
        let mut is_reported = false;
        loop {
            match archive_sections(&store, &mut archivers).await? {
                Ok(SectionEnd::More) => continue,
                Ok(SectionEnd::Complete) if follow => is_reported = false,
                Ok(SectionEnd::Complete) => return Ok(()),
                Err(error) if follow => {
                    if !is_reported {
                        note(&format!("{}; retrying until it responds", error_chain(&error)));
                        is_reported = true;
                    }
                }
                Err(error) => return Err(error.into()),
            }
            sleep(POLL_INTERVAL).await;
        }
    })
}

/// What follows a section.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SectionEnd {
    /// Entries that can be read at once.
    More,
    /// Nothing for now.
    Complete,
}

/// Archives the next section of each stream. The inner error is that of the store, which may respond again.
async fn archive_sections(
    store: &RedisStore,
    archivers: &mut [Archiver<'_>],
) -> anyhow::Result<Result<SectionEnd, StoreError>> {
    let mut all = SectionEnd::Complete;
    for archiver in archivers {
        match archive_section(store, archiver).await? {
            Ok(SectionEnd::Complete) => {}
            Ok(SectionEnd::More) => all = SectionEnd::More,
            Err(error) => return Ok(Err(error)),
        }
    }
    Ok(Ok(all))
}

/// Archives the next section of a stream. The inner error is that of the store, which may respond again.
async fn archive_section(
    store: &RedisStore,
    archiver: &mut Archiver<'_>,
) -> anyhow::Result<Result<SectionEnd, StoreError>> {
    let section = match store.section(archiver.stream, Some(archiver.position), ENTRIES_PER_PAGE).await {
        Ok(section) => section,
        Err(error) => return Ok(Err(error)),
    };
    let now = micros(section.read_at_ms);
    if let Err(gap) = archiver.check_gap(&section) {
        // Redis may have lost the position with the entries: without it no alert would follow.
        let reported = archiver.report(store, archiver.archived, now).await;
        reported.context("the position cannot be reported")?;
        return Err(gap);
    }
    let Some(end) = archiver.archive(section)? else { return Ok(Ok(SectionEnd::More)) };
    if archiver.save_cursor(end)? {
        return Ok(archiver.report(store, archiver.position, now).await.map(|()| end));
    }
    Ok(Ok(end))
}

/// The state of the archiver of a stream.
struct Archiver<'d> {
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

impl<'d> Archiver<'d> {
    fn open(
        stream: EventStream,
        directory: &'d mut ArchiveDirectory,
        max_age_ms: u64,
        accept_gap: bool,
    ) -> anyhow::Result<Self> {
        let start = LedgerId { ms: 0, sequence: 0 };
        let cursor: Option<Cursor> = directory.cursor()?;
        let position = cursor.as_ref().map_or(Ok(start), |cursor| cursor.id.parse())?;
        let (generation, complete_at_ms) =
            cursor.map_or_else(Default::default, |cursor| (cursor.generation, cursor.complete_at_ms));
        // A crash may have left entries beyond the cursor.
        directory.leave_out_since(micros(position.ms.saturating_sub(TOLERANCE_MS)))?;
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

    /// Reports how far the ledger is archived; the operator's stream is archived beside it.
    async fn report(&self, store: &RedisStore, archived: LedgerId, now: Timestamp) -> Result<(), StoreError> {
        match self.stream {
            EventStream::Ledger => store.report_archived(archived, now).await,
            EventStream::Operator => Ok(()),
        }
    }

    /// Returns the name of the stream in messages.
    const fn name(&self) -> &'static str {
        match self.stream {
            EventStream::Ledger => "the ledger",
            EventStream::Operator => "the operator's stream",
        }
    }

    /// Archives a section; `None` if it has to be read from another position first.
    fn archive(&mut self, section: LedgerSection) -> anyhow::Result<Option<SectionEnd>> {
        if section.generation != self.generation {
            let may_lack_entries = !self.generation.is_empty() && self.archived.ms > 0;
            self.generation.clone_from(&section.generation);
            if may_lack_entries {
                let name = self.name();
                note(&format!("another server or history of Redis: reading the last ten minutes of {name} again"));
                self.is_rereading = true;
                self.position = LedgerId { ms: self.archived.ms.saturating_sub(REREAD_MS), sequence: 0 };
                self.directory.leave_out_since(micros(self.position.ms.saturating_sub(TOLERANCE_MS)))?;
                return Ok(None);
            }
        }
        if let Some(last) = section.last.filter(|last| *last < self.position) {
            note(&format!("{} ends at {last}, before {}: reading all of it again", self.name(), self.position));
            self.position = LedgerId { ms: 0, sequence: 0 };
            self.archived = self.position;
            self.directory.leave_out_since(Timestamp::from_micros(0))?;
            return Ok(None);
        }
        let end = if section.entries.len() < ENTRIES_PER_PAGE { SectionEnd::Complete } else { SectionEnd::More };
        self.position = section.entries.last().map_or(self.position, |(id, _)| *id);
        let entries = section.entries.into_iter().map(|(id, line)| (micros(id.ms), line.into_bytes()));
        self.directory.append(entries.collect())?;
        self.archived = self.archived.max(self.position);
        if end == SectionEnd::Complete {
            self.complete_at_ms = section.read_at_ms;
            self.is_rereading = false;
            self.directory.leave_out_nothing();
        }
        Ok(Some(end))
    }

    /// Checks that Redis has dropped no entry that is not archived.
    fn check_gap(&mut self, section: &LedgerSection) -> anyhow::Result<()> {
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
        let gap = format!("{} begins at {first}, after {}, the last archived entry", self.name(), self.archived);
        if !std::mem::take(&mut self.accept_gap) {
            bail!("{gap}: entries between them may be missing. --accept-gap continues with {first}");
        }
        note(&format!("{gap}: continuing"));
        self.complete_at_ms = section.read_at_ms;
        self.is_rereading = false;
        Ok(())
    }

    /// Writes the cursor, at the end of idle sections every ten seconds only. Returns whether it was written.
    fn save_cursor(&mut self, end: SectionEnd) -> anyhow::Result<bool> {
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

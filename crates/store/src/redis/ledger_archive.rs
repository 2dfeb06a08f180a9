//! The ledger and the operator's stream as an archiver reads them, and how far it got with the ledger: the hash `<prefix>:archive`, which expires a month after the
//! last report.

use std::collections::BTreeMap;

use firmquote_domain::Timestamp;
use redis::{FromRedisValue, ParsingError, Value, cmd, from_redis_value, streams::StreamRangeReply};

use super::{
    RedisStore,
    connection::Connection,
    ledger::{FIELD, LedgerId},
    scripts::ScriptCall,
};
use crate::{EventStream, StoreError};

/// How long the hash outlives the last report, in milliseconds.
const RETENTION_MS: u64 = 30 * 86_400_000;

/// The entry of the hash with the id of the last archived entry.
const ARCHIVED: &str = "archived";

/// A part of a stream, read in one atomic step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LedgerSection {
    /// Identifies the history of writes of the server. In another one, entries of this one may be missing.
    pub generation: String,
    /// The time of the step by the clock of Redis, in Unix milliseconds.
    pub read_at_ms: u64,
    /// The first entry of the stream.
    pub first: Option<LedgerId>,
    /// The last entry of the stream.
    pub last: Option<LedgerId>,
    /// The entries that were asked for, each a line of JSON.
    pub entries: Vec<(LedgerId, String)>,
}

/// How far the ledger is archived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArchiveStatus {
    /// The first entry that is not archived; `None` if all are.
    pub first_unarchived: Option<LedgerId>,
}

impl RedisStore {
    /// Reads at most `count` entries of a stream after `after`; from the first if it is `None`.
    ///
    /// # Errors
    /// [`StoreError`] when Redis could not be reached.
    pub async fn section(
        &self,
        stream: EventStream,
        after: Option<LedgerId>,
        count: usize,
    ) -> Result<LedgerSection, StoreError> {
        let bound = after.map_or_else(|| "-".to_owned(), |id| format!("({id}"));
        let arguments = vec![bound.into_bytes(), count.to_string().into_bytes()];
        let call = ScriptCall { keys: vec![self.stream_key(stream)], arguments };
        self.read(&self.scripts.read_ledger, &call).await
    }

    /// Reports that the ledger is archived up to and including `archived`.
    ///
    /// # Errors
    /// [`StoreError`] when Redis could not be reached.
    pub async fn report_archived(&self, archived: LedgerId, now: Timestamp) -> Result<(), StoreError> {
        let expires_at_ms = now.as_micros() / 1_000 + RETENTION_MS;
        let arguments = [expires_at_ms.to_string(), ARCHIVED.to_owned(), archived.to_string()];
        let arguments = arguments.map(String::into_bytes).to_vec();
        self.read(&self.scripts.store_hash, &ScriptCall { keys: vec![self.prefix.archive()], arguments }).await
    }

    /// Returns how far the ledger is archived; `None` if no archiver has reported for a month.
    ///
    /// # Errors
    /// [`StoreError`] when Redis could not be reached.
    pub async fn archive_status(&self) -> Result<Option<ArchiveStatus>, StoreError> {
        let mut all = cmd("HGETALL");
        all.arg(self.prefix.archive());
        let hash: BTreeMap<String, String> =
            self.query(async |mut connection: Connection| connection.run(&all).await).await?;
        let Some(archived) = hash.get(ARCHIVED) else { return Ok(None) };
        let archived: LedgerId = archived.parse().map_err(|_| StoreError::Unreadable { key: self.prefix.archive() })?;
        let section = self.section(EventStream::Ledger, Some(archived), 1).await?;
        Ok(Some(ArchiveStatus { first_unarchived: section.entries.first().map(|(id, _)| *id) }))
    }
}

impl FromRedisValue for LedgerSection {
    fn from_redis_value(value: Value) -> Result<Self, ParsingError> {
        let invalid = |what: &str| ParsingError::from(format!("{what} is not that of a ledger"));
        let (generation, read_at_ms, first, last, entries): (String, u64, String, String, StreamRangeReply) =
            from_redis_value(value)?;
        let id = |text: &str| text.parse::<LedgerId>().map_err(|_| invalid("an id"));
        let bound = |text: &str| if text.is_empty() { Ok(None) } else { id(text).map(Some) };
        let entries = entries.ids.into_iter().map(|mut entry| {
            let line = entry.map.remove(FIELD).ok_or_else(|| invalid(&format!("entry {}", entry.id)))?;
            Ok((id(&entry.id)?, from_redis_value(line)?))
        });
        Ok(Self {
            generation,
            read_at_ms,
            first: bound(&first)?,
            last: bound(&last)?,
            entries: entries.collect::<Result<_, ParsingError>>()?,
        })
    }
}

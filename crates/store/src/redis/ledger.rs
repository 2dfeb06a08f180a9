//! The ledger in Redis: the stream `<prefix>:signed`, one field `entry` with a line of JSON each.
//!
//! The stream's ids are the instants at which Redis took the entries, by its own clock. In a Cluster the stream is on
//! one node and quotes are on all, so there the append is no part of the atomic step.

use std::collections::HashMap;

use redis::{cmd, streams::StreamRangeReply};

use super::RedisStore;
use crate::StoreError;

/// The name of the one field of an entry.
const FIELD: &str = "entry";

/// One entry as it stands in the stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LedgerEntry {
    /// Its id in the stream: Unix milliseconds by the clock of Redis, a hyphen, a number.
    pub id: String,
    /// Its line of JSON.
    pub line: String,
}

impl RedisStore {
    /// Entries of the ledger, oldest first, at most `count`: from the id or instant `from` up to `to`, as `XRANGE` takes
    /// them (`-` and `+` are the ends, Unix milliseconds an instant, a `(` before an id leaves it out).
    ///
    /// # Errors
    /// [`StoreError`] when Redis could not be asked, or does not take `from` or `to`.
    pub async fn ledger_page(&self, from: &str, to: &str, count: usize) -> Result<Vec<LedgerEntry>, StoreError> {
        let mut range = cmd("XRANGE");
        range.arg(self.ledger.key()).arg(from).arg(to).arg("COUNT").arg(count);
        let reply: StreamRangeReply = self.ask(async |mut link| link.run(&range).await).await?;
        reply.ids.into_iter().map(|entry| self.entry(entry.id, entry.map)).collect()
    }

    /// The last `count` entries of the ledger, oldest first.
    ///
    /// # Errors
    /// [`StoreError`] when Redis could not be asked.
    pub async fn ledger_end(&self, count: usize) -> Result<Vec<LedgerEntry>, StoreError> {
        let mut range = cmd("XREVRANGE");
        range.arg(self.ledger.key()).arg("+").arg("-").arg("COUNT").arg(count);
        let reply: StreamRangeReply = self.ask(async |mut link| link.run(&range).await).await?;
        reply.ids.into_iter().rev().map(|entry| self.entry(entry.id, entry.map)).collect()
    }

    fn entry(&self, id: String, mut fields: HashMap<String, redis::Value>) -> Result<LedgerEntry, StoreError> {
        let line = fields.remove(FIELD).and_then(|line| redis::from_redis_value(line).ok());
        let line = line.ok_or_else(|| StoreError::Unreadable { key: format!("{} {id}", self.ledger.key()) })?;
        Ok(LedgerEntry { id, line })
    }
}

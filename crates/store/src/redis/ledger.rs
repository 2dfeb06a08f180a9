//! The ledger in Redis: the stream `<prefix>:signed`, whose entries have one field, `entry`, with a line of JSON.
//!
//! Stream ids are the times at which Redis added the entries, by its own clock. In a Cluster the stream is on one node
//! and quotes are on all, so the append is not part of the atomic step there.

use std::collections::HashMap;

use redis::{cmd, streams::StreamRangeReply};

use super::RedisStore;
use crate::StoreError;

/// The name of the only field of an entry.
const FIELD: &str = "entry";

/// An entry of the stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LedgerEntry {
    /// The stream id: Unix milliseconds by the clock of Redis, a hyphen, and a sequence number.
    pub id: String,
    /// The line of JSON.
    pub line: String,
}

impl RedisStore {
    /// Returns at most `count` entries of the ledger, oldest first, from `from` to `to`. Bounds are as in `XRANGE`: a
    /// stream id, Unix milliseconds, or `-` and `+` for the ends; a `(` before a bound makes it exclusive.
    ///
    /// # Errors
    /// [`StoreError`] when Redis could not be reached, or rejects `from` or `to`.
    pub async fn ledger_page(&self, from: &str, to: &str, count: usize) -> Result<Vec<LedgerEntry>, StoreError> {
        let mut range = cmd("XRANGE");
        range.arg(self.ledger.key()).arg(from).arg(to).arg("COUNT").arg(count);
        let reply: StreamRangeReply = self.query(async |mut connection| connection.run(&range).await).await?;
        reply.ids.into_iter().map(|entry| self.entry(entry.id, entry.map)).collect()
    }

    /// Returns the last `count` entries of the ledger, oldest first.
    ///
    /// # Errors
    /// [`StoreError`] when Redis could not be reached.
    pub async fn ledger_end(&self, count: usize) -> Result<Vec<LedgerEntry>, StoreError> {
        let mut range = cmd("XREVRANGE");
        range.arg(self.ledger.key()).arg("+").arg("-").arg("COUNT").arg(count);
        let reply: StreamRangeReply = self.query(async |mut connection| connection.run(&range).await).await?;
        reply.ids.into_iter().rev().map(|entry| self.entry(entry.id, entry.map)).collect()
    }

    fn entry(&self, id: String, mut fields: HashMap<String, redis::Value>) -> Result<LedgerEntry, StoreError> {
        let line = fields.remove(FIELD).and_then(|line| redis::from_redis_value(line).ok());
        let line = line.ok_or_else(|| StoreError::Unreadable { key: format!("{} {id}", self.ledger.key()) })?;
        Ok(LedgerEntry { id, line })
    }
}

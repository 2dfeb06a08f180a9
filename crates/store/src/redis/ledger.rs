//! The ledger in Redis: the stream `<prefix>:signed`, whose entries have one field, `entry`, with a line of JSON.
//!
//! Stream ids are the times at which Redis added the entries, by its own clock.

use std::{fmt, ops::Range, str::FromStr};

use firmquote_domain::{InvalidValue, Timestamp};
use redis::{
    cmd,
    streams::{StreamId, StreamRangeReply},
};

use super::RedisStore;
use crate::{EventStream, StoreError};

/// The name of the only field of an entry.
pub(super) const FIELD: &str = "entry";

/// The id of an entry: when Redis added it, by its own clock, and a number. Ids increase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LedgerId {
    /// In Unix milliseconds.
    pub ms: u64,
    /// Of the entries of a millisecond, from 0.
    pub sequence: u64,
}

impl LedgerId {
    /// Returns when Redis added the entry, by its own clock.
    pub const fn time(self) -> Timestamp {
        Timestamp::from_micros(self.ms.saturating_mul(1_000))
    }
}

impl fmt::Display for LedgerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.ms, self.sequence)
    }
}

impl FromStr for LedgerId {
    type Err = InvalidValue;

    fn from_str(text: &str) -> Result<Self, InvalidValue> {
        let id = text
            .split_once('-')
            .and_then(|(ms, sequence)| Some(Self { ms: ms.parse().ok()?, sequence: sequence.parse().ok()? }));
        id.ok_or(InvalidValue::Malformed { expected: "the id of a stream entry, such as 1795222800000-0" })
    }
}

/// The entries of the stream that were not read yet, up to an end.
#[derive(Clone, Debug)]
pub struct LedgerCursor {
    /// A bound of `XRANGE`: `-`, Unix milliseconds, or the last entry that was read, after a `(`.
    from: String,
    /// `+` or Unix milliseconds.
    to: String,
}

impl LedgerCursor {
    /// Creates a cursor over the entries that Redis added within `range`, by its own clock. Stream ids are in
    /// milliseconds, so both ends are rounded up: it starts at the first whole millisecond and includes the last
    /// partial one.
    pub fn new(range: &Range<Timestamp>) -> Self {
        let [from, to] = [range.start, range.end].map(|time| time.as_micros().div_ceil(1_000));
        Self { from: from.to_string(), to: to.saturating_sub(1).to_string() }
    }

    /// Returns the id of the last entry that was read, from which the cursor can be parsed again; `0-0` before the first.
    pub fn last_read(&self) -> &str {
        self.from.strip_prefix('(').unwrap_or("0-0")
    }

    fn advance(&mut self, entries: &StreamRangeReply) {
        if let Some(last) = entries.ids.last() {
            self.from = format!("({}", last.id);
        }
    }
}

/// Parses the id of an entry as the cursor over the entries after it.
impl FromStr for LedgerCursor {
    type Err = InvalidValue;

    fn from_str(id: &str) -> Result<Self, InvalidValue> {
        let id: LedgerId = id.parse()?;
        Ok(Self { from: format!("({id}"), to: "+".to_owned() })
    }
}

impl RedisStore {
    /// Returns at most the next `count` entries of a stream, oldest first, and advances `cursor` past them. Fewer than
    /// `count` are the last for now.
    ///
    /// # Errors
    /// [`StoreError`] when Redis could not be reached; the cursor is then unchanged.
    pub async fn page(
        &self,
        stream: EventStream,
        cursor: &mut LedgerCursor,
        count: usize,
    ) -> Result<Vec<String>, StoreError> {
        let mut range = cmd("XRANGE");
        range.arg(self.stream_key(stream)).arg(&cursor.from).arg(&cursor.to).arg("COUNT").arg(count);
        let reply: StreamRangeReply = self.query(async |mut connection| connection.run(&range).await).await?;
        let mut next = cursor.clone();
        next.advance(&reply);
        let lines = self.lines(reply)?;
        *cursor = next;
        Ok(lines)
    }

    /// Returns the key of a stream.
    pub(super) fn stream_key(&self, stream: EventStream) -> String {
        match stream {
            EventStream::Ledger => self.ledger.key().to_owned(),
            EventStream::Operator => self.prefix.operator(),
        }
    }

    /// Returns the last `count` entries of the ledger, oldest first, and a cursor over those that are added later.
    ///
    /// # Errors
    /// [`StoreError`] when Redis could not be reached.
    pub async fn ledger_end(&self, count: usize) -> Result<(Vec<String>, LedgerCursor), StoreError> {
        let mut range = cmd("XREVRANGE");
        // At least one, which shows where later ones start.
        range.arg(self.ledger.key()).arg("+").arg("-").arg("COUNT").arg(count.max(1));
        let mut reply: StreamRangeReply = self.query(async |mut connection| connection.run(&range).await).await?;
        reply.ids.reverse();
        let mut cursor = LedgerCursor { from: "-".to_owned(), to: "+".to_owned() };
        cursor.advance(&reply);
        if count == 0 {
            reply.ids.clear();
        }
        Ok((self.lines(reply)?, cursor))
    }

    fn lines(&self, reply: StreamRangeReply) -> Result<Vec<String>, StoreError> {
        let line = |mut entry: StreamId| {
            let line = entry.map.remove(FIELD).and_then(|line| redis::from_redis_value(line).ok());
            line.ok_or_else(|| StoreError::Unreadable { key: format!("{} {}", self.ledger.key(), entry.id) })
        };
        reply.ids.into_iter().map(line).collect()
    }
}

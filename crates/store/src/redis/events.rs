//! The events in Redis: the entries of the ledger and of the operator's stream, read in one step.

use std::collections::BTreeMap;

use redis::{FromRedisValue, ParsingError, Value, from_redis_value, streams::StreamRangeReply};

use super::{RedisStore, ledger::FIELD, scripts::ScriptCall};
use crate::{DISPATCH_LEASE_SECONDS, EventCursor, EventPage, EventPosition, StoreError};

/// What the script returns.
struct EventReply {
    generation: String,
    is_reset: bool,
    /// The last position of each stream, and its entries.
    streams: [(EventPosition, Vec<(EventPosition, String)>); 2],
}

impl RedisStore {
    pub(super) async fn events(&self, after: Option<&EventCursor>, count: usize) -> Result<EventPage, StoreError> {
        let start = EventCursor::default();
        let EventCursor { generation, ledger, operator } = after.unwrap_or(&start);
        let arguments = [count.to_string(), generation.clone(), ledger.to_string(), operator.to_string()];
        let call = ScriptCall {
            keys: vec![self.ledger.key().to_owned(), self.prefix.operator()],
            arguments: arguments.map(String::into_bytes).to_vec(),
        };
        let reply: EventReply = self.read(&self.scripts.read_events, &call).await?;
        let [(last_ledger, ledger), (last_operator, operator)] = reply.streams;
        let end = EventCursor { generation: reply.generation, ledger: last_ledger, operator: last_operator };
        Ok(match after {
            Some(after) if !reply.is_reset => EventPage::new(after, ledger, operator),
            _ => EventPage { cursor: end, is_reset: after.is_some(), ..EventPage::default() },
        })
    }
}

impl RedisStore {
    pub(super) async fn lease_deliveries(
        &self,
        dispatcher: &str,
    ) -> Result<Option<BTreeMap<String, EventCursor>>, StoreError> {
        let duration_ms = u64::from(DISPATCH_LEASE_SECONDS) * 1_000;
        let call = ScriptCall {
            keys: self.prefix.deliveries().to_vec(),
            arguments: vec![dispatcher.into(), duration_ms.to_string().into_bytes()],
        };
        let texts: Option<BTreeMap<String, String>> = self.read(&self.scripts.lease, &call).await?;
        // A position that cannot be read is one of no history: what may be missing is reported.
        let position = |(name, text): (String, String)| (name, text.parse().unwrap_or_else(|_| EventCursor::unknown()));
        Ok(texts.map(|texts| texts.into_iter().map(position).collect()))
    }

    pub(super) async fn store_delivered(
        &self,
        dispatcher: &str,
        endpoint: &str,
        until: &EventCursor,
    ) -> Result<bool, StoreError> {
        let call = ScriptCall {
            keys: self.prefix.deliveries().to_vec(),
            arguments: vec![dispatcher.into(), endpoint.into(), until.to_string().into_bytes()],
        };
        self.read(&self.scripts.store_leased, &call).await
    }
}

impl FromRedisValue for EventReply {
    fn from_redis_value(value: Value) -> Result<Self, ParsingError> {
        let invalid = |what: &str| ParsingError::from(format!("{what} is not that of an event"));
        type Stream = (String, StreamRangeReply);
        let (generation, is_reset, (first, first_entries), (second, second_entries)): (String, String, Stream, Stream) = {
            let (generation, is_reset, first, first_entries, second, second_entries) = from_redis_value(value)?;
            (generation, is_reset, (first, first_entries), (second, second_entries))
        };
        let position = |id: &str| match id {
            "" => Ok(EventPosition::default()),
            id => id.parse::<EventPosition>().map_err(|_| invalid("an id")),
        };
        let stream = |last: &str, entries: StreamRangeReply| {
            let entries = entries.ids.into_iter().map(|mut entry| {
                let line = entry.map.remove(FIELD).ok_or_else(|| invalid(&entry.id))?;
                Ok((position(&entry.id)?, from_redis_value(line)?))
            });
            Ok::<_, ParsingError>((position(last)?, entries.collect::<Result<Vec<_>, ParsingError>>()?))
        };
        let streams = [stream(&first, first_entries)?, stream(&second, second_entries)?];
        Ok(Self { generation, is_reset: is_reset == "1", streams })
    }
}

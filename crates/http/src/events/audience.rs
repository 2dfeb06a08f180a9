//! Whom a stream of events is for, and what it contains.

use std::sync::Arc;

use firmquote_api::{QuoteEvent, StreamNotice, StreamNoticeKind};
use firmquote_desk::EventCursor;
use firmquote_domain::{ChainId, Timestamp};

use super::{
    client_cursor::{StreamOwner, decrypt, encrypt},
    event::{FeedEvent, RESET, write_event},
};

/// Whom a stream is for.
pub(crate) enum Audience {
    /// The operator: entries as they are stored, and the positions of pools.
    Operator(EventFilter),
    /// A client: events of its own quotes on one chain.
    Client(ClientFilter),
}

/// Which events an operator's stream has.
#[derive(Clone, Debug, Default)]
pub(crate) struct EventFilter {
    /// The kinds; all if there are none.
    pub(crate) kinds: Vec<&'static str>,
    /// The address of the pool; all if there is none.
    pub(crate) pool: Option<String>,
}

/// Which events a client's stream has.
#[derive(Clone, Debug)]
pub(crate) struct ClientFilter {
    pub(crate) client: Arc<str>,
    pub(crate) chain_id: ChainId,
}

/// The most entries that a client's stream catches up with. Every entry of the ledger counts.
const MAX_MISSED_ENTRIES: usize = 10_000;

/// The age of a cursor, in seconds, from which a client's stream begins anew.
const MAX_CURSOR_AGE_SECONDS: u32 = 600;

impl Audience {
    /// Whether the stream has the positions of pools.
    pub(super) const fn has_positions(&self) -> bool {
        matches!(self, Self::Operator(_))
    }

    /// The most entries that the stream catches up with, if there is a limit.
    pub(super) const fn max_missed_entries(&self) -> Option<usize> {
        match self {
            Self::Operator(_) => None,
            Self::Client(_) => Some(MAX_MISSED_ENTRIES),
        }
    }

    /// Appends an event, if the stream has it; `cursor` is the one after it.
    pub(super) fn write(&self, event: &FeedEvent, cursor: Option<&EventCursor>, now: Timestamp, text: &mut String) {
        match self {
            Self::Operator(filter) if filter.includes(event) => {
                let id = cursor.map(|cursor| cursor as &dyn std::fmt::Display);
                write_event(text, id, &event.kind, &event.json);
            }
            Self::Operator(_) => {}
            Self::Client(filter) => filter.write(event, cursor, now, text),
        }
    }

    /// Appends the end of what was missed, after which events are sent as they happen, or that there is nothing new.
    pub(super) fn write_heartbeat(&self, cursor: &EventCursor, is_first: bool, now: Timestamp, text: &mut String) {
        match self {
            Self::Operator(_) if is_first => text.push_str(": all until now\n\n"),
            Self::Operator(_) => text.push_str(": nothing new\n\n"),
            Self::Client(filter) => filter.write_notice(StreamNoticeKind::Heartbeat, cursor, now, text),
        }
    }
}

impl EventFilter {
    fn includes(&self, event: &FeedEvent) -> bool {
        let is_kind = self.kinds.is_empty() || event.kind == RESET || self.kinds.iter().any(|kind| *kind == event.kind);
        is_kind && (event.pool.is_none() || self.pool.is_none() || event.pool == self.pool)
    }
}

impl ClientFilter {
    /// Returns the cursor at which a stream continues: that of `text` in the history that ends with `end`, or one that no
    /// store knows, if the text is not a cursor of this stream or too old.
    pub(crate) fn resume(&self, text: &str, end: &EventCursor, now: Timestamp) -> EventCursor {
        let position = decrypt(text, &end.generation, self.owner());
        let is_recent = |sent_at: Timestamp| now < sent_at.plus_seconds(MAX_CURSOR_AGE_SECONDS);
        match position.filter(|(_, sent_at)| is_recent(*sent_at)) {
            Some((ledger, _)) => EventCursor { ledger, ..end.clone() },
            None => EventCursor::unknown(),
        }
    }

    fn write(&self, event: &FeedEvent, cursor: Option<&EventCursor>, now: Timestamp, text: &mut String) {
        let Some(cursor) = cursor else { return };
        if event.kind == RESET {
            return self.write_notice(StreamNoticeKind::Reset, cursor, now, text);
        }
        let Some(of_client) = &event.client_event else { return };
        if *of_client.client != *self.client || *of_client.event.chain_id != self.chain_id {
            return;
        }
        let Some(id) = encrypt(cursor, self.owner(), now) else { return };
        let quote_event = QuoteEvent { id: id.clone(), ..of_client.event.clone() };
        if let Ok(json) = serde_json::to_string(&quote_event) {
            write_event(text, Some(&id), &event.kind, &json);
        }
    }

    fn write_notice(&self, event: StreamNoticeKind, cursor: &EventCursor, now: Timestamp, text: &mut String) {
        let Some(id) = encrypt(cursor, self.owner(), now) else { return };
        let kind = match event {
            StreamNoticeKind::Heartbeat => "heartbeat",
            StreamNoticeKind::Reset => RESET,
        };
        if let Ok(json) = serde_json::to_string(&StreamNotice { event, id: id.clone() }) {
            write_event(text, Some(&id), kind, &json);
        }
    }

    fn owner(&self) -> StreamOwner<'_> {
        StreamOwner { client: &self.client, chain_id: self.chain_id }
    }
}

//! The events of a stream of levels: recorded in the session, and filtered according to the fault.

use std::sync::Arc;

use actix_web::web::{Bytes, BytesMut};
use firmquote_domain::Timestamp;
use serde_json::Value;

use crate::{fault::Fault, sandbox::Sandbox};

/// The reasons for which levels no longer hold once they are withdrawn.
const ENDED_BY: [&str; 2] = ["paused", "store_unreachable"];

/// Filters the events of a taker's stream according to the injected fault.
pub(crate) struct LevelEventFilter {
    sandbox: Arc<Sandbox>,
    taker: String,
    fault: Option<Fault>,
    /// Whether the initial snapshot was sent, after which the fault applies.
    is_snapshot_sent: bool,
    gap_at: Option<Timestamp>,
}

impl LevelEventFilter {
    /// Creates the filter of a stream of `taker`.
    pub(crate) fn new(sandbox: Arc<Sandbox>, taker: String, fault: Option<Fault>) -> Self {
        Self { sandbox, taker, fault, is_snapshot_sent: false, gap_at: None }
    }

    /// Whether the client receives the event; updates the session and the state of the stream.
    fn is_forwarded(&mut self, event: &str) -> bool {
        let Some(message) = event.lines().find_map(|line| line.strip_prefix("data: ")) else { return true };
        let message: Value = serde_json::from_str(message).unwrap_or_default();
        let is_missing = self.is_snapshot_sent && self.fault == Some(Fault::Gap) && self.gap_at.is_none();
        if is_missing {
            self.gap_at = Some(self.sandbox.now());
            return false;
        }
        match message.get("type").and_then(Value::as_str) {
            Some("snapshot_end") => self.is_snapshot_sent = true,
            // Other reasons end no promise: such levels may be named until they expire.
            Some("withdraw") if ENDED_BY.map(Some).contains(&message.get("reason").and_then(Value::as_str)) => {
                let now = self.sandbox.now();
                let ids = message.get("levels_ids").and_then(Value::as_array);
                for id in ids.into_iter().flatten().filter_map(Value::as_str) {
                    self.sandbox.update_session(&self.taker, |session| session.record_withdrawal(id, now));
                }
            }
            _ => {}
        }
        true
    }

    /// Returns the events of a chunk of whole events that the taker receives; `None` if there are none, and permanently
    /// once [`Self::is_silent`].
    pub(crate) fn filter(&mut self, chunk: Bytes) -> Option<Bytes> {
        let Ok(text) = str::from_utf8(&chunk) else { return Some(chunk) };
        let mut forwarded = BytesMut::with_capacity(chunk.len());
        for event in text.split_inclusive("\n\n") {
            if self.is_forwarded(event) {
                forwarded.extend_from_slice(event.as_bytes());
            }
        }
        (!forwarded.is_empty()).then(|| forwarded.freeze())
    }

    /// Whether the taker receives nothing more, although the connection stays open.
    pub(crate) fn is_silent(&self) -> bool {
        self.is_snapshot_sent && self.fault == Some(Fault::Silence)
    }
}

impl Drop for LevelEventFilter {
    fn drop(&mut self) {
        let now = self.sandbox.now();
        self.sandbox.update_session(&self.taker, |session| session.record_stream_end(self.gap_at, now));
    }
}

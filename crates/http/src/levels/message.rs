//! The messages of a stream, numbered without gaps.

use std::{collections::BTreeMap, fmt::Write as _};

use actix_web::web::Bytes;
use firmquote_desk::{Validity, WithdrawalReason};
use firmquote_domain::{ChainId, LevelsId, Timestamp};
use strum::IntoStaticStr;

use super::{book_record::millis, topic::MIN_INTERVAL_MS};

/// The version of the messages.
const PROTOCOL: &str = "firmquote-levels/1";

/// The `type` of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub(crate) enum MessageKind {
    Hello,
    Book,
    SnapshotEnd,
    Renew,
    Withdraw,
    Heartbeat,
    Goodbye,
}

/// Why a stream ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "snake_case", const_into_str)]
pub(super) enum GoodbyeReason {
    /// The service shuts down.
    Shutdown,
    /// Credentials, pools or limits may have changed.
    Reloaded,
}

/// A message of a stream.
pub(crate) struct Message {
    /// The `type` of the message.
    pub(crate) kind: MessageKind,
    /// The number of the message on its connection, from 1.
    pub(crate) number: u64,
    /// The JSON of the message up to its shared members, without the closing brace.
    head: String,
    /// The encoded members that all readers share, or nothing.
    members: Bytes,
}

impl Message {
    /// The length of the JSON.
    pub(crate) fn len(&self) -> usize {
        self.head.len() + self.members.len() + 1
    }

    /// Appends the JSON.
    pub(crate) fn write_to(&self, text: &mut String) {
        text.push_str(&self.head);
        // The serializer writes UTF-8.
        text.push_str(std::str::from_utf8(&self.members).unwrap_or_default());
        text.push('}');
    }

    /// Returns the JSON.
    pub(crate) fn into_json(self) -> String {
        let mut text = String::with_capacity(self.len());
        self.write_to(&mut text);
        text
    }
}

/// Writes the messages of one connection.
#[derive(Default)]
pub(super) struct MessageWriter {
    last_number: u64,
}

impl MessageWriter {
    pub(super) fn hello(&mut self, epoch: &str, chain_id: ChainId, heartbeat_ms: u64, now: Timestamp) -> Message {
        let now = millis(now);
        self.message(MessageKind::Hello, 256, |json| {
            _ = write!(
                json,
                ",\"protocol\":\"{PROTOCOL}\",\"epoch\":\"{epoch}\",\"server_time_ms\":{now},\"chain_id\":{chain_id},\
                 \"heartbeat_ms\":{heartbeat_ms},\"min_interval_ms\":{MIN_INTERVAL_MS}"
            );
        })
    }

    /// A book with these encoded members.
    pub(super) fn book(&mut self, members: &Bytes) -> Message {
        let message = self.message(MessageKind::Book, 64, |json| json.push(','));
        Message { members: members.clone(), ..message }
    }

    pub(super) fn snapshot_end(&mut self, books: usize) -> Message {
        self.message(MessageKind::SnapshotEnd, 64, |json| _ = write!(json, ",\"books\":{books}"))
    }

    pub(super) fn renew(&mut self, ids: &[LevelsId], validity: Validity) -> Message {
        let [as_of, published, valid_until] = [validity.as_of, validity.published_at, validity.valid_until].map(millis);
        self.message(MessageKind::Renew, 128 + 36 * ids.len(), |json| {
            write_ids(json, ids);
            _ = write!(json, ",\"as_of_ms\":{as_of},\"published_ms\":{published},\"valid_until_ms\":{valid_until}");
        })
    }

    pub(super) fn withdraw(&mut self, ids: &[LevelsId], reason: WithdrawalReason) -> Message {
        self.message(MessageKind::Withdraw, 128 + 36 * ids.len(), |json| {
            write_ids(json, ids);
            _ = write!(json, ",\"reason\":\"{}\"", reason.name());
        })
    }

    pub(super) fn heartbeat(&mut self, now: Timestamp) -> Message {
        self.message(MessageKind::Heartbeat, 96, |json| _ = write!(json, ",\"server_time_ms\":{}", millis(now)))
    }

    pub(super) fn goodbye(&mut self, reason: GoodbyeReason, reconnect_after_ms: u64) -> Message {
        self.message(MessageKind::Goodbye, 96, |json| {
            _ = write!(json, ",\"reason\":\"{}\",\"reconnect_after_ms\":{reconnect_after_ms}", reason.into_str());
        })
    }

    fn message(&mut self, kind: MessageKind, capacity: usize, write: impl FnOnce(&mut String)) -> Message {
        self.last_number += 1;
        let mut json = String::with_capacity(capacity);
        _ = write!(json, "{{\"type\":\"{}\",\"n\":{}", kind.into_str(), self.last_number);
        write(&mut json);
        Message { kind, number: self.last_number, head: json, members: Bytes::new() }
    }
}

/// Messages that cover several books at once.
#[derive(Default)]
pub(super) struct Notices {
    renewed: BTreeMap<Validity, Vec<LevelsId>>,
    withdrawn: BTreeMap<WithdrawalReason, Vec<LevelsId>>,
}

impl Notices {
    pub(super) fn renew(&mut self, id: LevelsId, validity: Validity) {
        self.renewed.entry(validity).or_default().push(id);
    }

    pub(super) fn withdraw(&mut self, id: LevelsId, reason: WithdrawalReason) {
        self.withdrawn.entry(reason).or_default().push(id);
    }

    pub(super) fn into_messages(self, writer: &mut MessageWriter) -> Vec<Message> {
        let renewed = self.renewed.into_iter();
        let mut messages: Vec<Message> = renewed.map(|(validity, ids)| writer.renew(&ids, validity)).collect();
        messages.extend(self.withdrawn.into_iter().map(|(reason, ids)| writer.withdraw(&ids, reason)));
        messages
    }
}

fn write_ids(json: &mut String, ids: &[LevelsId]) {
    json.push_str(",\"levels_ids\":");
    for (position, id) in ids.iter().enumerate() {
        _ = write!(json, "{}\"{id}\"", if position == 0 { "[" } else { "," });
    }
    json.push(']');
}

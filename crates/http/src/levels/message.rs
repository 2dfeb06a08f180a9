//! The messages of a stream, numbered without gaps.

use std::collections::BTreeMap;

use actix_web::web::Bytes;
use firmquote_api as api;
use firmquote_desk::{Validity, WithdrawalReason};
use firmquote_domain::{ChainId, LevelsId, Timestamp};
use serde::Serialize;
use strum::IntoStaticStr;

use super::{
    response::{encode_members, millis},
    topic::MIN_INTERVAL_MS,
};

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
    /// Its `type` and `n`, encoded.
    head: Bytes,
    /// Its other members, encoded; those of a book are shared by all readers.
    members: Bytes,
}

impl Message {
    /// The length of the JSON.
    pub(crate) fn len(&self) -> usize {
        self.head.len() + self.members.len() + 3
    }

    /// Appends the JSON.
    pub(crate) fn write_to(&self, text: &mut String) {
        // The serializer writes UTF-8.
        let [head, members] = [&self.head, &self.members].map(|part| str::from_utf8(part).unwrap_or_default());
        for part in ["{", head, ",", members, "}"] {
            text.push_str(part);
        }
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
        let hello = api::Hello {
            protocol: PROTOCOL.into(),
            epoch: epoch.to_owned(),
            server_time_ms: millis(now),
            chain_id: chain_id.into(),
            heartbeat_ms,
            min_interval_ms: MIN_INTERVAL_MS,
        };
        self.message(MessageKind::Hello, &hello)
    }

    /// A book with these encoded members.
    pub(super) fn book(&mut self, members: Bytes) -> Message {
        self.message_with_members(MessageKind::Book, members)
    }

    pub(super) fn snapshot_end(&mut self, books: usize) -> Message {
        self.message(MessageKind::SnapshotEnd, &api::SnapshotEnd { books })
    }

    pub(super) fn renew(&mut self, ids: &[LevelsId], validity: Validity) -> Message {
        let levels_ids = ids.iter().map(|id| (*id).into()).collect();
        let renew = api::Renew {
            levels_ids,
            as_of_ms: millis(validity.as_of),
            published_ms: millis(validity.published_at),
            valid_until_ms: millis(validity.valid_until),
        };
        self.message(MessageKind::Renew, &renew)
    }

    pub(super) fn withdraw(&mut self, ids: &[LevelsId], reason: WithdrawalReason) -> Message {
        let levels_ids = ids.iter().map(|id| (*id).into()).collect();
        self.message(MessageKind::Withdraw, &api::Withdraw { levels_ids, reason: reason.name().into() })
    }

    pub(super) fn heartbeat(&mut self, now: Timestamp) -> Message {
        self.message(MessageKind::Heartbeat, &api::Heartbeat { server_time_ms: millis(now) })
    }

    pub(super) fn goodbye(&mut self, reason: GoodbyeReason, reconnect_after_ms: u64) -> Message {
        self.message(MessageKind::Goodbye, &api::Goodbye { reason: reason.into_str().into(), reconnect_after_ms })
    }

    fn message(&mut self, kind: MessageKind, members: &impl Serialize) -> Message {
        // Structs of integers and strings always serialize.
        self.message_with_members(kind, encode_members(members).unwrap_or_default())
    }

    fn message_with_members(&mut self, kind: MessageKind, members: Bytes) -> Message {
        self.last_number += 1;
        let head = api::MessageHead { kind: kind.into_str().into(), n: self.last_number };
        Message { kind, number: head.n, head: encode_members(&head).unwrap_or_default(), members }
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

//! The messages of a stream of levels.

use std::time::Duration;

use firmquote_api as api;
use serde::de::Error as _;

use crate::{LevelBook, validate::check_concave};

/// A message, reduced to the parts that a consumer needs.
pub(super) enum Message {
    /// The first message.
    Hello {
        /// Unix milliseconds at the service.
        server_time_ms: u64,
    },
    /// A book, which replaces the one of its pool, input and output.
    Book(Box<LevelBook>),
    /// These books are valid for longer.
    Renew(api::Renew),
    /// These books are no longer valid.
    Withdraw(Vec<api::LevelsIdText>),
    /// All books have arrived.
    SnapshotEnd,
    /// The service ends the stream.
    Goodbye {
        /// How long to wait before reconnecting.
        reconnect_after: Duration,
    },
    /// A heartbeat, or a type of a later release.
    Other,
}

impl Message {
    /// Parses a message. Returns its number as well.
    ///
    /// # Errors
    /// [`serde_json::Error`] if a member is missing or malformed.
    pub(super) fn parse(json: &str) -> Result<(u64, Self), serde_json::Error> {
        let api::MessageHead { kind, n } = serde_json::from_str(json)?;
        let message = match &*kind {
            "hello" => {
                let api::Hello { server_time_ms, .. } = serde_json::from_str(json)?;
                Self::Hello { server_time_ms }
            }
            "book" => {
                let book: LevelBook = serde_json::from_str(json)?;
                check_concave(&book).map_err(serde_json::Error::custom)?;
                Self::Book(Box::new(book))
            }
            "renew" => Self::Renew(serde_json::from_str(json)?),
            "withdraw" => {
                let api::Withdraw { levels_ids, .. } = serde_json::from_str(json)?;
                Self::Withdraw(levels_ids)
            }
            "snapshot_end" => Self::SnapshotEnd,
            "goodbye" => {
                let api::Goodbye { reconnect_after_ms, .. } = serde_json::from_str(json)?;
                Self::Goodbye { reconnect_after: Duration::from_millis(reconnect_after_ms) }
            }
            _ => Self::Other,
        };
        Ok((n, message))
    }
}

//! The messages of a stream of levels.

use std::time::Duration;

use firmquote_domain::LevelsId;
use serde::{Deserialize, de::Error as _};

use crate::LevelBook;

/// A message, reduced to the parts that a consumer needs.
pub(super) enum Message {
    /// The first message.
    Hello {
        /// Unix milliseconds at the service.
        server_time_ms: u64,
    },
    /// A book, which replaces the one of its pool, input and output.
    Book(Box<LevelBook>, Period),
    /// These books are valid for longer.
    Renew(Vec<LevelsId>, Period),
    /// These books are no longer valid.
    Withdraw(Vec<LevelsId>),
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

/// The validity of a book, by the clock of the service.
#[derive(Clone, Copy, Deserialize)]
pub(super) struct Period {
    pub(super) as_of_ms: u64,
    pub(super) published_ms: u64,
    pub(super) valid_until_ms: u64,
}

#[derive(Deserialize)]
struct Head {
    #[serde(rename = "type")]
    kind: String,
    n: u64,
}

#[derive(Deserialize)]
struct Hello {
    server_time_ms: u64,
}

#[derive(Deserialize)]
struct Ids {
    levels_ids: Vec<String>,
}

#[derive(Deserialize)]
struct Goodbye {
    reconnect_after_ms: u64,
}

impl Message {
    /// Parses a message. Returns its number as well.
    ///
    /// # Errors
    /// [`serde_json::Error`] if a member is missing or malformed.
    pub(super) fn parse(json: &str) -> Result<(u64, Self), serde_json::Error> {
        let Head { kind, n } = serde_json::from_str(json)?;
        let period = || serde_json::from_str::<Period>(json);
        let message = match kind.as_str() {
            "hello" => {
                let Hello { server_time_ms } = serde_json::from_str(json)?;
                Self::Hello { server_time_ms }
            }
            "book" => Self::Book(Box::new(book(json)?), period()?),
            "renew" => Self::Renew(ids(json)?, period()?),
            "withdraw" => Self::Withdraw(ids(json)?),
            "snapshot_end" => Self::SnapshotEnd,
            "goodbye" => {
                let Goodbye { reconnect_after_ms } = serde_json::from_str(json)?;
                Self::Goodbye { reconnect_after: Duration::from_millis(reconnect_after_ms) }
            }
            _ => Self::Other,
        };
        Ok((n, message))
    }
}

fn book(json: &str) -> Result<LevelBook, serde_json::Error> {
    let book: LevelBook = serde_json::from_str(json)?;
    if book.is_concave() { Ok(book) } else { Err(serde_json::Error::custom("prices within a book must not rise")) }
}

fn ids(json: &str) -> Result<Vec<LevelsId>, serde_json::Error> {
    let Ids { levels_ids } = serde_json::from_str(json)?;
    levels_ids.iter().map(|id| id.parse().map_err(serde_json::Error::custom)).collect()
}

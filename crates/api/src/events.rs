//! The messages of a client's stream of events.

use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

use crate::{AddressText, ChainIdNumber, QuoteIdText, Settlement, UtcTime};

/// A change of a signed quote of the client.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuoteEvent {
    /// What happened.
    pub event: QuoteEventKind,
    /// The cursor after this event.
    pub id: String,
    /// The quote.
    pub quote_id: QuoteIdText,
    /// The chain id (EIP-155).
    pub chain_id: ChainIdNumber,
    /// The pool contract.
    pub pool_address: AddressText,
    /// When the quote was signed, or the service recorded the outcome.
    pub recorded_at: UtcTime,
    /// The execution; null unless the swap is settled. Its `confirmations` are null.
    pub settled: Option<Settlement>,
}

/// What happened to a quote.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum QuoteEventKind {
    /// It was signed.
    Signed,
    /// The swap was executed. A reorganization of the chain may undo that.
    Settled,
    /// The swap is no longer valid and was never executed.
    Lapsed,
    /// A reorganization of the chain undid the outcome: the swap may be executed again.
    Reorged,
}

impl QuoteEventKind {
    /// The name on the wire.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// A message about the stream itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StreamNotice {
    /// What the message says.
    pub event: StreamNoticeKind,
    /// The cursor at which the stream continues.
    pub id: String,
}

/// What a message about the stream says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StreamNoticeKind {
    /// Every event until now was sent.
    Heartbeat,
    /// Events before the cursor may be missing: read the status of open quotes.
    Reset,
}

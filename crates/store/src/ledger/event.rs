//! What an entry of the ledger says.

use firmquote_domain::{QuoteId, Settlement, SignedQuote, SwapOutcome, Timestamp, U256};
use serde::Deserialize;

use super::entry::{SettlementEntry, SignatureEntry, Text};

/// The members that identify an entry.
#[derive(Deserialize)]
pub(super) struct EntryHeader {
    pub(super) event: Event,
    pub(super) quote_id: Text<QuoteId>,
    /// Of an execution.
    pub(super) block_number: Option<u64>,
    pub(super) input_amount: Option<Text<U256>>,
    /// Of an outcome.
    recorded_at_us: Option<u64>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Event {
    Signed,
    Settled,
    Lapsed,
    Reorged,
}

/// What an entry of the ledger says about a quote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LedgerEvent {
    /// It was signed. An attempt that was repeated has several entries; the first signature is the one that was released.
    Signed(Box<SignedQuote>),
    /// Its swap ended, or is open again after a reorganization.
    Outcome {
        /// The quote.
        quote_id: QuoteId,
        /// How it ended; `None` if it is open again.
        outcome: Option<SwapOutcome>,
        /// When the service learned of it: the latest entry of a quote counts.
        recorded_at: Timestamp,
    },
}

impl LedgerEvent {
    /// When the signature was made, or the service learned of the outcome.
    pub fn time(&self) -> Timestamp {
        match self {
            Self::Signed(signed) => signed.signed_at,
            Self::Outcome { recorded_at, .. } => *recorded_at,
        }
    }

    /// Parses a line of the ledger; `None` if it is not an entry of this version.
    pub fn parse(line: &[u8]) -> Option<Self> {
        let EntryHeader { event, quote_id: Text(quote_id), recorded_at_us, .. } = serde_json::from_slice(line).ok()?;
        let outcome = match event {
            Event::Signed => {
                let entry: SignatureEntry<'_> = serde_json::from_slice(line).ok()?;
                return entry.try_into().ok().map(|signed| Self::Signed(Box::new(signed)));
            }
            Event::Settled => {
                let entry: SettlementEntry = serde_json::from_slice(line).ok()?;
                Some(SwapOutcome::Settled(Settlement::from(entry)))
            }
            Event::Lapsed => Some(SwapOutcome::Lapsed),
            Event::Reorged => None,
        };
        Some(Self::Outcome { quote_id, outcome, recorded_at: Timestamp::from_micros(recorded_at_us?) })
    }
}

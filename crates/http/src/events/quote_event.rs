//! What a client learns from an entry of the ledger about its own quote.

use firmquote_api::{AddressText, ChainIdNumber, QuoteEvent, QuoteEventKind, QuoteIdText};
use firmquote_desk::{EventStream, StreamEntry};
use firmquote_domain::Timestamp;
use serde::Deserialize;

/// The event of a quote, for the client that the quote belongs to.
#[derive(Debug)]
pub(super) struct ClientEvent {
    pub(super) client: String,
    /// The event, without its cursor: that differs between streams.
    pub(super) event: QuoteEvent,
}

/// The members of an entry that its client may see.
#[derive(Deserialize)]
struct EntryMembers {
    event: QuoteEventKind,
    quote_id: QuoteIdText,
    client: Option<String>,
    chain_id: ChainIdNumber,
    pool: AddressText,
    signed_at_us: Option<u64>,
    recorded_at_us: Option<u64>,
}

impl ClientEvent {
    /// Reads an entry of the ledger; `None` for one of another stream, for the quote of an anonymous client, and for an entry
    /// that cannot be read.
    pub(super) fn from_entry(StreamEntry { stream, line, .. }: &StreamEntry) -> Option<Self> {
        if *stream != EventStream::Ledger {
            return None;
        }
        let members: EntryMembers = serde_json::from_str(line).ok()?;
        let settled = match members.event {
            QuoteEventKind::Settled => Some(serde_json::from_str(line).ok()?),
            QuoteEventKind::Signed | QuoteEventKind::Lapsed | QuoteEventKind::Reorged => None,
        };
        let event = QuoteEvent {
            event: members.event,
            id: String::new(),
            quote_id: members.quote_id,
            chain_id: members.chain_id,
            pool_address: members.pool,
            recorded_at: Timestamp::from_micros(members.recorded_at_us.or(members.signed_at_us)?).into(),
            settled,
        };
        Some(Self { client: members.client?, event })
    }
}

//! The binary encoding of quotes, terms and signatures: a format byte, the fields that scripts read at fixed offsets,
//! then the postcard encoding of the structures of [`codec`](crate::codec).
//!
//! ```text
//! quote   format (1) | generation of the server (32) | expiry of a claim, Unix milliseconds, big-endian (8)
//!         | StoredQuote, its client first
//! claim   generation of the server (32) | StoredTerms
//! record  format (1) | 1 (1) | StoredQuote, StoredTerms, StoredSignature
//! outcome format (1) | StoredOutcome
//! ```

use firmquote_domain::{Client, Quote, QuoteId, SignedQuote, SwapOutcome, Terms};

use super::generation::Generation;
pub(super) use crate::codec::stored::StoredBounds;
use crate::codec::{
    self, FORMAT,
    stored::{StoredOutcome, StoredQuote, StoredTerms},
};

/// Written for earlier releases, which wrote records before their entries in the ledger.
const IN_LEDGER: u8 = 1;
/// The format of outcomes; the only one that is written and read.
const OUTCOME_FORMAT: u8 = 1;
/// The length of the fields between the format byte of a quote and the quote.
const QUOTE_HEADER: usize = Generation::LENGTH + 8;

/// The result of encoding. Never an error for values of the domain, but returned instead of a panic.
pub(super) type Encoded = Result<Vec<u8>, postcard::Error>;

/// Encodes the value of a quote key. `claimed_until` is the expiry of a claim, in Unix milliseconds.
pub(super) fn encode_quote(quote: &Quote, claimed_until: u64, generation: &Generation) -> Encoded {
    let mut bytes = Vec::with_capacity(416);
    bytes.push(FORMAT);
    bytes.extend(generation.as_bytes());
    bytes.extend(claimed_until.to_be_bytes());
    postcard::to_extend(&StoredQuote::from(quote), bytes)
}

/// Encodes the client as in the value of a quote key, right after the expiry of the claim.
pub(super) fn encode_client(client: &Client) -> Encoded {
    postcard::to_allocvec(&client.name())
}

/// Encodes the value of a claim key, without the generation before it.
pub(super) fn encode_terms(terms: &Terms) -> Encoded {
    postcard::to_allocvec(&StoredTerms::from(terms))
}

/// Encodes the value of a record key.
pub(super) fn encode_record(signed: &SignedQuote) -> Encoded {
    let mut bytes = Vec::with_capacity(512);
    bytes.extend([FORMAT, IN_LEDGER]);
    codec::extend_signed(bytes, signed)
}

/// Decodes the quote `id` from the value of its key; `None` if the value has another format.
pub(super) fn decode_quote(id: QuoteId, bytes: &[u8]) -> Option<Quote> {
    codec::quote(id, bytes.strip_prefix(&[FORMAT])?.get(QUOTE_HEADER..)?)
}

/// Decodes the record of quote `id` from the value of its key; `None` if the value has another format.
pub(super) fn decode_record(id: QuoteId, bytes: &[u8]) -> Option<SignedQuote> {
    let (_, stored) = bytes.strip_prefix(&[FORMAT])?.split_first()?;
    codec::signed(id, stored)
}

/// Encodes the value of an outcome key.
pub(super) fn encode_outcome(outcome: &SwapOutcome) -> Encoded {
    postcard::to_extend(&StoredOutcome::from(outcome), vec![OUTCOME_FORMAT])
}

/// Decodes the value of an outcome key; `None` if the value has another format.
pub(super) fn decode_outcome(bytes: &[u8]) -> Option<SwapOutcome> {
    postcard::from_bytes::<StoredOutcome>(bytes.strip_prefix(&[OUTCOME_FORMAT])?).ok().map(SwapOutcome::from)
}

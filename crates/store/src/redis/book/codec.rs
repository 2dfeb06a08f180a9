//! The stored form of a booked swap: fields of fixed length that scripts read, see `scripts/book.lua`, then the name of
//! its client, then a format byte and the postcard encoding of [`StoredSwap`].

use std::sync::Arc;

use firmquote_domain::{
    Address, Amount, BookEntry, BookedSwap, ChainId, Client, GoodUntil, NativeSide, Offer, Origin, PoolId, QuoteId,
    ReserveBounds, SwapState, Timestamp, U256,
};
use serde::{Deserialize, Serialize};

use crate::{
    book::{counts_until, lapses_at},
    redis::codec::StoredBounds,
};

/// The format of the part that scripts do not read; the only one that is written and read.
const FORMAT: u8 = 2;
/// The length of the fields before the name of the client.
const HEADER: usize = 336;
/// The length of state and block.
const STATE: usize = 21;
/// A block that is not known.
const NO_BLOCK: &str = "--------------------";

#[derive(Serialize, Deserialize)]
struct StoredSwap<'a> {
    client: Option<&'a str>,
    origin: Option<u64>,
    chain_id: u64,
    pool: [u8; 20],
    input_token: [u8; 20],
    output_token: [u8; 20],
    input_amount: [u8; 32],
    output_amount: [u8; 32],
    good_until: [u8; 32],
    destination: [u8; 20],
    native: u8,
    signed_at_us: u64,
    block: Option<u64>,
    guarantee: Option<StoredBounds>,
}

/// Encodes state and block, with which an entry starts.
pub(super) fn encode_state(state: SwapState) -> String {
    let letter = match state {
        SwapState::Outstanding => 'o',
        SwapState::Settled(_) => 's',
        SwapState::Lapsed(_) => 'l',
    };
    state.block().map_or_else(|| format!("{letter}{NO_BLOCK}"), |block| format!("{letter}{block:020}"))
}

pub(super) fn decode_state(state: &[u8]) -> Option<SwapState> {
    let (letter, block) = str::from_utf8(state).ok()?.split_at_checked(1)?;
    let block = if block == NO_BLOCK { None } else { Some(block.parse().ok()?) };
    match (letter, block) {
        ("o", None) => Some(SwapState::Outstanding),
        ("s", Some(block)) => Some(SwapState::Settled(block)),
        ("l", block) => Some(SwapState::Lapsed(block)),
        _ => None,
    }
}

/// Encodes an amount or a sum as scripts add them up.
pub(super) fn encode_amount(amount: U256) -> String {
    format!("{amount:072x}")
}

pub(in crate::redis) fn encode(BookedSwap { swap, state }: &BookedSwap) -> Result<Vec<u8>, postcard::Error> {
    let offer = &swap.offer;
    let token = |token: Address| format!("{token:x}").trim_start_matches("0x").to_owned();
    let (lapse, client) = (lapses_at(swap), swap.client.name());
    // A name that differs from that of every other client, also from none.
    let name = client.map_or_else(|| "-".to_owned(), |name| format!("={name}"));
    let origin = swap.origin.map_or_else(|| "-".repeat(16), |origin| format!("{:016x}", origin.get()));
    let header = format!(
        "{}{}{}{}{}{:010}{:010}{}{:010}{}{origin}{:04}{name}",
        encode_state(*state),
        token(offer.input_token),
        encode_amount(offer.input_amount.base_units()),
        token(offer.output_token),
        encode_amount(offer.output_amount.base_units()),
        lapse.get(),
        counts_until(swap, lapse).get(),
        token(offer.destination),
        offer.good_until.expires_at().get(),
        if swap.guarantee.is_some() { 'g' } else { '-' },
        name.len(),
    );
    let mut bytes = header.into_bytes();
    bytes.push(FORMAT);
    let stored = StoredSwap {
        client,
        origin: swap.origin.map(Origin::get),
        chain_id: offer.pool.chain_id.get(),
        pool: offer.pool.address.into_array(),
        input_token: offer.input_token.into_array(),
        output_token: offer.output_token.into_array(),
        input_amount: offer.input_amount.base_units().to_be_bytes(),
        output_amount: offer.output_amount.base_units().to_be_bytes(),
        good_until: offer.good_until.to_word().to_be_bytes(),
        destination: offer.destination.into_array(),
        native: match swap.native {
            NativeSide::Neither => 0,
            NativeSide::Input => 1,
            NativeSide::Output => 2,
        },
        signed_at_us: swap.signed_at.as_micros(),
        block: swap.block,
        guarantee: swap.guarantee.as_ref().map(StoredBounds::from),
    };
    postcard::to_extend(&stored, bytes)
}

/// Decodes an entry; `None` if it has another format.
pub(in crate::redis) fn decode(id: QuoteId, entry: &[u8]) -> Option<BookedSwap> {
    let (header, rest) = entry.split_at_checked(HEADER)?;
    let state = decode_state(header.get(..STATE)?)?;
    let name_length: usize = str::from_utf8(header.get(HEADER - 4..)?).ok()?.parse().ok()?;
    let stored = rest.get(name_length..)?.strip_prefix(&[FORMAT])?;
    let stored: StoredSwap<'_> = postcard::from_bytes(stored).ok()?;
    let amount = |bytes| Amount::new(U256::from_be_bytes(bytes));
    let swap = BookEntry {
        quote_id: id,
        client: stored.client.map_or(Client::Anonymous, |name| Client::Named(Arc::from(name))),
        origin: stored.origin.map(Origin::new),
        offer: Offer {
            pool: PoolId { chain_id: ChainId::new(stored.chain_id)?, address: Address::from(stored.pool) },
            input_token: Address::from(stored.input_token),
            output_token: Address::from(stored.output_token),
            input_amount: amount(stored.input_amount)?,
            output_amount: amount(stored.output_amount)?,
            good_until: GoodUntil::from_word(U256::from_be_bytes(stored.good_until)).ok()?,
            destination: Address::from(stored.destination),
        },
        native: match stored.native {
            0 => NativeSide::Neither,
            1 => NativeSide::Input,
            2 => NativeSide::Output,
            _ => return None,
        },
        signed_at: Timestamp::from_micros(stored.signed_at_us),
        block: stored.block,
        guarantee: stored.guarantee.as_ref().map(ReserveBounds::from),
    };
    Some(BookedSwap { swap: Arc::new(swap), state })
}

//! The stored form of a booked swap: fields of fixed length that scripts read, see `scripts/functions/book.lua`, then
//! the name of its client, then a format byte and the postcard encoding of [`StoredRest`].

use std::sync::Arc;

use firmquote_domain::{
    Address, Amount, BookEntry, Client, GoodUntil, NativeSide, Offer, PoolId, QuoteId, ReserveBounds, SignedSwap,
    SourceNetwork, SwapDeadlines, SwapState, Timestamp, U256,
};
use serde::{Deserialize, Serialize};

use crate::redis::codec::StoredBounds;

/// The format of the part that scripts do not read; the only one that is written and read.
const FORMAT: u8 = 4;
/// The length of state and block.
const STATE: usize = 9;
/// A block that is not known.
const NO_BLOCK: [u8; 8] = [u8::MAX; 8];
/// The length of an amount: a multiple of what scripts compute with exactly.
const AMOUNT: usize = 36;
/// In place of an amount that is a limit: there is none.
pub(super) const NO_LIMIT: [u8; AMOUNT] = [u8::MAX; AMOUNT];

/// What only replicas read.
#[derive(Serialize, Deserialize)]
struct StoredRest {
    good_until: [u8; 32],
    signed_at_us: u64,
    block: Option<u64>,
    guarantee: Option<StoredBounds>,
}

/// Encodes state and block, with which an entry starts.
pub(super) fn encode_state(state: SwapState) -> [u8; STATE] {
    let letter = match state {
        SwapState::Outstanding => b'o',
        SwapState::Settled(_) => b's',
        SwapState::PartlySettled(_) => b'p',
        SwapState::Lapsed(_) => b'l',
        SwapState::Released(_) => b'r',
    };
    let [a, b, c, d, e, f, g, h] = encode_block(state.block());
    [letter, a, b, c, d, e, f, g, h]
}

pub(super) fn encode_block(block: Option<u64>) -> [u8; 8] {
    block.map_or(NO_BLOCK, u64::to_be_bytes)
}

pub(super) fn decode_state(state: &[u8]) -> Option<SwapState> {
    let (letter, block) = state.split_first()?;
    let block = <[u8; 8]>::try_from(block).ok()?;
    match (letter, (block != NO_BLOCK).then(|| u64::from_be_bytes(block))) {
        (b'o', None) => Some(SwapState::Outstanding),
        (b's', Some(block)) => Some(SwapState::Settled(block)),
        (b'p', Some(block)) => Some(SwapState::PartlySettled(block)),
        (b'l', block) => Some(SwapState::Lapsed(block)),
        (b'r', block) => Some(SwapState::Released(block)),
        _ => None,
    }
}

/// Encodes an amount or a sum as scripts add them up.
pub(in crate::redis) fn encode_amount(amount: U256) -> [u8; AMOUNT] {
    let mut bytes = [0; AMOUNT];
    bytes[AMOUNT - 32..].copy_from_slice(&amount.to_be_bytes::<32>());
    bytes
}

/// Decodes what [`encode_amount`] encodes, and sums of it.
pub(in crate::redis) fn decode_amount(bytes: &[u8]) -> Option<U256> {
    let bytes = bytes.strip_prefix(&[0; AMOUNT - 32])?;
    bytes.try_into().ok().map(U256::from_be_bytes::<32>)
}

pub(in crate::redis) fn encode(BookEntry { swap, state }: &BookEntry) -> Result<Vec<u8>, postcard::Error> {
    let (offer, client) = (&swap.offer, swap.client.name());
    let SwapDeadlines { lapse, release, removal } = swap.deadlines();
    // A name that differs from that of every other client, also from none. At most 256 bytes.
    let name = client.map_or_else(|| "-".to_owned(), |name| format!("={name}"));
    let length = u16::try_from(name.len()).map_err(|_| postcard::Error::SerializeBufferFull)?;
    let mut bytes = Vec::with_capacity(320);
    bytes.extend(encode_state(*state));
    for (token, amount) in [(offer.input_token, offer.input_amount), (offer.output_token, offer.output_amount)] {
        bytes.extend(token.into_array());
        bytes.extend(encode_amount(amount.base_units()));
    }
    bytes.extend(offer.destination.into_array());
    for second in [offer.good_until.expires_at(), lapse, release, removal] {
        bytes.extend(second.get().to_be_bytes());
    }
    bytes.push(if swap.guarantee.is_some() { b'g' } else { b'-' });
    bytes.push(match swap.native {
        NativeSide::Neither => b'-',
        NativeSide::Input => b'i',
        NativeSide::Output => b'o',
    });
    bytes.push(if swap.source_network.is_some() { b'@' } else { b'-' });
    bytes.extend(swap.source_network.map_or(0, SourceNetwork::get).to_be_bytes());
    bytes.extend(length.to_be_bytes());
    bytes.extend(name.into_bytes());
    bytes.push(FORMAT);
    let rest = StoredRest {
        good_until: offer.good_until.to_word().to_be_bytes(),
        signed_at_us: swap.signed_at.as_micros(),
        block: swap.block,
        guarantee: swap.guarantee.as_ref().map(StoredBounds::from),
    };
    postcard::to_extend(&rest, bytes)
}

/// Decodes an entry of the book of `pool`; `None` if it has another format.
pub(in crate::redis) fn decode(pool: PoolId, id: QuoteId, entry: &[u8]) -> Option<BookEntry> {
    let mut reader = Reader(entry);
    let state = decode_state(&reader.take::<STATE>()?)?;
    let (input_token, input_amount) = (reader.address()?, reader.amount()?);
    let (output_token, output_amount) = (reader.address()?, reader.amount()?);
    let destination = reader.address()?;
    let [_expiry, _lapse, _release, _removal] = [reader.take::<4>()?, reader.take()?, reader.take()?, reader.take()?];
    let [[_is_guaranteed], [native], [has_network]] = [reader.take()?, reader.take()?, reader.take()?];
    let source_network = SourceNetwork::new(u64::from_be_bytes(reader.take()?));
    let length = usize::from(u16::from_be_bytes(reader.take()?));
    let (name, rest) = reader.0.split_at_checked(length)?;
    let client = match str::from_utf8(name).ok()?.split_at_checked(1)? {
        ("-", "") => Client::Anonymous,
        ("=", name) => Client::Named(Arc::from(name)),
        _ => return None,
    };
    let rest: StoredRest = postcard::from_bytes(rest.strip_prefix(&[FORMAT])?).ok()?;
    let good_until = GoodUntil::from_word(U256::from_be_bytes(rest.good_until)).ok()?;
    let swap = SignedSwap {
        quote_id: id,
        client,
        source_network: (has_network == b'@').then_some(source_network),
        offer: Offer { pool, input_token, output_token, input_amount, output_amount, good_until, destination },
        native: match native {
            b'-' => NativeSide::Neither,
            b'i' => NativeSide::Input,
            b'o' => NativeSide::Output,
            _ => return None,
        },
        signed_at: Timestamp::from_micros(rest.signed_at_us),
        block: rest.block,
        guarantee: rest.guarantee.as_ref().map(ReserveBounds::from),
    };
    Some(BookEntry { swap: Arc::new(swap), state })
}

/// Fields of fixed length, one after the other.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const LENGTH: usize>(&mut self) -> Option<[u8; LENGTH]> {
        let (field, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*field)
    }

    fn address(&mut self) -> Option<Address> {
        self.take().map(Address::new)
    }

    fn amount(&mut self) -> Option<Amount> {
        decode_amount(&self.take::<AMOUNT>()?).and_then(Amount::new)
    }
}

//! The JSON form of ledger entries: one for each signature, and one for each outcome of its swap.
//!
//! Numbers that do not fit a double are strings, addresses and words are hex, times are Unix microseconds. Only the
//! members that describe a swap are read back: all others may be missing, or have the form of another version.

use std::{borrow::Cow, fmt::Display, str::FromStr};

use firmquote_domain::{
    Address, Amount, B256, BasisPoints, ChainId, Client, GoodUntil, InvalidValue, Leg, NativeSide, Offer, PoolId,
    Price, QuoteId, ReserveBounds, SignedQuote, SignedSwap, SwapOutcome, Timestamp, U256, parse_address,
};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// The entry of a signature.
#[derive(Serialize, Deserialize)]
pub(super) struct SignatureEntry<'a> {
    #[serde(skip_deserializing)]
    event: &'static str,
    quote_id: Text<QuoteId>,
    /// `null` for a client without credentials.
    client: Option<Cow<'a, str>>,
    chain_id: u64,
    #[serde(deserialize_with = "address")]
    pool: Text<Address>,
    input: LegEntry,
    output: LegEntry,
    #[serde(skip_deserializing)]
    fee_in_basis_points: Text<BasisPoints>,
    #[serde(skip_deserializing)]
    time_in_seconds: u32,
    /// The block of the reserves that the quote was computed with.
    block: Option<u64>,
    #[serde(skip_deserializing)]
    created_at_us: u64,
    #[serde(skip_deserializing)]
    must_accept_by_us: u64,
    /// The last Unix second in which the swap is valid on chain.
    #[serde(skip_deserializing)]
    expires_at: u32,
    /// The signed word: the same second, or the packed form for a pool that verifies.
    good_until: Text<U256>,
    #[serde(deserialize_with = "address")]
    destination: Text<Address>,
    #[serde(skip_deserializing)]
    sender: Text<Address>,
    #[serde(skip_deserializing)]
    aux_data: Text<B256>,
    #[serde(with = "NativeSideEntry")]
    native: NativeSide,
    #[serde(skip_deserializing)]
    transmit: bool,
    #[serde(skip_deserializing)]
    execution: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    guarantee: Option<BoundsEntry>,
    #[serde(skip_deserializing)]
    signature: Option<SignatureParts>,
    signed_at_us: u64,
}

#[derive(Serialize, Deserialize)]
struct LegEntry {
    #[serde(deserialize_with = "address")]
    token: Text<Address>,
    #[serde(skip_deserializing)]
    decimals: u8,
    amount: Text<Amount>,
    #[serde(skip_deserializing)]
    price_usd: Option<Text<Price>>,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "NativeSide", rename_all = "lowercase")]
enum NativeSideEntry {
    Neither,
    Input,
    Output,
}

#[derive(Serialize, Deserialize)]
struct BoundsEntry {
    max_input: Text<U256>,
    min_output: Text<U256>,
}

#[derive(Serialize)]
struct SignatureParts {
    v: u8,
    r: Text<B256>,
    s: Text<B256>,
}

#[derive(Serialize)]
struct OutcomeEntry<'a> {
    event: &'static str,
    quote_id: Text<QuoteId>,
    client: Option<&'a str>,
    chain_id: u64,
    pool: Text<Address>,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    settlement: Option<SettlementEntry>,
    /// When the service learned of it.
    recorded_at_us: u64,
}

#[derive(Serialize)]
struct SettlementEntry {
    transaction_hash: Text<B256>,
    log_index: u64,
    block_number: u64,
    block_timestamp: u32,
    input_amount: Text<U256>,
    output_amount: Text<U256>,
}

/// A value as a string.
#[derive(Default)]
pub(super) struct Text<T>(pub(super) T);

impl<T: Display> Serialize for Text<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de, T: FromStr<Err: Display>> Deserialize<'de> for Text<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map(Self).map_err(D::Error::custom)
    }
}

/// Reads an address; digits of mixed case must have the right checksum.
fn address<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Text<Address>, D::Error> {
    parse_address(&String::deserialize(deserializer)?).map(Text).map_err(D::Error::custom)
}

/// Formats the entry of a signature as one line of JSON, without a newline.
///
/// # Errors
/// Never fails for values of the domain.
pub fn line(signed: &SignedQuote) -> Result<String, serde_json::Error> {
    let SignedQuote { quote, terms, signature, execution, guarantee, signed_at } = signed;
    serde_json::to_string(&SignatureEntry {
        event: "signed",
        quote_id: Text(quote.id),
        client: quote.client.name().map(Cow::Borrowed),
        chain_id: quote.pool.chain_id.get(),
        pool: Text(quote.pool.address),
        input: LegEntry::from(&quote.input),
        output: LegEntry::from(&quote.output),
        fee_in_basis_points: Text(quote.fee),
        time_in_seconds: quote.time_in_seconds,
        block: quote.block,
        created_at_us: quote.created_at.as_micros(),
        must_accept_by_us: quote.must_accept_by.as_micros(),
        expires_at: quote.good_until.expires_at().get(),
        good_until: Text(quote.good_until.to_word()),
        destination: Text(terms.destination),
        sender: Text(terms.sender),
        aux_data: Text(terms.aux_data),
        native: terms.native,
        transmit: terms.transmit,
        execution: execution.name(),
        guarantee: guarantee
            .as_deref()
            .map(|bounds| BoundsEntry { max_input: Text(bounds.max_input), min_output: Text(bounds.min_output) }),
        signature: Some(SignatureParts { v: signature.v(), r: Text(signature.r()), s: Text(signature.s()) }),
        signed_at_us: signed_at.as_micros(),
    })
}

/// Formats the entry about the end of a signed swap as one line of JSON, without a newline; `None` means that the swap
/// is open again after a reorganization.
///
/// # Errors
/// Never fails for values of the domain.
pub fn outcome_line(
    swap: &SignedSwap,
    outcome: Option<SwapOutcome>,
    recorded_at: Timestamp,
) -> Result<String, serde_json::Error> {
    let (event, settlement) = match outcome {
        Some(SwapOutcome::Settled(settlement)) => ("settled", Some(settlement)),
        Some(SwapOutcome::Lapsed) => ("lapsed", None),
        None => ("reorged", None),
    };
    serde_json::to_string(&OutcomeEntry {
        event,
        quote_id: Text(swap.quote_id),
        client: swap.client.name(),
        chain_id: swap.offer.pool.chain_id.get(),
        pool: Text(swap.offer.pool.address),
        settlement: settlement.map(|settlement| SettlementEntry {
            transaction_hash: Text(settlement.transaction_hash),
            log_index: settlement.log_index,
            block_number: settlement.block_number,
            block_timestamp: settlement.block_time.get(),
            input_amount: Text(settlement.input_amount),
            output_amount: Text(settlement.output_amount),
        }),
        recorded_at_us: recorded_at.as_micros(),
    })
}

impl From<&Leg> for LegEntry {
    fn from(leg: &Leg) -> Self {
        let Leg { token, decimals, amount, price, .. } = *leg;
        Self { token: Text(token), decimals: decimals.get(), amount: Text(amount), price_usd: Some(Text(price)) }
    }
}

impl TryFrom<SignatureEntry<'_>> for SignedSwap {
    type Error = InvalidValue;

    fn try_from(entry: SignatureEntry<'_>) -> Result<Self, InvalidValue> {
        let chain_id = ChainId::new(entry.chain_id).ok_or(InvalidValue::OutOfRange { allowed: "1 and more" })?;
        let bounds =
            |bounds: BoundsEntry| ReserveBounds { max_input: bounds.max_input.0, min_output: bounds.min_output.0 };
        Ok(Self {
            quote_id: entry.quote_id.0,
            client: entry.client.map_or(Client::Anonymous, |name| Client::Named(name.into())),
            // The ledger does not record the source network of requests.
            source_network: None,
            offer: Offer {
                pool: PoolId { chain_id, address: entry.pool.0 },
                input_token: entry.input.token.0,
                output_token: entry.output.token.0,
                input_amount: entry.input.amount.0,
                output_amount: entry.output.amount.0,
                good_until: GoodUntil::from_word(entry.good_until.0)?,
                destination: entry.destination.0,
            },
            native: entry.native,
            signed_at: Timestamp::from_micros(entry.signed_at_us),
            block: entry.block,
            guarantee: entry.guarantee.map(bounds),
        })
    }
}

//! The JSON form of ledger entries: one for each signature, and one for each outcome of its swap.

use std::fmt::Display;

use firmquote_domain::{
    Address, Amount, B256, BasisPoints, Leg, NativeSide, Price, QuoteId, SignedQuote, SignedSwap, SwapOutcome,
    Timestamp, U256,
};
use serde::{Serialize, Serializer};

/// Numbers that do not fit a double are strings, addresses and words are hex, times are Unix microseconds.
#[derive(Serialize)]
struct SignatureEntry<'a> {
    event: &'static str,
    #[serde(serialize_with = "as_text")]
    quote_id: QuoteId,
    /// `null` for a client without credentials.
    client: Option<&'a str>,
    chain_id: u64,
    #[serde(serialize_with = "as_text")]
    pool: Address,
    input: EntryLeg,
    output: EntryLeg,
    #[serde(serialize_with = "as_text")]
    fee_in_basis_points: BasisPoints,
    time_in_seconds: u32,
    /// The block of the reserves that the quote was computed with.
    block: Option<u64>,
    created_at_us: u64,
    must_accept_by_us: u64,
    /// The last Unix second in which the swap is valid on chain.
    expires_at: u32,
    /// The signed word: the same second, or the packed form for a pool that verifies.
    #[serde(serialize_with = "as_text")]
    good_until: U256,
    #[serde(serialize_with = "as_text")]
    destination: Address,
    #[serde(serialize_with = "as_text")]
    sender: Address,
    #[serde(serialize_with = "as_text")]
    aux_data: B256,
    native: &'static str,
    transmit: bool,
    execution: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    guarantee: Option<EntryBounds>,
    signature: EntrySignature,
    signed_at_us: u64,
}

#[derive(Serialize)]
struct OutcomeEntry<'a> {
    event: &'static str,
    #[serde(serialize_with = "as_text")]
    quote_id: QuoteId,
    client: Option<&'a str>,
    chain_id: u64,
    #[serde(serialize_with = "as_text")]
    pool: Address,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    settlement: Option<EntrySettlement>,
    /// When the service learned of it.
    recorded_at_us: u64,
}

#[derive(Serialize)]
struct EntrySettlement {
    #[serde(serialize_with = "as_text")]
    transaction_hash: B256,
    log_index: u64,
    block_number: u64,
    block_timestamp: u32,
    #[serde(serialize_with = "as_text")]
    input_amount: U256,
    #[serde(serialize_with = "as_text")]
    output_amount: U256,
}

#[derive(Serialize)]
struct EntryLeg {
    #[serde(serialize_with = "as_text")]
    token: Address,
    decimals: u8,
    #[serde(serialize_with = "as_text")]
    amount: Amount,
    #[serde(serialize_with = "as_text")]
    price_usd: Price,
}

#[derive(Serialize)]
struct EntryBounds {
    #[serde(serialize_with = "as_text")]
    max_input: U256,
    #[serde(serialize_with = "as_text")]
    min_output: U256,
}

#[derive(Serialize)]
struct EntrySignature {
    v: u8,
    #[serde(serialize_with = "as_text")]
    r: B256,
    #[serde(serialize_with = "as_text")]
    s: B256,
}

fn as_text<T: Display, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

/// Formats the entry of a signature as one line of JSON, without a newline.
///
/// # Errors
/// Never fails for values of the domain.
pub fn line(signed: &SignedQuote) -> Result<String, serde_json::Error> {
    let SignedQuote { quote, terms, signature, execution, guarantee, signed_at } = signed;
    serde_json::to_string(&SignatureEntry {
        event: "signed",
        quote_id: quote.id,
        client: quote.client.name(),
        chain_id: quote.pool.chain_id.get(),
        pool: quote.pool.address,
        input: leg(&quote.input),
        output: leg(&quote.output),
        fee_in_basis_points: quote.fee,
        time_in_seconds: quote.time_in_seconds,
        block: quote.block,
        created_at_us: quote.created_at.as_micros(),
        must_accept_by_us: quote.must_accept_by.as_micros(),
        expires_at: quote.good_until.expires_at().get(),
        good_until: quote.good_until.to_word(),
        destination: terms.destination,
        sender: terms.sender,
        aux_data: terms.aux_data,
        native: match terms.native {
            NativeSide::Neither => "neither",
            NativeSide::Input => "input",
            NativeSide::Output => "output",
        },
        transmit: terms.transmit,
        execution: execution.name(),
        guarantee: guarantee
            .as_deref()
            .map(|bounds| EntryBounds { max_input: bounds.max_input, min_output: bounds.min_output }),
        signature: EntrySignature { v: signature.v(), r: signature.r(), s: signature.s() },
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
        quote_id: swap.quote_id,
        client: swap.client.name(),
        chain_id: swap.offer.pool.chain_id.get(),
        pool: swap.offer.pool.address,
        settlement: settlement.map(|settlement| EntrySettlement {
            transaction_hash: settlement.transaction_hash,
            log_index: settlement.log_index,
            block_number: settlement.block_number,
            block_timestamp: settlement.block_time.get(),
            input_amount: settlement.input_amount,
            output_amount: settlement.output_amount,
        }),
        recorded_at_us: recorded_at.as_micros(),
    })
}

fn leg(leg: &Leg) -> EntryLeg {
    EntryLeg { token: leg.token, decimals: leg.decimals.get(), amount: leg.amount, price_usd: leg.price }
}

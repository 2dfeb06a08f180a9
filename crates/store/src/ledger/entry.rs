//! The JSON form of a ledger entry.

use std::fmt::Display;

use firmquote_domain::{
    Address, Amount, B256, BasisPoints, Leg, NativeSide, Price, QuoteId, SignedQuote, Timestamp, U256,
};
use serde::{Serialize, Serializer};

/// Numbers that do not fit a double are strings, addresses and words are hex, times are Unix microseconds.
#[derive(Serialize)]
struct Entry<'a> {
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
    signature: EntrySignature,
    signed_at_us: u64,
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

/// Formats the entry of a signature made at `signed_at` as one line of JSON, without a newline.
///
/// # Errors
/// Never fails for values of the domain.
pub fn line(signed: &SignedQuote, signed_at: Timestamp) -> Result<String, serde_json::Error> {
    let SignedQuote { quote, terms, signature, execution } = signed;
    serde_json::to_string(&Entry {
        quote_id: quote.id,
        client: quote.client.name(),
        chain_id: quote.pool.chain_id.get(),
        pool: quote.pool.address,
        input: leg(&quote.input),
        output: leg(&quote.output),
        fee_in_basis_points: quote.fee,
        time_in_seconds: quote.time_in_seconds,
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
        signature: EntrySignature { v: signature.v(), r: signature.r(), s: signature.s() },
        signed_at_us: signed_at.as_micros(),
    })
}

fn leg(leg: &Leg) -> EntryLeg {
    EntryLeg { token: leg.token, decimals: leg.decimals.get(), amount: leg.amount, price_usd: leg.price }
}

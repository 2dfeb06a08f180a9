//! One entry of the ledger.

use firmquote_domain::{Client, Leg, NativeSide, SignedQuote, Timestamp};
use serde::Serialize;

/// Numbers that do not fit a double are texts; addresses and words are hex, instants Unix microseconds.
#[derive(Serialize)]
struct Entry<'a> {
    quote_id: String,
    /// `null` for a client without credentials.
    client: Option<&'a str>,
    chain_id: u64,
    pool: String,
    input: EntryLeg,
    output: EntryLeg,
    fee_in_basis_points: String,
    time_in_seconds: u32,
    created_at_us: u64,
    must_accept_by_us: u64,
    /// The last Unix second in which the swap is valid on chain.
    expires_at: u32,
    /// The word that was signed: the same second, or packed for a pool that verifies.
    good_until: String,
    destination: String,
    sender: String,
    aux_data: String,
    native: &'static str,
    transmit: bool,
    signature: EntrySignature,
    signed_at_us: u64,
}

#[derive(Serialize)]
struct EntryLeg {
    token: String,
    decimals: u8,
    amount: String,
    price_usd: String,
}

#[derive(Serialize)]
struct EntrySignature {
    v: u8,
    r: String,
    s: String,
}

/// The entry of a signature that was made at `signed_at`: one line of JSON, without the line's end.
///
/// # Errors
/// None that a value of the domain leads to.
pub fn line(signed: &SignedQuote, signed_at: Timestamp) -> Result<String, serde_json::Error> {
    let SignedQuote { quote, terms, signature } = signed;
    serde_json::to_string(&Entry {
        quote_id: quote.id.to_string(),
        client: match &quote.client {
            Client::Anonymous => None,
            Client::Named(name) => Some(name),
        },
        chain_id: quote.pool.chain_id.get(),
        pool: quote.pool.address.to_string(),
        input: leg(&quote.input),
        output: leg(&quote.output),
        fee_in_basis_points: quote.fee.to_string(),
        time_in_seconds: quote.time_in_seconds,
        created_at_us: quote.created_at.as_micros(),
        must_accept_by_us: quote.must_accept_by.as_micros(),
        expires_at: quote.good_until.expires_at().get(),
        good_until: quote.good_until.to_word().to_string(),
        destination: terms.destination.to_string(),
        sender: terms.sender.to_string(),
        aux_data: terms.aux_data.to_string(),
        native: match terms.native {
            NativeSide::Neither => "neither",
            NativeSide::Input => "input",
            NativeSide::Output => "output",
        },
        transmit: terms.transmit,
        signature: EntrySignature { v: signature.v(), r: signature.r().to_string(), s: signature.s().to_string() },
        signed_at_us: signed_at.as_micros(),
    })
}

fn leg(leg: &Leg) -> EntryLeg {
    EntryLeg {
        token: leg.token.to_string(),
        decimals: leg.decimals.get(),
        amount: leg.amount.to_string(),
        price_usd: leg.price.to_string(),
    }
}

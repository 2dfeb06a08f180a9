//! What was signed last, as the operator's page lists it.

use firmquote_desk::{REMEMBERED, RecentSignature, value_in_usd};
use firmquote_domain::{Address, Amount, Client, Leg, QuoteId, Symbol};
use serde::Serialize;

use super::number::Text;
use crate::civil_time::HumanTime;

/// The answer about the last signatures, the newest first.
#[derive(Debug, Serialize)]
pub(crate) struct RecentAnswer<'v> {
    remembered: usize,
    signatures: Vec<SignatureRecord<'v>>,
}

#[derive(Debug, Serialize)]
struct SignatureRecord<'v> {
    signed_at: Text<HumanTime>,
    client: Option<&'v str>,
    quote_id: Text<QuoteId>,
    chain_id: u64,
    pool_address: Text<Address>,
    input_asset: SignedAsset<'v>,
    input_amount: Text<Amount>,
    output_asset: SignedAsset<'v>,
    output_amount: Text<Amount>,
    input_value_in_usd: f64,
    destination_address: Text<Address>,
    good_until: u32,
}

#[derive(Debug, Serialize)]
struct SignedAsset<'v> {
    name: Option<&'v str>,
    address: Text<Address>,
    decimals: u8,
}

impl<'v> RecentAnswer<'v> {
    /// The answer that lists `signatures`.
    pub(crate) fn of(signatures: &'v [RecentSignature]) -> Self {
        Self { remembered: REMEMBERED, signatures: signatures.iter().map(SignatureRecord::of).collect() }
    }
}

impl<'v> SignatureRecord<'v> {
    fn of(noted: &'v RecentSignature) -> Self {
        let (quote, [input, output]) = (&noted.quote, &noted.symbols);
        Self {
            signed_at: Text(HumanTime(noted.signed_at)),
            client: match &quote.client {
                Client::Anonymous => None,
                Client::Named(name) => Some(name),
            },
            quote_id: Text(quote.id),
            chain_id: quote.pool.chain_id.get(),
            pool_address: Text(quote.pool.address),
            input_asset: SignedAsset::of(&quote.input, input.as_ref()),
            input_amount: Text(quote.input.amount),
            output_asset: SignedAsset::of(&quote.output, output.as_ref()),
            output_amount: Text(quote.output.amount),
            input_value_in_usd: value_in_usd(&quote.input),
            destination_address: Text(noted.destination),
            good_until: quote.good_until.expires_at().get(),
        }
    }
}

impl<'v> SignedAsset<'v> {
    fn of(leg: &Leg, symbol: Option<&'v Symbol>) -> Self {
        Self { name: symbol.map(Symbol::as_str), address: Text(leg.token), decimals: leg.decimals.get() }
    }
}

//! The recent signatures, and the requests and volumes of each client, as listed by the operator page.

use std::collections::BTreeMap;

use firmquote_api::UtcTime;
use firmquote_desk::{MAX_RECENT_SIGNATURES, RecentSignature, SignedVolume, value_in_usd};
use firmquote_domain::{Address, Amount, Leg, QuoteId, Symbol};
use serde::Serialize;

use super::number::Text;
use crate::metrics::{ClientPair, RequestCounts};

/// The response about the most recent signatures, newest first, and about every client and pair since the process
/// started.
#[derive(Debug, Serialize)]
pub(crate) struct RecentSignaturesResponse<'v> {
    remembered: usize,
    signatures: Vec<SignatureRecord<'v>>,
    clients: Vec<ClientRecord>,
}

#[derive(Debug, Serialize)]
struct ClientRecord {
    client: Option<String>,
    input_asset: Option<String>,
    output_asset: Option<String>,
    requests: u64,
    errors: u64,
    signatures: u64,
    value_in_usd: f64,
    settled: u64,
    lapsed: u64,
}

#[derive(Debug, Serialize)]
struct SignatureRecord<'v> {
    signed_at: UtcTime,
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

impl<'v> RecentSignaturesResponse<'v> {
    /// Builds the response that lists `signatures`, and adds the volumes of clients to the `counts` of their requests.
    pub(crate) fn new(
        signatures: &'v [RecentSignature],
        volumes: Vec<SignedVolume>,
        counts: BTreeMap<ClientPair, RequestCounts>,
    ) -> Self {
        let signatures = signatures.iter().map(SignatureRecord::new).collect();
        Self { remembered: MAX_RECENT_SIGNATURES, signatures, clients: clients(volumes, counts) }
    }
}

fn clients(volumes: Vec<SignedVolume>, counts: BTreeMap<ClientPair, RequestCounts>) -> Vec<ClientRecord> {
    let record = |((client, [input_asset, output_asset]), counts): (ClientPair, RequestCounts)| ClientRecord {
        client,
        input_asset,
        output_asset,
        requests: counts.requests,
        errors: counts.errors,
        signatures: 0,
        value_in_usd: 0.0,
        settled: 0,
        lapsed: 0,
    };
    let mut clients: Vec<ClientRecord> = counts.into_iter().map(record).collect();
    for SignedVolume { client, symbols, signatures, value_in_usd, settled, lapsed, .. } in volumes {
        let client = client.name().map(str::to_owned);
        let [input, output] = symbols.map(|symbol| symbol.map(|symbol| symbol.as_str().to_owned()));
        let is_of =
            |one: &&mut ClientRecord| (&one.client, &one.input_asset, &one.output_asset) == (&client, &input, &output);
        // A signature belongs to a request that has been counted, or is about to be.
        if let Some(one) = clients.iter_mut().find(is_of) {
            (one.signatures, one.value_in_usd, one.settled, one.lapsed) = (signatures, value_in_usd, settled, lapsed);
        }
    }
    clients
}

impl<'v> SignatureRecord<'v> {
    fn new(signature: &'v RecentSignature) -> Self {
        let (quote, [input, output]) = (&signature.quote, &signature.symbols);
        Self {
            signed_at: signature.signed_at.into(),
            client: quote.client.name(),
            quote_id: Text(quote.id),
            chain_id: quote.pool.chain_id.get(),
            pool_address: Text(quote.pool.address),
            input_asset: SignedAsset::new(&quote.input, input.as_ref()),
            input_amount: Text(quote.input.amount),
            output_asset: SignedAsset::new(&quote.output, output.as_ref()),
            output_amount: Text(quote.output.amount),
            input_value_in_usd: value_in_usd(&quote.input),
            destination_address: Text(signature.destination),
            good_until: quote.good_until.expires_at().get(),
        }
    }
}

impl<'v> SignedAsset<'v> {
    fn new(leg: &Leg, symbol: Option<&'v Symbol>) -> Self {
        Self { name: symbol.map(Symbol::as_str), address: Text(leg.token), decimals: leg.decimals.get() }
    }
}

//! Valid requests for quotes and pool data.

use rand::{RngExt as _, seq::SliceRandom as _};
use rand_chacha::ChaCha8Rng;
use serde_json::json;

use super::{CredentialKind, GeneratedRequest, one, values};
use crate::storm::{
    response_schema::ResponseKind,
    settings::{CHAINS, POOLS},
    wire::RawRequest,
};

/// Groups of routes that treat credentials alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::storm) enum Route {
    PoolV1,
    V1,
    V2,
}

/// Symbols with their decimals.
const SYMBOLS: [(&str, usize); 4] = [("ETH", 18), ("USDC", 6), ("DAI", 18), ("PSH", 0)];

/// Draws the parameters of a quote request for pool number `pool`, or for the best pool of the chain.
pub(super) fn parameters(rng: &mut ChaCha8Rng, pool: Option<usize>) -> Vec<(&'static str, String)> {
    let mut symbols = SYMBOLS;
    symbols[..3].shuffle(rng);
    if rng.random_ratio(1, 12) {
        symbols.shuffle(rng);
    }
    let [(input, input_decimals), (output, output_decimals), ..] = symbols;
    let amount = if rng.random_ratio(2, 3) {
        ("input_amount", values::amount(rng, input_decimals))
    } else {
        ("output_amount", values::amount(rng, output_decimals))
    };
    let mut parameters =
        vec![("input_asset_symbol", input.to_owned()), ("output_asset_symbol", output.to_owned()), amount];
    if rng.random_ratio(1, 3) {
        parameters.push(("time_in_seconds", one(rng, &["1", "2", "5", "600", "601", "0"]).to_owned()));
    }
    if let Some(pool) = pool {
        parameters.push(("pool_address", POOLS[pool].to_owned()));
    }
    parameters
}

/// Builds a query from parameters that need no encoding.
pub(super) fn query(parameters: &[(&str, String)]) -> String {
    parameters.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("&")
}

/// Draws a quote request in either version with random credentials.
pub(in crate::storm) fn any(rng: &mut ChaCha8Rng) -> GeneratedRequest {
    let credential_kind = CredentialKind::any(rng);
    let pool = rng.random_range(0..3);
    from(rng, credential_kind, pool)
}

/// Draws a quote request for this pool, or for the best pool of its chain.
pub(in crate::storm) fn from(rng: &mut ChaCha8Rng, credential_kind: CredentialKind, pool: usize) -> GeneratedRequest {
    let route = match credential_kind {
        CredentialKind::AcmeBasic | CredentialKind::Nothing => one(rng, &[Route::V1, Route::V1, Route::V2]),
        _ => one(rng, &[Route::V1, Route::V2]),
    };
    let chain = CHAINS[pool];
    let raw_request = if route == Route::V1 {
        let mut body = json!({"chain_id": chain});
        for (name, value) in parameters(rng, None) {
            let number = value.parse::<u64>().ok().filter(|_| !value.starts_with('0') && name != "input_asset_symbol");
            body[name] = number.filter(|_| rng.random()).map_or_else(|| json!(value), |number| json!(number));
        }
        RawRequest::json("/rfq/quote", body.to_string())
    } else {
        let pool = rng.random::<bool>().then_some(pool);
        RawRequest::new("GET", format!("/rfq/v2/quote/{chain}?{}", query(&parameters(rng, pool))))
    };
    GeneratedRequest {
        raw_request: credential_kind.put_on(raw_request, rng),
        kind: ResponseKind::Quote,
        credential_kind,
        expected_client: credential_kind.expected_client(route),
        is_tampered: false,
        signature: None,
    }
}

/// Draws a request for pool data.
pub(in crate::storm) fn pool_data(rng: &mut ChaCha8Rng) -> GeneratedRequest {
    let (credential_kind, chain) = (CredentialKind::any(rng), one(rng, &CHAINS));
    let more =
        one(rng, &["", "fieldset=offchain-data", "fieldset=offchain-data&time_in_seconds=5", "fieldset=x", "a=b"]);
    let (route, target) = if rng.random_ratio(1, 4) {
        (Route::PoolV1, format!("/rfq/pool?chain_id={chain}&{more}"))
    } else {
        (Route::V2, format!("/rfq/v2/pool/{chain}?pool_address={}&{more}", one(rng, &POOLS)))
    };
    let raw_request = credential_kind.put_on(RawRequest::new("GET", target), rng);
    GeneratedRequest {
        raw_request,
        kind: ResponseKind::Other,
        credential_kind,
        expected_client: credential_kind.expected_client(route),
        is_tampered: false,
        signature: None,
    }
}

//! The entry point of the fuzz target `answers`: all parsing of responses in this crate.
//!
//! Built for fuzzing and for the test that replays the target's corpus; not part of any program.

use firmquote_api as api;
use hyper::{HeaderMap, header::HeaderValue};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::{
    Error, OffchainData, OnchainData, PoolData, Quote, QuoteState, QuoteStatus, Reaction, Refusal,
    response_meta::{is_request_id, response_meta, retry_after},
};

/// Parses `data` as the body of every response and of every error, and as each header that is evaluated.
///
/// # Panics
/// If a value differs from its text, an error has more than one line, or an invalid header is accepted.
pub fn answers(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    quote(&text);
    pools(&text);
    let _quoted: Option<api::QuotedSwap> = serde_json::from_str(&text).ok();
    let status: Option<QuoteStatus> = serde_json::from_str(&text).ok();
    assert!(status.is_none_or(|status| !status.is_final(u64::MAX) || status.state != QuoteState::Signed));
    let swap: Option<api::SignedSwap> = serde_json::from_str(&text).ok();
    if let Some(swap) = swap {
        let json: Value = serde_json::from_str(&text).unwrap_or_default();
        let word = swap.good_until.to_word().to_string();
        let digits = json.get("good_until").and_then(Value::as_str).unwrap_or_default();
        assert_eq!(digits, word);
    }
    for status in [400, 403, 409, 500, 503] {
        refusal(status, &text);
    }
    if let Ok(value) = HeaderValue::from_bytes(data) {
        headers(&value);
    }
}

fn quote(text: &str) {
    let Ok(quote) = serde_json::from_str::<Quote>(text) else { return };
    let json: Value = serde_json::from_str(text).unwrap_or_default();
    for (name, amount) in [("input_amount", quote.input_amount), ("output_amount", quote.output_amount)] {
        let digits = json.get(name).and_then(Value::as_str).unwrap_or_default();
        assert_eq!(digits, amount.to_string(), "{name}");
    }
}

fn pools(text: &str) {
    let onchain: [Option<Vec<OnchainData>>; 2] = pools_of_both_versions(text);
    let offchain: [Option<Vec<OffchainData>>; 2] = pools_of_both_versions(text);
    let pools: [Option<Vec<PoolData>>; 2] = pools_of_both_versions(text);
    for (pools, (onchain, offchain)) in pools.iter().zip(onchain.iter().zip(&offchain)) {
        let parts = onchain.as_ref().zip(offchain.as_ref());
        assert_eq!(pools.as_ref().map(Vec::len), parts.map(|(onchain, _)| onchain.len()));
    }
    let weights =
        offchain.iter().flatten().flatten().flat_map(|pool| &pool.assets).map(|asset| asset.listing_weight.get());
    assert!(weights.min().is_none_or(|smallest| smallest > 0));
    let balances = onchain.iter().flatten().flatten().flat_map(|pool| &pool.assets).filter_map(|asset| asset.balance);
    let balances = balances.map(|balance| balance.base_units());
    assert!(balances.min().is_none_or(|smallest| !smallest.is_zero()));
}

/// Parses the data of pools, as version 1 and as version 2.
fn pools_of_both_versions<D: DeserializeOwned>(text: &str) -> [Option<Vec<D>>; 2] {
    [
        serde_json::from_str(text).ok().map(|pool| vec![pool]),
        serde_json::from_str::<api::Pools<D>>(text).ok().map(|response| response.pools),
    ]
}

fn refusal(status: u16, text: &str) {
    let refusal = Refusal::from_response(status, text, None, response_meta(&HeaderMap::new(), "sent"));
    let has_fresh_quote = refusal.conflict.as_ref().is_some_and(|conflict| conflict.fresh_quote.is_some());
    let error = Error::Refused(Box::new(refusal));
    assert_eq!(error.fresh_quote().is_some(), has_fresh_quote);
    assert!(status != 500 || error.reaction() != Reaction::Retry { after: None });
    let message = error.to_string();
    assert!(message.len() < 100_000 && !message.contains(char::is_control), "{message}");
}

fn headers(value: &HeaderValue) {
    let headers: HeaderMap = ["x-request-id", "retry-after", "ratelimit", "ratelimit-policy"]
        .map(|name| (hyper::header::HeaderName::from_static(name), value.clone()))
        .into_iter()
        .collect();
    assert!(is_request_id(&response_meta(&headers, "sent").request_id));
    let pause = retry_after(&headers).map(|pause| pause.as_secs().to_string());
    let sent = value.to_str().map(|text| text.trim().trim_start_matches(['+', '0'])).unwrap_or_default();
    assert!(pause.is_none_or(|pause| pause.trim_start_matches('0') == sent));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn responses_pass_the_fuzz_corpus() {
        firmquote_test_corpus::replay("answers", answers);
    }
}

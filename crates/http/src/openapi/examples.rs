//! Answers as they look.

use serde_json::{Value, json};
use utoipa::openapi::example::{Example, ExampleBuilder};

pub(super) use super::pool_examples::{PoolData, pool, pools};
use super::reasons::told;
use crate::{outcome::Reason, readiness::Part, verdict::Verdict};

pub(super) const ETH: &str = "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2";
pub(super) const USDC: &str = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
pub(super) const POOL: &str = "0x655eDCE464CC797526600a462A8154650EEe4B77";
/// The call of the signed swap: `sellEthForToken` and its arguments.
const CALLDATA: &str = "0x27a9b424\
    000000000000000000000000a0b86991c6218b36c1d19d4a2e9eb0ce3606eb48\
    0000000000000000000000000000000000000000000000000de0b6b3a7640000\
    000000000000000000000000000000000000000000000000000000007be3fe95\
    0000003070e843600000000005f5e10000d529ae9e860000004f00bc6529c3d0\
    0000000000000000000000005aaeb6053f3e94c9b9a09f33669435e7ef1beaed\
    000000000000000000000000000000000000000000000000000000000000001b\
    535594697308fb86df2a278c28a2bc77434b217e76badd764b412d7cc5821ef0\
    072516864fd690119153ff1fbd7dcf1a392be98f5b0b6e9d0e61ed4c0c542d7a\
    0000000000000000000000000000000000000000000000000000000000000120\
    0000000000000000000000000000000000000000000000000000000000000020\
    4669726d71756f74650000000000000000000000000000000000000000000000";
const QUOTE_ID: &str = "05a51aa6-41b5-4c61-a452-f1b95d0d43e4";

/// A quote.
pub(super) fn quote() -> Value {
    json!({
        "id": QUOTE_ID,
        "must_accept_by": "2023-10-13 22:24:20.932560+00:00",
        "good_until": 1_697_235_920,
        "chain_id": 1,
        "input_amount": "1000000000000000000",
        "output_amount": "2078539413",
        "input_value_in_usd": 2080.527,
        "output_value_in_usd": 2078.539413,
        "created_at": 1_697_235_848,
        "rate": 2078.539413,
        "input_asset_address": ETH,
        "output_asset_address": USDC
    })
}

/// That quote, signed with the terms of the example of its request.
pub(super) fn signed() -> Value {
    json!({
        "chain_id": 1,
        "input_asset_address": ETH,
        "output_asset_address": USDC,
        "input_amount": "1000000000000000000",
        "output_amount": "2078539413",
        "good_until": "1305967964221884476954132374366490859220409286614282592359675530429392",
        "destination_address": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
        "signature": {
            "v": 27,
            "r": "0x535594697308fb86df2a278c28a2bc77434b217e76badd764b412d7cc5821ef0",
            "s": "0x072516864fd690119153ff1fbd7dcf1a392be98f5b0b6e9d0e61ed4c0c542d7a"
        },
        "service_exchange_address": POOL,
        "calldata": CALLDATA
    })
}

/// A swap that was quoted and signed at once.
pub(super) fn quoted_and_signed() -> Value {
    let (mut signed, quote) = (signed(), quote());
    if let (Value::Object(members), Value::Object(quoted)) = (&mut signed, quote) {
        let is_added =
            |name: &str| matches!(name, "id" | "input_value_in_usd" | "output_value_in_usd" | "created_at" | "rate");
        members.extend(quoted.into_iter().filter(|(name, _)| is_added(name)));
    }
    signed
}

/// One pool whose switch was set.
pub(super) fn pauses(is_paused: bool) -> Value {
    json!({"pools": [{"chain_id": 1, "pool_address": POOL, "paused": is_paused}], "shared": false})
}

/// How every part is, with a store that cannot be asked unless it `is_ready`.
pub(super) fn readiness(is_ready: bool) -> Value {
    let ready = json!({"state": "ready", "reasons": []});
    let mut parts: serde_json::Map<_, _> =
        Part::ALL.map(|part| (part.name().to_owned(), ready.clone())).into_iter().collect();
    if !is_ready {
        let away = json!({"state": "unready", "reasons": ["the store could not be asked"]});
        parts.insert(Part::Store.name().to_owned(), away);
    }
    json!({"ready": is_ready, "parts": parts})
}

/// All pools at one glance.
pub(super) fn overview() -> Value {
    let asset = |name: &str, address: &str, decimals: u8, weight: u16, balance: &str, price: Value| {
        json!({
            "name": name, "address": address, "decimals": decimals, "listing_weight": weight, "price": price,
            "reserve": {"balance": balance, "age_ms": null, "distrust": null},
            "value_in_usd": 250_000.0, "target_value_in_usd": 250_000.0, "share": 0.5, "target_share": 0.5, "sources": []
        })
    };
    let mut eth = asset(
        "ETH",
        ETH,
        18,
        79,
        "120161766590000000000",
        json!({"price_usd": "2080.527", "age_ms": 7_012, "distrust": {
            "rule": "old",
            "reason": "the last update is 7012 ms old, at most 5000 ms are allowed"
        }}),
    );
    if let Some(sources) = eth.get_mut("sources") {
        *sources = json!([{"name": "binance data-stream.binance.vision", "price_usd": "2080.527", "age_ms": 7_012, "distrust": {
            "rule": "old",
            "reason": "the last update is 7012 ms old, at most 5000 ms are allowed"
        }}]);
    }
    let usdc = asset("USDC", USDC, 6, 79, "250000000000", json!({"price_usd": "1", "age_ms": null, "distrust": null}));
    json!({"admin_token_configured": true, "pauses_shared": true, "pools": [{
        "chain_id": 1, "pool_address": POOL, "name": "ClipperDirect", "version": "1.0.0", "good_until": "verified",
        "signer_address": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "k": 0.06, "swaps_enabled": true, "paused": false,
        "time_in_seconds": 60, "value_in_usd": 500_000.0, "assets": [eth, usdc],
        "pairs": [{
            "assets": ["ETH", "USDC"], "fee_in_basis_points": 9.06, "annual_volatility": 0.6, "volatility_estimated": false
        }]
    }]})
}

/// What quotes of a pair would be.
pub(super) fn curve() -> Value {
    json!({
        "chain_id": 1, "pool_address": POOL, "time_in_seconds": 60,
        "input_asset": {"name": "ETH", "address": ETH, "decimals": 18},
        "output_asset": {"name": "USDC", "address": USDC, "decimals": 6},
        "sizes": [{
            "input_amount": "1000000000000000000", "output_amount": "2078539413", "rate": 2_078.539_413,
            "cost_in_basis_points": 9.55, "price_impact_in_basis_points": 0.92
        }],
        "fees": [{"time_in_seconds": 60, "fee_in_basis_points": 8.63}]
    })
}

/// What was signed last.
pub(super) fn recent_signatures() -> Value {
    json!({"remembered": 100, "signatures": [{
        "signed_at": "2023-10-13 22:24:09.104377+00:00", "client": "acme", "quote_id": QUOTE_ID, "chain_id": 1,
        "pool_address": POOL,
        "input_asset": {"name": "ETH", "address": ETH, "decimals": 18}, "input_amount": "1000000000000000000",
        "output_asset": {"name": "USDC", "address": USDC, "decimals": 6}, "output_amount": "2078539413",
        "input_value_in_usd": 2_080.527, "destination_address": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
        "good_until": 1_697_235_920
    }]})
}

/// An error answer for each reason there is, by its label.
pub(super) fn of_refusals() -> Vec<(&'static str, Example)> {
    let example = |reason: Reason| {
        let built = ExampleBuilder::new().summary(told(reason).0).value(Some(refusal(reason))).build();
        (reason.label(), built)
    };
    Reason::ALL.map(example).into()
}

fn refusal(reason: Reason) -> Value {
    let verdict = Verdict::of(reason);
    let mut error = json!({"errorMessage": told(reason).1, "errorType": verdict.error_type.name()});
    let Value::Object(members) = &mut error else { return error };
    if let Some(code) = verdict.error_code {
        members.insert("errorCode".into(), json!(code));
    }
    match reason {
        Reason::InvalidInput => {
            members.insert("data".into(), invalid_inputs());
        }
        Reason::Conflict => members.extend([
            ("reason".to_owned(), json!("price")),
            ("moved_bps".to_owned(), json!(3.1)),
            ("fresh_quote".to_owned(), quote()),
        ]),
        Reason::NotReady => {
            if let Value::Object(readiness) = readiness(false) {
                members.extend(readiness);
            }
        }
        _ => {}
    }
    error
}

fn invalid_inputs() -> Value {
    json!([{
        "type": "missing",
        "loc": ["chain_id"],
        "msg": "Field required",
        "input": null,
        "url": "https://rfq.example/errors/missing"
    }])
}

//! Answers as they look.

use serde_json::{Value, json};
use utoipa::openapi::example::{Example, ExampleBuilder};

use super::reasons::told;
use crate::{outcome::Reason, readiness::Part, verdict::Verdict};

const ETH: &str = "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2";
const USDC: &str = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
const POOL: &str = "0x655eDCE464CC797526600a462A8154650EEe4B77";
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

/// A signed swap. The call is shown without its arguments.
pub(super) fn signed() -> Value {
    json!({
        "chain_id": 1,
        "input_asset_address": ETH,
        "output_asset_address": USDC,
        "input_amount": "1000000000000000000",
        "output_amount": "2078539413",
        "good_until": "1305967964221884476954132374366490859220409286614282592359675628416574",
        "destination_address": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
        "signature": {
            "v": 28,
            "r": "0x1c5aefb43dba46e1f5f0e4f0ea0d1b4a7c8f51ed3a2f0b6c9d8e7f60514a3b2c",
            "s": "0x3264b5a1f0e9d8c7b6a5948372615049382716f5e4d3c2b1a09f8e7d6c5bfd6b"
        },
        "service_exchange_address": POOL,
        "calldata": "0x2b651a6c"
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

/// One pool, as version 1 shows its balances.
pub(super) fn pool() -> Value {
    let mut pool = onchain_record();
    if let Value::Object(members) = &mut pool {
        members.insert("pool_type".into(), json!("onchain"));
    }
    pool
}

/// The pools of a chain, as version 2 shows what quotes are computed with.
pub(super) fn pools() -> Value {
    json!({"pool_type": "offchain", "pools": [{
        "pool": {
            "chain_id": 1,
            "address": POOL,
            "num_assets": 2,
            "k": 0.06,
            "time_in_seconds": 60,
            "default_time_in_seconds": 60,
            "swaps_enabled": true
        },
        "assets": [
            {"name": "ETH", "address": ETH, "price_in_usd": 2080.527, "listing_weight": 79, "decimals": 18},
            {"name": "USDC", "address": USDC, "price_in_usd": 1, "listing_weight": 188, "decimals": 6}
        ],
        "pairs": [{"assets": ["ETH", "USDC"], "fee_in_basis_points": 9.06}]
    }]})
}

fn onchain_record() -> Value {
    let asset = |name: &str, address: &str, balance: &str, price: f64, value: f64, decimals: u8| {
        json!({
            "name": name,
            "address": address,
            "balance": balance,
            "price_in_usd": price,
            "value_in_usd": value,
            "target_value_in_usd": value,
            "decimals": decimals
        })
    };
    json!({
        "pool": {
            "chain_id": 1,
            "address": POOL,
            "num_assets": 2,
            "pool_tokens": 1.379_287e24,
            "value_in_usd": 500_000.0,
            "swaps_enabled": true
        },
        "assets": [
            asset("ETH", ETH, "120161766590000000000", 2080.527, 250_000.0, 18),
            asset("USDC", USDC, "250000000000", 1.0, 250_000.0, 6)
        ]
    })
}

/// One pool whose switch was set.
pub(super) fn pauses(is_paused: bool) -> Value {
    json!({"pools": [{"chain_id": 1, "pool_address": POOL, "paused": is_paused}], "shared": true})
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

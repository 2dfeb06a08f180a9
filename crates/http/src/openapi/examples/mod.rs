//! Example responses.

mod levels;
mod pools;

use firmquote_api::Reaction;
use serde_json::{Value, json};
use strum::VariantArray as _;
use utoipa::openapi::example::{Example, ExampleBuilder};

pub(crate) use self::{
    levels::levels,
    pools::{chains, pool, pools},
};
use super::example_messages::example_message;
use crate::{
    error::Reason,
    readiness::Part,
    sample::{DESTINATION, ETH, POOL, QUOTE_ID, STATE_ID, USDC},
};

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

/// A quote.
pub(crate) fn quote() -> Value {
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
        "output_asset_address": USDC,
        "pool_address": POOL,
        "state_id": STATE_ID,
        "fee_in_basis_points": 8.63,
        "largest_trade_in_usd": null
    })
}

/// The signed swap of [`quote`], with the terms of the example sign request.
pub(crate) fn signed() -> Value {
    json!({
        "chain_id": 1,
        "input_asset_address": ETH,
        "output_asset_address": USDC,
        "input_amount": "1000000000000000000",
        "output_amount": "2078539413",
        "good_until": "1305967964221884476954132374366490859220409286614282592359675530429392",
        "expires_at": 1_697_235_920,
        "destination_address": DESTINATION,
        "signature": {
            "v": 27,
            "r": "0x535594697308fb86df2a278c28a2bc77434b217e76badd764b412d7cc5821ef0",
            "s": "0x072516864fd690119153ff1fbd7dcf1a392be98f5b0b6e9d0e61ed4c0c542d7a"
        },
        "service_exchange_address": POOL,
        "execution": "best_effort",
        "calldata": CALLDATA
    })
}

/// The status of [`quote`], signed and executed.
pub(crate) fn status() -> Value {
    json!({
        "quote_id": QUOTE_ID,
        "state": "settled",
        "chain_id": 1,
        "pool_address": POOL,
        "created_at": 1_697_235_848,
        "must_accept_by": "2023-10-13 22:24:20.932560+00:00",
        "good_until": 1_697_235_920,
        "signed_at": "2023-10-13 22:24:08.932560+00:00",
        "execution": "best_effort",
        "settled": {
            "transaction_hash": "0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060",
            "log_index": 12,
            "block_number": 18_345_678,
            "block_timestamp": 1_697_235_863,
            "confirmations": 3,
            "input_amount": "1000000000000000000",
            "output_amount": "2078539413"
        }
    })
}

/// A page with the swap of [`status`].
pub(crate) fn swaps() -> Value {
    let status = status();
    let mut swap = json!({
        "input_asset_address": ETH,
        "output_asset_address": USDC,
        "input_amount": "1000000000000000000",
        "output_amount": "2078539413",
        "destination_address": DESTINATION
    });
    if let (Value::Object(members), Value::Object(status)) = (&mut swap, status) {
        let is_shared = |name: &str| !matches!(name, "created_at" | "must_accept_by");
        members.extend(status.into_iter().filter(|(name, _)| is_shared(name)));
    }
    json!({"swaps": [swap], "next_cursor": "0006079f1b0b9050bdb2784e107b4daba125b6f62540d958"})
}

/// Hypothetical quotes of the example parameters.
pub(crate) fn grid() -> Value {
    json!({
        "chain_id": 1,
        "pool_address": POOL,
        "state_id": STATE_ID,
        "input_asset_address": ETH,
        "output_asset_address": USDC,
        "input_amounts": ["1000000000000000000", "2000000000000000000"],
        "rows": [
            {"time_in_seconds": 15, "fee_in_basis_points": 7.23, "output_amounts": ["2078830598", "4156776906"]},
            {"time_in_seconds": 60, "fee_in_basis_points": 8.63, "output_amounts": ["2078539413", "4156194784"]}
        ]
    })
}

/// A swap quoted and signed in one request.
pub(crate) fn quoted_and_signed() -> Value {
    let (mut signed, quote) = (signed(), quote());
    if let (Value::Object(members), Value::Object(quoted)) = (&mut signed, quote) {
        for (name, member) in quoted.into_iter().filter(|(name, _)| name != "must_accept_by") {
            members.entry(name).or_insert(member);
        }
    }
    signed
}

/// One pool that was paused or resumed.
pub(crate) fn pauses(is_paused: bool) -> Value {
    json!({"pools": [{"chain_id": 1, "pool_address": POOL, "paused": is_paused}], "shared": false, "kept": false})
}

/// The state of every part: all ready, or an unreachable store unless `is_ready`.
pub(crate) fn readiness(is_ready: bool) -> Value {
    let ready = json!({"state": "ready", "reasons": []});
    let mut parts: serde_json::Map<_, _> =
        Part::VARIANTS.iter().map(|part| (part.name().to_owned(), ready.clone())).collect();
    if !is_ready {
        let away = json!({"state": "unready", "reasons": ["the store call failed"]});
        parts.insert(Part::Store.name().to_owned(), away);
    }
    json!({"ready": is_ready, "parts": parts})
}

/// An example error response for each reason, by its label.
pub(crate) fn refusal_examples() -> Vec<(&'static str, Example)> {
    let example = |reason: Reason| {
        let built = ExampleBuilder::new().summary(reason.meaning()).value(Some(refusal(reason))).build();
        (reason.name(), built)
    };
    Reason::VARIANTS.iter().copied().map(example).collect()
}

fn refusal(reason: Reason) -> Value {
    let mut error = json!({"errorMessage": example_message(reason), "errorType": reason.status().1.name(), "reason": reason.name()});
    let Value::Object(members) = &mut error else { return error };
    if let Some(code) = reason.code() {
        members.insert("errorCode".into(), json!(code));
    }
    match reason {
        Reason::InvalidInput => {
            members.insert("data".into(), invalid_inputs());
        }
        _ if reason.is_conflict() => {
            members.extend([("moved_bps".to_owned(), json!(3.1)), ("fresh_quote".to_owned(), quote())]);
        }
        Reason::UnsupportedAsset => _ = members.insert("field".into(), json!("input_asset_symbol")),
        Reason::TooLarge => {
            members.extend([
                ("field".to_owned(), json!("output_amount")),
                ("max_amount".to_owned(), json!("417333502887")),
            ]);
        }
        Reason::TooSmall => {
            members.extend([("field".to_owned(), json!("input_amount")), ("min_amount".to_owned(), json!("48065205"))]);
        }
        Reason::TradeLimit => _ = members.insert("largest_trade_in_usd".into(), json!(1000)),
        Reason::OutstandingLimit => {
            members.extend([("output_left".to_owned(), json!("1500000")), ("retry_after_ms".to_owned(), json!(48_000))])
        }
        Reason::PoolLimit | Reason::ClientLimit => _ = members.insert("retry_after_ms".into(), json!(12_000)),
        Reason::NotReady => {
            if let Value::Object(readiness) = readiness(false) {
                members.extend(readiness);
            }
        }
        _ if reason.reaction() == Reaction::Retry => _ = members.insert("retry_after_ms".into(), json!(2_000)),
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

//! The balances of pools in a report: where they went, to the base unit, and in US dollars.

use firmquote_analysis::{Money, PoolReconciliation, TokenReconciliation, ValueReconciliation};
use serde_json::{Map, Value, json};

/// The names of what changes a balance, in the order of [`flows`].
const FLOWS: [&str; 6] = ["swaps_in", "swaps_out", "deposited", "withdrawn", "unexplained", "unobserved"];

/// Returns a member for each pool.
pub(super) fn json(pools: &[PoolReconciliation]) -> Value {
    let token = |token: &TokenReconciliation| {
        let flows = FLOWS.into_iter().zip(flows(token)).map(|(name, amount)| (name.to_owned(), json!(amount)));
        json!({
            "token": token.token.to_string(),
            "symbol": token.asset.as_ref().map(|(symbol, _)| symbol.as_str()),
            "start": token.start.to_string(),
            "end": token.end.to_string(),
            "flows": flows.collect::<Map<_, _>>(),
        })
    };
    let value = |value: &ValueReconciliation| -> Value {
        values(value).into_iter().map(|(name, money)| (name.to_owned(), json!(money.to_string()))).collect()
    };
    let pools = pools.iter().map(|pool| {
        json!({
            "pool": pool.pool.to_string(),
            "blocks": pool.blocks,
            "tokens": pool.tokens.iter().map(token).collect::<Vec<_>>(),
            "usd": pool.value.as_ref().map(value),
        })
    });
    pools.collect()
}

/// Writes a line for each token and, if its prices are known, for the value of the pool.
pub(super) fn text(pools: &[PoolReconciliation]) -> String {
    let mut lines = Vec::new();
    for pool in pools {
        lines.push(format!("\npool {} in {} blocks, in base units\n", pool.pool, pool.blocks));
        for token in &pool.tokens {
            let name = token.asset.as_ref().map_or_else(|| token.token.to_string(), |(symbol, _)| symbol.to_string());
            let flows = FLOWS.into_iter().zip(flows(token)).filter(|(_, amount)| amount != "0");
            let flows: String = flows.map(|(name, amount)| format!(", {} {amount}", name.replace('_', " "))).collect();
            lines.push(format!("{name}: {} to {}{flows}\n", token.start, token.end));
        }
        if let Some(value) = &pool.value {
            let values = values(value).map(|(name, money)| format!("{} {}", name.replace('_', " "), money.to_cents()));
            lines.push(format!("USD: {}\n", values.join(", ")));
        }
    }
    lines.concat()
}

fn flows(token: &TokenReconciliation) -> [String; 6] {
    let flows = &token.flows;
    let amounts =
        [&flows.swaps_in, &flows.swaps_out, &flows.deposited, &flows.withdrawn, &flows.unexplained, &flows.unobserved];
    amounts.map(ToString::to_string)
}

fn values(value: &ValueReconciliation) -> [(&'static str, &Money); 7] {
    [
        ("start", &value.start),
        ("price_moves", &value.price_moves),
        ("trading", &value.trading),
        ("deposits", &value.deposits),
        ("unexplained", &value.unexplained),
        ("unobserved", &value.unobserved),
        ("end", &value.end),
    ]
}

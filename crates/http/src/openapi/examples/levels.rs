//! Examples of price levels.

use serde_json::{Value, json};

use crate::sample::{ETH, POOL, STATE_ID, USDC};

/// Levels of the example parameters.
pub(crate) fn levels() -> Value {
    let [eth, usdc] = [("ETH", ETH, 18), ("USDC", USDC, 6)];
    let eth_to_usdc = json!([
        ["48064898581732", "99926"],
        ["9825097885643483524", "20383301748"],
        ["37893715608467162896", "78127267210"],
        ["80033515310597205986", "163345214132"]
    ]);
    let usdc_to_eth = json!([
        ["100000", "48017506340222"],
        ["28011377956", "13412519635113840427"],
        ["115043072400", "54627958189110427997"],
        ["268223459081", "125642355552595579097"]
    ]);
    json!({
        "chain_id": 1,
        "books": [
            book("3f0c5e1d7a9b4c268e54d0b1a6f39c72", [eth, usdc], 23.71, &eth_to_usdc),
            book("a81d42c6e05f4b7f93c2170b6de8f954", [usdc, eth], 31.36, &usdc_to_eth)
        ],
        "withdrawn": []
    })
}

/// A book of these assets, each with its symbol, address and decimals.
fn book(id: &str, [input, output]: [(&str, &str, u8); 2], max_shortfall_bps: f64, knots: &Value) -> Value {
    json!({
        "seq": 1,
        "levels_id": id,
        "state_id": STATE_ID,
        "pool_address": POOL,
        "input_asset_symbol": input.0,
        "input_asset_address": input.1,
        "input_asset_decimals": input.2,
        "output_asset_symbol": output.0,
        "output_asset_address": output.1,
        "output_asset_decimals": output.2,
        "as_of_ms": 1_697_235_848_932_u64,
        "published_ms": 1_697_235_848_932_u64,
        "valid_until_ms": 1_697_235_853_932_u64,
        "time_in_seconds": 60,
        "fee_in_basis_points": 8.63,
        "firm": false,
        "certain": true,
        "firm_budget_input": null,
        "minimum_input": knots.pointer("/0/0"),
        "maximum_input": knots.pointer("/3/0"),
        "max_shortfall_bps": max_shortfall_bps,
        "semantics": "cumulative_input_output_floor",
        "knots": knots
    })
}

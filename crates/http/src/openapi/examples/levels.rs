//! Examples of price levels.

use serde_json::{Value, json};

use crate::sample::{ETH, POOL, STATE_ID, USDC};

/// Levels of the example parameters.
pub(crate) fn levels() -> Value {
    json!({
        "chain_id": 1,
        "books": [
            {
                "seq": 1,
                "levels_id": "3f0c5e1d7a9b4c268e54d0b1a6f39c72",
                "state_id": STATE_ID,
                "pool_address": POOL,
                "input_asset_symbol": "ETH",
                "input_asset_address": ETH,
                "input_asset_decimals": 18,
                "output_asset_symbol": "USDC",
                "output_asset_address": USDC,
                "output_asset_decimals": 6,
                "as_of_ms": 1_697_235_848_932_u64,
                "published_ms": 1_697_235_848_932_u64,
                "valid_until_ms": 1_697_235_853_932_u64,
                "time_in_seconds": 60,
                "fee_in_basis_points": 8.63,
                "firm": false,
                "certain": true,
                "firm_budget_input": null,
                "minimum_input": "48064898581732",
                "maximum_input": "80033515310597205986",
                "max_shortfall_bps": 23.71,
                "semantics": "cumulative_input_output_floor",
                "knots": [["48064898581732", "99926"], ["9825097885643483524", "20383301748"], ["37893715608467162896", "78127267210"], ["80033515310597205986", "163345214132"]]
            },
            {
                "seq": 1,
                "levels_id": "a81d42c6e05f4b7f93c2170b6de8f954",
                "state_id": STATE_ID,
                "pool_address": POOL,
                "input_asset_symbol": "USDC",
                "input_asset_address": USDC,
                "input_asset_decimals": 6,
                "output_asset_symbol": "ETH",
                "output_asset_address": ETH,
                "output_asset_decimals": 18,
                "as_of_ms": 1_697_235_848_932_u64,
                "published_ms": 1_697_235_848_932_u64,
                "valid_until_ms": 1_697_235_853_932_u64,
                "time_in_seconds": 60,
                "fee_in_basis_points": 8.63,
                "firm": false,
                "certain": true,
                "firm_budget_input": null,
                "minimum_input": "100000",
                "maximum_input": "268223459081",
                "max_shortfall_bps": 31.36,
                "semantics": "cumulative_input_output_floor",
                "knots": [["100000", "48017506340222"], ["28011377956", "13412519635113840427"], ["115043072400", "54627958189110427997"], ["268223459081", "125642355552595579097"]]
            }
        ],
        "withdrawn": []
    })
}

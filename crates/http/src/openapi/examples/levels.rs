//! Examples of price levels.

use serde_json::{Value, json};

use super::values::{ETH, POOL, STATE_ID, USDC};

/// Levels of the example parameters.
pub(in crate::openapi) fn levels() -> Value {
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
                "certain": false,
                "firm_budget_input": null,
                "minimum_input": "48064898581732",
                "maximum_input": "216323218217038730126",
                "max_shortfall_bps": 369.33,
                "semantics": "cumulative_input_output_floor",
                "knots": [["48064898581732", "99926"], ["69873179968313801689", "142972411776"], ["188271092886586304400", "370669298545"], ["216323218217038730126", "417751254141"]]
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
                "certain": false,
                "firm_budget_input": null,
                "minimum_input": "100000",
                "maximum_input": "1107079709072",
                "max_shortfall_bps": 479.37,
                "semantics": "cumulative_input_output_floor",
                "knots": [["100000", "48017506340222"], ["244862666896", "114930962019972260887"], ["895737316356", "397253314445480845340"], ["1107079709072", "476877882758176422693"]]
            }
        ],
        "withdrawn": []
    })
}

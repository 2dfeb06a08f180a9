//! Examples of pool data, from the demo configuration, in all sets.

use firmquote_api as api;
use serde_json::{Value, json};

use crate::sample::{DAI, ETH, POOL, SIGNER, STATE_ID, USDC, USDT};

/// One pool with the members of `fieldset`; `null` if those of [`record_of_all`] are not all of the type.
fn record(pool_type: api::PoolType) -> Value {
    let all = || serde_json::from_value::<api::PoolData>(record_of_all());
    let record = match pool_type {
        api::PoolType::Onchain => all().map(api::OnchainData::from).and_then(serde_json::to_value),
        api::PoolType::Offchain => all().map(api::OffchainData::from).and_then(serde_json::to_value),
        api::PoolType::All => all().and_then(serde_json::to_value),
    };
    record.unwrap_or_default()
}

/// One pool, as API version 1 returns it.
pub(crate) fn pool(pool_type: api::PoolType) -> Value {
    let mut pool = record(pool_type);
    if let Value::Object(members) = &mut pool {
        members.insert("pool_type".into(), json!(pool_type));
    }
    pool
}

/// The pools of a chain, as API version 2 returns them.
pub(crate) fn pools(pool_type: api::PoolType) -> Value {
    json!({"pool_type": pool_type, "pools": [record(pool_type)]})
}

/// All chains with their pools, assets and pairs.
pub(crate) fn chains() -> Value {
    let asset =
        |name: &str, address: &str, decimals: u8| json!({"name": name, "address": address, "decimals": decimals});
    json!({"chains": [{
        "chain_id": 1,
        "native_symbol": "ETH",
        "wrapped_native_symbol": "ETH",
        "wrapped_native_address": ETH,
        "pools": [{
            "address": POOL,
            "swaps_enabled": true,
            "smallest_trade_in_usd": 0.1,
            "largest_trade_in_usd": null,
            "assets": [asset("ETH", ETH, 18), asset("USDC", USDC, 6), asset("USDT", USDT, 6), asset("DAI", DAI, 18)],
            "pairs": [
                ["ETH", "USDC"],
                ["ETH", "USDT"],
                ["ETH", "DAI"],
                ["USDC", "USDT"],
                ["USDC", "DAI"],
                ["USDT", "DAI"]
            ]
        }]
    }]})
}

/// One pool with the members of all sets.
fn record_of_all() -> Value {
    let asset =
        |name: &str, address: &str, balance: &str, price: Value, values: [f64; 2], weight: u16, decimals: u8| {
            json!({
                "name": name,
                "address": address,
                "balance": balance,
                "price_in_usd": price,
                "value_in_usd": values[0],
                "target_value_in_usd": values[1],
                "listing_weight": weight,
                "decimals": decimals,
                "outstanding_inflow": "0",
                "outstanding_outflow": "0"
            })
        };
    let pair = |one: &str, other: &str, fee: f64| json!({"assets": [one, other], "fee_in_basis_points": fee});
    let (eth_price, eth_values) = (json!(2080.527), [992_157.310_781_249_7, 991_706.885_949_575_3]);
    json!({
        "pool": {
            "chain_id": 1,
            "address": POOL,
            "signer_address": SIGNER,
            "eip712_domain": {"name": "ClipperDirect", "version": "1.0.0", "chainId": 1, "verifyingContract": POOL},
            "state_id": STATE_ID,
            "block_number": null,
            "block_timestamp": null,
            "max_improvement_bps": 100,
            "num_assets": 4,
            "pool_tokens": 1.379_287_189_836_924_2e24,
            "value_in_usd": 1_978_682.496_424_432_1,
            "k": 0.06,
            "time_in_seconds": 60,
            "default_time_in_seconds": 60,
            "swaps_enabled": true,
            "largest_trade_in_usd": null
        },
        "assets": [
            asset("ETH", ETH, "476877882758190421102", eth_price, eth_values, 79, 18),
            asset("USDC", USDC, "417751254142", json!(1), [417_751.254_142, 416_727.893_563_917_3], 188, 6),
            asset("USDT", USDT, "259059412007", json!(1), [259_059.412_007, 256_868.340_950_873_62], 305, 6),
            asset("DAI", DAI, "309714519494182375269440", json!(1), [309_714.519_494_182_4, 313_379.375_960_065_8], 250, 18)
        ],
        "pairs": [
            pair("ETH", "USDC", 8.63),
            pair("ETH", "USDT", 8.63),
            pair("ETH", "DAI", 7.63),
            pair("USDC", "USDT", 4.13),
            pair("USDC", "DAI", 4.13),
            pair("USDT", "DAI", 4.13)
        ]
    })
}

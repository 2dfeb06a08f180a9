//! Pool data as it looks: the demo of the service, in both sets.

use serde_json::{Value, json};

use super::{
    examples::{ETH, POOL, USDC},
    operator_examples::SIGNER,
};

pub(super) const USDT: &str = "0xdAC17F958D2ee523a2206206994597C13D831ec7";
pub(super) const DAI: &str = "0x6B175474E89094C44Da98b954EedeAC495271d0F";

/// A set of pool data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::openapi) enum PoolData {
    Onchain,
    Offchain,
}

impl PoolData {
    /// The `pool_type` of its answers.
    pub(in crate::openapi) const fn name(self) -> &'static str {
        match self {
            Self::Onchain => "onchain",
            Self::Offchain => "offchain",
        }
    }

    fn record(self) -> Value {
        match self {
            Self::Onchain => onchain_record(),
            Self::Offchain => offchain_record(),
        }
    }
}

/// One pool, as version 1 shows it.
pub(in crate::openapi) fn pool(data: PoolData) -> Value {
    let mut pool = data.record();
    if let Value::Object(members) = &mut pool {
        members.insert("pool_type".into(), json!(data.name()));
    }
    pool
}

/// The pools of a chain, as version 2 shows them.
pub(in crate::openapi) fn pools(data: PoolData) -> Value {
    json!({"pool_type": data.name(), "pools": [data.record()]})
}

/// What is traded on every chain.
pub(in crate::openapi) fn chains() -> Value {
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

fn eip712_domain() -> Value {
    json!({"name": "ClipperDirect", "version": "1.0.0", "chainId": 1, "verifyingContract": POOL})
}

fn offchain_record() -> Value {
    let asset = |name: &str, address: &str, price: Value, weight: u16, decimals: u8| json!({"name": name, "address": address, "price_in_usd": price, "listing_weight": weight, "decimals": decimals});
    let pair = |one: &str, other: &str, fee: f64| json!({"assets": [one, other], "fee_in_basis_points": fee});
    json!({
        "pool": {
            "chain_id": 1,
            "address": POOL,
            "signer_address": SIGNER,
            "eip712_domain": eip712_domain(),
            "num_assets": 4,
            "k": 0.06,
            "time_in_seconds": 60,
            "default_time_in_seconds": 60,
            "swaps_enabled": true
        },
        "assets": [
            asset("ETH", ETH, json!(2080.527), 79, 18),
            asset("USDC", USDC, json!(1), 188, 6),
            asset("USDT", USDT, json!(1), 305, 6),
            asset("DAI", DAI, json!(1), 250, 18)
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

fn onchain_record() -> Value {
    let asset = |name: &str, address: &str, balance: &str, price: Value, value: f64, target: f64, decimals: u8| {
        json!({
            "name": name,
            "address": address,
            "balance": balance,
            "price_in_usd": price,
            "value_in_usd": value,
            "target_value_in_usd": target,
            "decimals": decimals
        })
    };
    json!({
        "pool": {
            "chain_id": 1,
            "address": POOL,
            "signer_address": SIGNER,
            "eip712_domain": eip712_domain(),
            "num_assets": 4,
            "pool_tokens": 1.379_287_189_836_924_2e24,
            "value_in_usd": 1_978_682.496_424_432_1,
            "swaps_enabled": true
        },
        "assets": [
            asset(
                "ETH",
                ETH,
                "476877882758190421102",
                json!(2080.527),
                992_157.310_781_249_7,
                991_706.885_949_575_3,
                18
            ),
            asset("USDC", USDC, "417751254142", json!(1), 417_751.254_142, 416_727.893_563_917_3, 6),
            asset("USDT", USDT, "259059412007", json!(1), 259_059.412_007, 256_868.340_950_873_62, 6),
            asset("DAI", DAI, "309714519494182375269440", json!(1), 309_714.519_494_182_4, 313_379.375_960_065_8, 18)
        ]
    })
}

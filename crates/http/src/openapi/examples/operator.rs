//! Examples of the data behind the operator's page, from the demo configuration; the longest lists are shortened.

use serde_json::{Value, json};

use super::values::{DAI, DESTINATION, ETH, POOL, QUOTE_ID, SIGNER, USDC, USDT};

/// The overview of all pools. Prices and reserves come from a file and so have no age.
pub(in crate::openapi) fn overview() -> Value {
    json!({"service_name": "Firmquote", "replica": null, "version": env!("CARGO_PKG_VERSION"), "rejected_files": [], "ready": true, "reasons": [], "admin_token_configured": true, "pauses_shared": false, "pools": [{
        "chain_id": 1,
        "chain_name": "Ethereum",
        "pool_address": POOL,
        "name": "ClipperDirect",
        "version": "1.0.0",
        "good_until": "verified",
        "signer_address": SIGNER,
        "k": 0.06,
        "swaps_enabled": true,
        "paused": false,
        "time_in_seconds": 60,
        "value_in_usd": 1_978_682.496_424_432_1,
        "outstanding_swaps": 0,
        "book_age_ms": 0,
        "max_outstanding_share": null,
        "assets": assets(),
        "pairs": [
            pair("ETH", "USDC", 8.63, 0.6),
            pair("ETH", "USDT", 8.63, 0.6),
            pair("ETH", "DAI", 7.63, 0.6),
            pair("USDC", "USDT", 4.13, 0.02),
            pair("USDC", "DAI", 4.13, 0.02),
            pair("USDT", "DAI", 4.13, 0.02)
        ]
    }], "levels": levels()})
}

/// Price levels without readers.
fn levels() -> Value {
    let breaches: Vec<_> = ["reserves_moved", "outstanding_limit", "store_lost"]
        .map(|reason| json!({"reason": reason, "count": 0}))
        .into();
    json!({"streams": 0, "breaches": breaches, "store_failures": 0, "books": []})
}

/// Each asset with its price, its reserve, and the value of that reserve compared with its target.
fn assets() -> Vec<Value> {
    let asset = |text: [&str; 4], whole: [u16; 2], values: [f64; 2], shares: [f64; 2]| {
        let ([name, address, price, balance], [decimals, weight]) = (text, whole);
        let ([value, target], [share, target_share]) = (values, shares);
        json!({
            "name": name,
            "address": address,
            "decimals": decimals,
            "listing_weight": weight,
            "price": {"price_usd": price, "age_ms": null, "distrust": null},
            "reserve": {"balance": balance, "age_ms": null, "distrust": null},
            "value_in_usd": value,
            "target_value_in_usd": target,
            "share": share,
            "target_share": target_share,
            "outstanding_inflow": "0",
            "outstanding_outflow": "0",
            "outstanding_share": 0.0,
            "sources": []
        })
    };
    vec![
        asset(
            ["ETH", ETH, "2080.527", "476877882758190421102"],
            [18, 79],
            [992_157.310_781_249_7, 991_706.885_949_575_3],
            [0.501_423_200_828_896_1, 0.501_195_562_068_009_4],
        ),
        asset(
            ["USDC", USDC, "1", "417751254142"],
            [6, 188],
            [417_751.254_142, 416_727.893_563_917_3],
            [0.211_125_966_342_197_5, 0.210_608_773_422_195_47],
        ),
        asset(
            ["USDT", USDT, "1", "259059412007"],
            [6, 305],
            [259_059.412_007, 256_868.340_950_873_62],
            [0.130_925_205_269_229_38, 0.129_817_866_896_304_1],
        ),
        asset(
            ["DAI", DAI, "1", "309714519494182375269440"],
            [18, 250],
            [309_714.519_494_182_4, 313_379.375_960_065_8],
            [0.156_525_627_559_676_9, 0.158_377_797_613_491],
        ),
    ]
}

fn pair(one: &str, other: &str, fee: f64, volatility: f64) -> Value {
    json!({
        "assets": [one, other],
        "fee_in_basis_points": fee,
        "annual_volatility": volatility,
        "volatility_estimated": false
    })
}

/// The curve of a pair: the smallest size, the largest and one between; the fee at both ends and at the default time.
pub(in crate::openapi) fn curve() -> Value {
    let size = |[input, output]: [&str; 2], rate: f64, cost: f64, impact: f64| {
        json!({
            "input_amount": input,
            "output_amount": output,
            "rate": rate,
            "cost_in_basis_points": cost,
            "price_impact_in_basis_points": impact
        })
    };
    let fee = |seconds: u32, fee: f64| json!({"time_in_seconds": seconds, "fee_in_basis_points": fee});
    json!({
        "chain_id": 1,
        "pool_address": POOL,
        "time_in_seconds": 60,
        "input_asset": {"name": "ETH", "address": ETH, "decimals": 18},
        "output_asset": {"name": "USDC", "address": USDC, "decimals": 6},
        "sizes": [
            size(
                ["48064745134286", "99925"],
                2_078.966_604_749_987,
                7.500_000_000_064_677,
                -1.130_976_032_250_874_4
            ),
            size(
                ["371731979567992804", "772762681"],
                2_078.816_791_329_236_4,
                8.220_074_388_669_563,
                -0.410_279_682_694_358_9
            ),
            size(
                ["80033515310597205986", "163345214132"],
                2_040.960_133_989_91,
                190.177_133_053_740_5,
                181.703_943_557_031_12
            )
        ],
        "fees": [fee(1, 6.55), fee(60, 8.63), fee(600, 15.58)]
    })
}

/// The most recent signatures.
pub(in crate::openapi) fn recent_signatures() -> Value {
    json!({"remembered": 100, "signatures": [{
        "signed_at": "2023-10-13 22:24:08.932560+00:00",
        "client": "acme",
        "quote_id": QUOTE_ID,
        "chain_id": 1,
        "pool_address": POOL,
        "input_asset": {"name": "ETH", "address": ETH, "decimals": 18},
        "input_amount": "1000000000000000000",
        "output_asset": {"name": "USDC", "address": USDC, "decimals": 6},
        "output_amount": "2078539413",
        "input_value_in_usd": 2_080.527,
        "destination_address": DESTINATION,
        "good_until": 1_697_235_920
    }], "clients": [{
        "client": "acme",
        "input_asset": "ETH",
        "output_asset": "USDC",
        "requests": 9,
        "errors": 0,
        "signatures": 4,
        "value_in_usd": 8_322.108,
        "settled": 0,
        "lapsed": 0
    }]})
}

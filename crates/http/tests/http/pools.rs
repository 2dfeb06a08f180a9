//! Pool data of both versions in both sets.

use serde_json::{Value, json};

use crate::support::{ETH, POOL, Rig, TestResponse};

const QUOTE: &str = "/rfq/v2/quote/1?input_asset_symbol=ETH&output_asset_symbol=USDC&input_amount=1000000000000000000";

async fn v1(rig: &Rig, query: &str) -> TestResponse {
    let request = rig.http.get(format!("{}/rfq/pool?{query}", rig.base));
    rig.send(request.basic_auth("old-partner", Some(rig.acme_password.reveal()))).await
}

/// Returns the member names of an object in alphabetical order.
fn names(value: &Value) -> Vec<&str> {
    let mut names: Vec<_> = value.as_object().unwrap().keys().map(String::as_str).collect();
    names.sort_unstable();
    names
}

#[tokio::test]
async fn onchain_data_matches_the_contract_at_current_prices() {
    let rig = Rig::start().await;
    let answer = rig.get("/rfq/v2/pool/1").await;
    let body = answer.success();
    assert_eq!(names(&body), ["pool_type", "pools"]);
    assert_eq!(body["pool_type"], "onchain");
    let record = &body["pools"][0];
    assert_eq!(names(record), ["assets", "pool"]);
    let pool = &record["pool"];
    let members = [
        "address",
        "block_number",
        "block_timestamp",
        "chain_id",
        "eip712_domain",
        "largest_trade_in_usd",
        "max_improvement_bps",
        "num_assets",
        "pool_tokens",
        "signer_address",
        "state_id",
        "swaps_enabled",
        "value_in_usd",
    ];
    assert_eq!(names(pool), members);
    assert_eq!((&pool["chain_id"], &pool["address"], &pool["num_assets"]), (&json!(1), &json!(POOL), &json!(4)));
    assert_eq!(pool["pool_tokens"], 1.379_287_189_836_924_2e24);
    assert!((pool["value_in_usd"].as_f64().unwrap() - 1_978_682.496_424_432).abs() < 1e-6);
    let eth = &record["assets"][0];
    assert_eq!(
        names(eth),
        [
            "address",
            "balance",
            "decimals",
            "name",
            "outstanding_inflow",
            "outstanding_outflow",
            "price_in_usd",
            "target_value_in_usd",
            "value_in_usd"
        ]
    );
    assert_eq!((&eth["name"], &eth["address"]), (&json!("ETH"), &json!(ETH)));
    assert_eq!((&eth["balance"], &eth["decimals"]), (&json!("476877882758190421102"), &json!(18)));
    assert_eq!(eth["price_in_usd"], 2080.527);
    assert!((eth["value_in_usd"].as_f64().unwrap() - 992_157.310_781_249_7).abs() < 1e-6);
    assert!((eth["target_value_in_usd"].as_f64().unwrap() - 991_706.885_949_575_2).abs() < 1e-6);
}

#[tokio::test]
async fn offchain_data_matches_the_quoting_inputs() {
    let rig = Rig::start().await;
    let answer = rig.get("/rfq/v2/pool/1?fieldset=offchain-data").await;
    let body = answer.success();
    assert_eq!(body["pool_type"], "offchain");
    let record = &body["pools"][0];
    assert_eq!(names(record), ["assets", "pairs", "pool"]);
    let pool = json!({"chain_id": 1, "address": POOL, "num_assets": 4, "k": 0.06, "time_in_seconds": 60,
        "default_time_in_seconds": 60, "swaps_enabled": true, "largest_trade_in_usd": null,
        "block_number": null, "block_timestamp": null, "max_improvement_bps": 100, "signer_address": rig.signer.address().to_string(),
        "state_id": record["pool"]["state_id"],
        "eip712_domain": {"name": "ClipperDirect", "version": "1.0.0", "chainId": 1, "verifyingContract": POOL}});
    assert_eq!(record["pool"], pool);
    let eth = json!({"name": "ETH", "address": ETH, "price_in_usd": 2080.527, "listing_weight": 79, "decimals": 18,
        "outstanding_inflow": "0", "outstanding_outflow": "0"});
    assert_eq!(record["assets"][0], eth);
    for exact in ["\"k\":0.06,", "\"price_in_usd\":2080.527,", "\"price_in_usd\":1,"] {
        assert!(answer.text.contains(exact), "{exact} {}", answer.text);
    }
    let pairs = record["pairs"].as_array().unwrap();
    assert_eq!(pairs.len(), 6);
    assert_eq!(
        (&pairs[0]["assets"], names(&pairs[0])),
        (&json!(["ETH", "USDC"]), vec!["assets", "fee_in_basis_points"])
    );
    assert!(pairs.iter().all(|pair| pair["fee_in_basis_points"].as_f64().unwrap() > 4.0));
}

#[tokio::test]
async fn pool_data_of_a_quote_are_its_pricing_inputs() {
    let rig = Rig::start().await;
    let current = async || rig.get("/rfq/v2/pool/1?fieldset=all").await.success();
    let before = current().await;
    let quote = rig.get(QUOTE).await.success();
    assert_eq!(before["pools"][0]["pool"]["state_id"], quote["state_id"]);
    let state = |id: &Value| format!("/rfq/v2/pool/1?fieldset=all&state_id={}", id.as_str().unwrap());
    let terms = json!({"quote_id": quote["id"], "destination_address": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"});
    rig.post_as_acme("/rfq/v2/sign", &terms).await.success();
    let after = current().await;
    assert_ne!(after["pools"][0]["pool"]["state_id"], quote["state_id"], "what was signed counts");
    assert_eq!(rig.get(&state(&quote["state_id"])).await.success(), before);
    assert_eq!(rig.get(&state(&after["pools"][0]["pool"]["state_id"])).await.success(), after);
    let unknown = rig.get(&state(&json!("00000000000000000000000000000000"))).await;
    assert_eq!((unknown.status, &unknown.json()["data"][0]["loc"]), (400, &json!(["state_id"])));
    rig.clock.advance_micros(71_000_000);
    assert_eq!(rig.get(&state(&quote["state_id"])).await.status, 400, "it is forgotten after a minute");
}

/// Merges the members of `other` into `value`, at every depth.
fn merged(value: &Value, other: &Value) -> Value {
    match (value, other) {
        (Value::Object(members), Value::Object(others)) => {
            let mut members = members.clone();
            for (name, other) in others {
                let both = members.get(name).map_or_else(|| other.clone(), |member| merged(member, other));
                members.insert(name.clone(), both);
            }
            members.into()
        }
        (Value::Array(items), Value::Array(others)) => {
            items.iter().zip(others).map(|(one, two)| merged(one, two)).collect()
        }
        _ => other.clone(),
    }
}

#[tokio::test]
async fn both_sets_together_match_each_alone() {
    let rig = Rig::start().await;
    let time = "time_in_seconds=90";
    let both = rig.get(&format!("/rfq/v2/pool/1?fieldset=all&{time}")).await.success();
    let onchain = rig.get("/rfq/v2/pool/1").await.success();
    let offchain = rig.get(&format!("/rfq/v2/pool/1?fieldset=offchain-data&{time}")).await.success();
    let expected = merged(&onchain, &offchain);
    assert_eq!((&both["pool_type"], &both["pools"]), (&json!("all"), &expected["pools"]));
    let one = v1(&rig, &format!("chain_id=1&fieldset=all&{time}")).await.success();
    assert_eq!((&one["pool_type"], &one["pool"]), (&json!("all"), &expected["pools"][0]["pool"]));
    assert_eq!((&one["assets"], &one["pairs"]), (&expected["pools"][0]["assets"], &expected["pools"][0]["pairs"]));
    let refused = rig.get("/rfq/v2/pool/1?fieldset=everything").await;
    assert_eq!(
        (refused.status, refused.json()["data"][0]["msg"].as_str()),
        (400, Some("Input should be offchain-data or all, or absent"))
    );
}

#[tokio::test]
async fn fees_are_for_the_requested_time() {
    let rig = Rig::start().await;
    let fee = async |time: u32| {
        let pools = rig.get(&format!("/rfq/v2/pool/1?fieldset=offchain-data&time_in_seconds={time}")).await.success();
        assert_eq!(pools["pools"][0]["pool"]["time_in_seconds"], time);
        pools["pools"][0]["pairs"][0]["fee_in_basis_points"].as_f64().unwrap()
    };
    assert!(fee(1).await < fee(60).await && fee(60).await < fee(600).await);
}

#[tokio::test]
async fn onchain_data_is_the_same_for_every_time() {
    let rig = Rig::start().await;
    for time in [1, 601, 4_000_000_000_u32] {
        let asked = rig.get(&format!("/rfq/v2/pool/1?time_in_seconds={time}")).await.success();
        assert_eq!(asked, rig.get("/rfq/v2/pool/1").await.success(), "{time}");
        v1(&rig, &format!("chain_id=1&time_in_seconds={time}")).await.success();
    }
}

#[tokio::test]
async fn version_1_shows_only_the_default_pool() {
    let rig = Rig::start().await;
    for (query, kind) in [("", "onchain"), ("&fieldset=offchain-data", "offchain")] {
        let one = v1(&rig, &format!("chain_id=1{query}")).await.success();
        let all = rig.get(&format!("/rfq/v2/pool/1?{query}")).await.success();
        assert_eq!(one["pool_type"], kind);
        for part in ["pool", "assets", "pairs"] {
            assert_eq!(one[part], all["pools"][0][part], "{kind} {part}");
        }
        assert_eq!(one.get("pairs").is_some(), kind == "offchain");
    }
    assert_eq!(v1(&rig, "").await.invalid(), ["missing chain_id"]);
    assert_eq!(v1(&rig, "chain_id=1&chain_id=1").await.invalid(), ["mutually_exclusive chain_id"]);
    assert_eq!(v1(&rig, "chain_id=1&fieldset=x").await.invalid(), ["out_of_range fieldset"]);
    assert_eq!(v1(&rig, "chain_id=7").await.error().3, "chain_id: 7 is not supported");
}

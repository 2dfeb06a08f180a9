//! Pool data: on-chain, off-chain and both, in versions 1 and 2.

use firmquote_client::{ChainId, Error, PoolData, PoolRequest, parse_pools};
use serde_json::{Value, json};

use crate::{
    server::{Server, response},
    wire::{POOL, address, line_and_body},
};

const OFFCHAIN: &str = r#"{"pool":{"chain_id":1,"address":"0x655eDCE464CC797526600a462A8154650EEe4B77","num_assets":1,
    "k":0.123456789012345678,"time_in_seconds":90,"default_time_in_seconds":60,"swaps_enabled":true},
    "assets":[{"name":"ETH","address":"0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2",
    "price_in_usd":184467440737.09551615,"listing_weight":79,"decimals":18}],
    "pairs":[{"assets":["ETH","USDC"],"fee_in_basis_points":8.63}]"#;

const ONCHAIN: &str = r#"{"pool":{"chain_id":1,"address":"0x655eDCE464CC797526600a462A8154650EEe4B77","num_assets":1,
    "pool_tokens":1.3792871898369242e24,"value_in_usd":1001.5,"swaps_enabled":true},
    "assets":[{"name":"ETH","address":"0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2","balance":"476877882758190421102",
    "price_in_usd":2080.527,"value_in_usd":992156.6,"target_value_in_usd":992156.7,"decimals":18}]"#;

#[tokio::test]
async fn pool_data_keeps_every_digit_in_both_versions() {
    let chain = PoolRequest::new(ChainId::new(1).unwrap());
    let single = PoolRequest { pool_address: Some(address(POOL)), time_in_seconds: Some(90), ..chain };
    let wrap = |record: &str| response(200, "", &format!(r#"{{"pool_type":"x","pools":[{record}}}]}}"#));
    let flat = |record: &str| response(200, "", &format!(r#"{record},"pool_type":"x"}}"#));
    let server = Server::start(vec![wrap(OFFCHAIN), wrap(ONCHAIN), flat(OFFCHAIN), flat(ONCHAIN)]).await;
    let with_key =
        (server.client().offchain_pools(&single).await.unwrap(), server.client().onchain_pools(&single).await.unwrap());
    let anonymous = server.anonymous_client();
    let without_key = (anonymous.offchain_pools(&chain).await.unwrap(), anonymous.onchain_pools(&chain).await.unwrap());
    assert_eq!((&with_key.0.value, &with_key.1.value), (&without_key.0.value, &without_key.1.value));

    let offchain = &with_key.0[0];
    assert_eq!(offchain.pool.k.steps(), 123_456_789_012_345_678);
    assert_eq!(offchain.assets[0].price_in_usd.map(|price| price.steps()), Some(u64::MAX));
    assert_eq!(
        (offchain.pairs[0].fee_in_basis_points.hundredths(), offchain.pairs[0].assets[1].as_str()),
        (863, "USDC")
    );
    let asset = &with_key.1[0].assets[0];
    assert_eq!(
        (asset.balance.unwrap().to_string().as_str(), asset.price_in_usd.unwrap().steps()),
        ("476877882758190421102", 208_052_700_000)
    );

    let lines: Vec<String> = server.requests().iter().map(|request| line_and_body(request).0.to_owned()).collect();
    let parameters = format!("time_in_seconds=90&pool_address={POOL} HTTP/1.1");
    assert_eq!(lines[0], format!("GET /rfq/v2/pool/1?fieldset=offchain-data&{parameters}"));
    assert_eq!(lines[1], format!("GET /rfq/v2/pool/1?{parameters}"));
    assert_eq!(lines[2], "GET /rfq/pool?fieldset=offchain-data&chain_id=1 HTTP/1.1");
    assert_eq!(lines[3], "GET /rfq/pool?chain_id=1 HTTP/1.1");
}

#[tokio::test]
async fn pool_data_must_match_the_request() {
    const STATE: &str = "70d694998af847a90115a30a7266ae1a";
    let chain = PoolRequest::new(ChainId::new(1).unwrap());
    let state_id = Some(STATE.parse().unwrap());
    let request = PoolRequest { pool_address: Some(address(POOL)), time_in_seconds: Some(90), state_id, ..chain };
    let records = [OFFCHAIN, ONCHAIN].map(|record| serde_json::from_str::<Value>(&format!("{record}}}")).unwrap());
    for (member, value, is_onchain, reason) in [
        ("state_id", json!(STATE), true, ""),
        ("state_id", json!("d6c4a7bd3ac3aaa0837b66edc4ac0850"), true, "state_id differs from the request"),
        ("chain_id", json!(2), true, "chain_id differs from the request"),
        ("address", json!("0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"), true, "pool_address differs from the request"),
        ("time_in_seconds", json!(60), false, "time_in_seconds differs from the request"),
    ] {
        let altered = records.clone().map(|mut record| {
            record["pool"]["state_id"] = json!(STATE);
            record["pool"][member] = value.clone();
            record["assets"][0]["price_in_usd"] = json!(2080.527);
            json!({"pools": [record], "pool_type": "x"}).to_string()
        });
        let [offchain, onchain] = altered.map(|body| response(200, "", &body));
        let server = Server::start(vec![offchain, onchain]).await;
        let offchain = server.client().offchain_pools(&request).await.map(drop);
        let onchain = server.client().onchain_pools(&request).await.map(drop);
        let [offchain, onchain] =
            [offchain, onchain].map(|outcome| outcome.err().map(|error| error.to_string()).unwrap_or_default());
        assert!(offchain.ends_with(reason) && offchain.is_empty() == reason.is_empty(), "{member}: {offchain}");
        assert!(!is_onchain || onchain.ends_with(reason), "{member}: {onchain}");
    }
    for (request, reason) in [(request, "expected exactly one pool"), (chain, "it has no pool")] {
        let empty = Server::responding(200, "", r#"{"pools":[],"pool_type":"x"}"#).await;
        let error = empty.client().pools(&request).await.unwrap_err();
        assert!(error.to_string().ends_with(reason), "{error}");
    }
}

#[tokio::test]
async fn both_pool_data_sets_are_parsed_from_one_response() {
    let chain = PoolRequest::new(ChainId::new(1).unwrap());
    let parts = [OFFCHAIN, ONCHAIN].map(|record| serde_json::from_str::<Value>(&format!("{record}}}")).unwrap());
    let [offchain, onchain] = &parts;
    let merged = |name: &str| {
        let [first, second] =
            [&offchain[name], &onchain[name]].map(|member| member.as_array().map_or(member, |list| &list[0]));
        Value::from_iter(first.as_object().unwrap().clone().into_iter().chain(second.as_object().unwrap().clone()))
    };
    let record = json!({"pool": merged("pool"), "assets": [merged("assets")], "pairs": offchain["pairs"]});
    let server = Server::start(vec![
        response(200, "", &json!({"pools": [record], "pool_type": "all"}).to_string()),
        response(200, "", &record.to_string()),
        response(200, "", &json!({"pools": [onchain]}).to_string()),
    ])
    .await;
    let client = server.client();
    let pools = client.pools(&chain).await.unwrap();
    assert_eq!(parse_pools(&pools.text).unwrap(), pools.value);
    assert_eq!(server.anonymous_client().pools(&chain).await.unwrap().value, pools.value);
    let [PoolData { assets, pairs, .. }] = &pools[..] else { panic!() };
    assert_eq!((assets[0].balance.unwrap().to_string().as_str(), pairs.len()), ("476877882758190421102", 1));
    assert!(matches!(client.pools(&chain).await, Err(Error::InvalidResponse { .. })), "only the on-chain half");
    let lines: Vec<String> = server.requests().iter().map(|request| line_and_body(request).0.to_owned()).collect();
    assert_eq!(lines[0], "GET /rfq/v2/pool/1?fieldset=all HTTP/1.1");
    assert_eq!(lines[1], "GET /rfq/pool?fieldset=all&chain_id=1 HTTP/1.1");
}

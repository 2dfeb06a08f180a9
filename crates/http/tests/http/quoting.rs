//! Quotes of both versions.

use firmquote_domain::{BasisPoints, PoolId};
use serde_json::{Value, json};

use crate::support::{DAI, ETH, POOL, Rig, Start, TestResponse, USDC, demo_pool};

const ONE_ETH: &str = "1000000000000000000";

fn eth_for_usdc(amount: &str) -> Value {
    json!({"chain_id": 1, "input_asset_symbol": "ETH", "output_asset_symbol": "USDC", "input_amount": amount})
}

fn units(answer: &Value, name: &str) -> u128 {
    answer[name].as_str().unwrap().parse().unwrap()
}

/// Returns the member names of a JSON object of strings and numbers, in document order.
fn names_in_order(answer: &TestResponse) -> Vec<&str> {
    let pieces = answer.text.split(['{', ',', '}']).filter_map(|piece| piece.split_once(':'));
    pieces.map(|(name, _)| name.trim_matches('"')).collect()
}

#[tokio::test]
async fn a_quote_has_the_specified_fields_in_order() {
    let rig = Rig::start().await;
    let answer = rig.post("/rfq/quote", &eth_for_usdc(ONE_ETH)).await;
    assert_eq!(
        names_in_order(&answer),
        [
            "id",
            "must_accept_by",
            "good_until",
            "chain_id",
            "input_amount",
            "output_amount",
            "input_value_in_usd",
            "output_value_in_usd",
            "created_at",
            "rate",
            "input_asset_address",
            "output_asset_address",
            "pool_address",
            "state_id",
            "fee_in_basis_points",
            "largest_trade_in_usd",
        ]
    );
    let quote = answer.success();
    assert_eq!((&quote["pool_address"], &quote["fee_in_basis_points"]), (&json!(POOL), &json!(8.63)));
    let id = quote["id"].as_str().unwrap();
    assert!(id.len() == 36 && id.as_bytes()[14] == b'4', "{id}");
    assert_eq!(quote["must_accept_by"], "2023-10-13 22:24:20.932560+00:00");
    assert_eq!(quote["good_until"], 1_697_235_920);
    assert_eq!(quote["created_at"], 1_697_235_848);
    assert_eq!(quote["chain_id"], 1);
    assert_eq!(quote["input_amount"], ONE_ETH);
    assert_eq!((&quote["input_asset_address"], &quote["output_asset_address"]), (&json!(ETH), &json!(USDC)));
    assert_eq!(quote["input_value_in_usd"], 2080.527);
    let (output, value) = (units(&quote, "output_amount"), quote["output_value_in_usd"].as_f64().unwrap());
    assert!((2_060_000_000..2_080_527_000).contains(&output), "{output}");
    assert!((value * 1e6 - f64::from(u32::try_from(output).unwrap())).abs() < 1.0);
    assert_eq!(quote["rate"], value);
}

#[tokio::test]
async fn integers_of_any_size_are_exact_as_numbers_and_as_strings() {
    let rig = Rig::start().await;
    let huge = "1000000000000000000001";
    let body = |amount: &str| {
        format!(r#"{{"chain_id":"1","input_asset_symbol":"DAI","output_asset_symbol":"USDC","input_amount":{amount}}}"#)
    };
    let as_number = rig.post_text("/rfq/quote", &body(huge)).await.success();
    let as_string = rig.post_text("/rfq/quote", &body(&format!("\"{huge}\""))).await.success();
    let in_query = format!("input_asset_symbol=DAI&output_asset_symbol=USDC&input_amount={huge}");
    let in_query = rig.get(&format!("/rfq/v2/quote/1?{in_query}")).await.success();
    for quote in [&as_number, &as_string, &in_query] {
        assert_eq!(quote["input_amount"], huge);
        assert_eq!(quote["output_amount"], as_number["output_amount"]);
    }
    let largest = "115792089237316195423570985008687907853269984665640564039457584007913129639935";
    let (status, kind, code, message) = rig.post_text("/rfq/quote", &body(largest)).await.error();
    assert_eq!((status, kind.as_str(), code), (400, "QuoteProblem", Some(409)), "{message}");
}

#[tokio::test]
async fn an_exact_output_is_quoted_to_the_unit() {
    let rig = Rig::start().await;
    let body = json!({"chain_id": 1, "input_asset_symbol": "USDC", "output_asset_symbol": "DAI",
        "output_amount": "1000000000000000000001"});
    let quote = rig.post("/rfq/quote", &body).await.success();
    assert_eq!(quote["output_amount"], "1000000000000000000001");
    assert!(units(&quote, "input_amount") > 999_000_000);
    assert_eq!(quote["output_asset_address"], DAI);
}

#[tokio::test]
async fn more_time_costs_more_and_lasts_longer() {
    let rig = Rig::start().await;
    let quote = async |time: &str| {
        let query = format!("input_asset_symbol=ETH&output_asset_symbol=USDC&input_amount={ONE_ETH}{time}");
        rig.get(&format!("/rfq/v2/quote/1?{query}")).await.success()
    };
    let (short, usual) = (quote("&time_in_seconds=1").await, quote("").await);
    let (named, long) = (quote("&time_in_seconds=60").await, quote("&time_in_seconds=600").await);
    assert_eq!(usual["output_amount"], named["output_amount"]);
    assert!(units(&short, "output_amount") > units(&usual, "output_amount"));
    assert!(units(&usual, "output_amount") > units(&long, "output_amount"));
    assert_eq!((&short["good_until"], &long["good_until"]), (&json!(1_697_235_861), &json!(1_697_236_460)));
}

#[tokio::test]
async fn the_best_pool_is_chosen_unless_one_is_named() {
    let mut cheap = demo_pool();
    cheap.id = PoolId { address: firmquote_domain::Address::repeat_byte(0x22), ..cheap.id };
    for pair in &mut cheap.pairs {
        pair.fee.base = "1".parse::<BasisPoints>().unwrap();
    }
    let rig = Rig::start_with(Start { pools: vec![demo_pool(), cheap], ..Start::default() }).await;
    let query = format!("input_asset_symbol=ETH&output_asset_symbol=USDC&input_amount={ONE_ETH}");
    let destination = "destination_address=0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
    let signed = rig.get(&format!("/rfq/v2/quote-sign/1?{query}&{destination}")).await.success();
    assert_eq!(signed["service_exchange_address"], "0x2222222222222222222222222222222222222222");
    let named = demo_pool().id.address.to_string();
    for pool in [named.clone(), named.to_lowercase()] {
        let signed = rig.get(&format!("/rfq/v2/quote-sign/1?{query}&{destination}&pool_address={pool}")).await;
        assert_eq!(signed.success()["service_exchange_address"], json!(named));
    }
}

#[tokio::test]
async fn unknown_members_are_ignored() {
    let rig = Rig::start().await;
    let mut body = eth_for_usdc(ONE_ETH);
    body["pool_address"] = json!("not an address");
    body["nested"] = json!([{"input_amount": 1}]);
    rig.post("/rfq/quote", &body).await.success();
    let query =
        format!("chain_id=x&nonsense=%ff&input_asset_symbol=E%54H&output_asset_symbol=USDC&input_amount={ONE_ETH}");
    rig.get(&format!("/rfq/v2/quote/1?{query}")).await.success();
    rig.get(&format!("/rfq/v2/quote/%31?{query}")).await.success();
}

#[tokio::test]
async fn null_members_are_absent() {
    let rig = Rig::start().await;
    let mut body = eth_for_usdc(ONE_ETH);
    body["output_amount"] = Value::Null;
    body["time_in_seconds"] = Value::Null;
    assert_eq!(rig.post("/rfq/quote", &body).await.success()["good_until"], 1_697_235_920);
}

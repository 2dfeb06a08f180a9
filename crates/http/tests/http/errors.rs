//! Status, type, code and message of every kind of error.

use firmquote_domain::{Address, PoolId};
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Rig, Start, demo_pool, demo_symbols};

const ONE_ETH: &str = "1000000000000000000";

fn quote_body(input: &str, output: &str, amount: &str) -> Value {
    json!({"chain_id": 1, "input_asset_symbol": input, "output_asset_symbol": output, "input_amount": amount})
}

#[tokio::test]
async fn unsupported_values_are_named_and_nothing_else_is_revealed() {
    let mut pool = demo_pool();
    pool.pairs.retain(|pair| pair.assets.iter().all(|symbol| symbol.as_str() != "DAI"));
    let rig = Rig::start_with(Start { pools: vec![pool], ..Start::default() }).await;
    let long = "X".repeat(9_000);
    let cases = [
        (quote_body("WBTC", "USDC", ONE_ETH), "input_asset_symbol: WBTC is not supported".to_owned()),
        (quote_body("ETH", "usdc", ONE_ETH), "output_asset_symbol: usdc is not supported".to_owned()),
        (quote_body("", "USDC", ONE_ETH), "input_asset_symbol:  is not supported".to_owned()),
        (quote_body("A\nB", "USDC", ONE_ETH), "input_asset_symbol: A\nB is not supported".to_owned()),
        (quote_body(&long, "USDC", ONE_ETH), format!("input_asset_symbol: {}... is not supported", &long[..64])),
        (quote_body("ETH", "DAI", ONE_ETH), "pair: ETH/DAI is not supported".to_owned()),
        (quote_body("ETH", "ETH", ONE_ETH), "pair: ETH/ETH is not supported".to_owned()),
        (
            json!({"chain_id": 5, "input_asset_symbol": "ETH", "output_asset_symbol": "USDC", "input_amount": "1"}),
            "chain_id: 5 is not supported".to_owned(),
        ),
    ];
    for (body, message) in cases {
        let answer = rig.post("/rfq/quote", &body).await;
        assert_eq!(answer.error(), (400, "BadData".into(), None, message));
        assert!(answer.json().get("data").is_none());
    }
    let (eth, usdc) = ("0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2", "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48");
    let by_address =
        json!({"chain_id": 1, "input_asset_address": eth, "output_asset_address": usdc, "input_amount": ONE_ETH});
    let [named, addressed] =
        [rig.post("/rfq/quote", &quote_body("ETH", "USDC", ONE_ETH)).await, rig.post("/rfq/quote", &by_address).await];
    assert_eq!(named.success()["output_amount"], addressed.success()["output_amount"]);
    let query = format!("input_asset_address={usdc}&output_asset_symbol=ETH&input_amount=5000000");
    assert_eq!(rig.get(&format!("/rfq/v2/quote/1?{query}")).await.success()["input_asset_address"], usdc);
    let both = rig.get(&format!("/rfq/v2/quote/1?{query}&input_asset_symbol=USDC&output_asset_address=0x1")).await;
    let expected = ["mutually_exclusive input_asset_symbol", "mutually_exclusive input_asset_address"];
    assert!(both.invalid().iter().map(String::as_str).collect::<Vec<_>>().starts_with(&expected), "{both:?}");
    let nowhere = Address::repeat_byte(0x33).to_string();
    let unlisted =
        json!({"chain_id": 1, "input_asset_address": nowhere, "output_asset_symbol": "USDC", "input_amount": "1"});
    let unlisted = rig.post("/rfq/quote", &unlisted).await;
    assert_eq!(
        (&unlisted.json()["field"], &unlisted.json()["reason"]),
        (&json!("input_asset_address"), &json!("unsupported_asset"))
    );
    for path in ["/rfq/v2/pool/1?", "/rfq/v2/quote/1?input_asset_symbol=ETH&output_asset_symbol=USDC&input_amount=1&"] {
        let message = format!("pool_address: {nowhere} is not supported");
        let answer = rig.get(&format!("{path}pool_address={nowhere}")).await;
        assert_eq!(answer.error(), (400, "BadData".into(), None, message));
    }
    let answer = rig.get("/rfq/v2/pool/18446744073709551615").await;
    assert_eq!(answer.error().3, "chain_id: 18446744073709551615 is not supported");
}

#[tokio::test]
async fn unservable_sizes_include_the_bound() {
    let rig = Rig::start().await;
    for (input, output, field, amount) in [
        ("ETH", "USDC", "output_amount", "417751254142"),
        ("USDC", "ETH", "output_amount", "999999999999999999999999"),
        ("ETH", "USDC", "input_amount", "1000000000000"),
        ("USDC", "DAI", "input_amount", "99999"),
        ("USDC", "DAI", "output_amount", "1"),
    ] {
        let mut body = quote_body(input, output, amount);
        body.as_object_mut().unwrap().remove("input_amount");
        body[field] = json!(amount);
        let (status, kind, code, message) = rig.post("/rfq/quote", &body).await.error();
        assert_eq!((status, kind.as_str(), code), (400, "QuoteProblem", Some(409)), "{message}");
        let (prefix, bound) = message.rsplit_once(' ').unwrap();
        assert!(prefix.starts_with(field), "{message}");
        body[field] = json!(bound);
        rig.post("/rfq/quote", &body).await.success();
    }
}

#[tokio::test]
async fn a_disabled_pool_is_reported() {
    let mut pool = demo_pool();
    pool.swaps_enabled = false;
    let rig = Rig::start_with(Start { pools: vec![pool], ..Start::default() }).await;
    let (status, kind, code, message) = rig.post("/rfq/quote", &quote_body("ETH", "USDC", ONE_ETH)).await.error();
    assert_eq!((status, kind.as_str(), code), (400, "QuoteProblem", Some(409)));
    assert_eq!(message, "swaps are disabled for this pool");
    assert_eq!(rig.get("/rfq/v2/pool/1").await.success()["pools"][0]["pool"]["swaps_enabled"], false);
}

#[tokio::test]
async fn unknown_paths_are_not_found() {
    let rig = Rig::start().await;
    for path in [
        "//",
        "/rfq",
        "/rfq/quote/",
        "/RFQ/quote",
        "/rfq/v2/quote",
        "/rfq/v2/quote/1/2",
        "/rfq/v2/sign/1",
        "/errors/nothing",
        "/errors/%3Cscript%3E",
        "/healthz",
        "/readyz",
        "/metrics",
        "/rfq/../metrics",
        "/%00",
    ] {
        let answer = rig.get(path).await;
        assert_eq!(answer.error(), (404, "NotFound".into(), None, "No such route".into()), "{path}");
    }
}

#[tokio::test]
async fn other_methods_are_rejected_with_the_allowed_ones() {
    let rig = Rig::start().await;
    for (path, allowed) in [
        ("/rfq/pool", "GET"),
        ("/rfq/quote", "POST"),
        ("/rfq/sign", "POST"),
        ("/rfq/v2/pool/1", "GET"),
        ("/rfq/v2/quote/1", "GET"),
        ("/rfq/v2/quote-sign/1", "GET"),
        ("/rfq/v2/sign", "POST"),
        ("/errors", "GET, HEAD"),
        ("/errors/missing", "GET, HEAD"),
    ] {
        for method in [Method::GET, Method::POST, Method::PUT, Method::DELETE, Method::PATCH, Method::OPTIONS] {
            if allowed.contains(method.as_str()) {
                continue;
            }
            let answer = rig.send(rig.request(method, path)).await;
            let message = format!("Method not allowed, allowed: {allowed}");
            assert_eq!(answer.error(), (405, "MethodNotAllowed".into(), None, message), "{path}");
            assert_eq!(answer.header("allow"), Some(allowed));
        }
        let head = rig.send(rig.request(Method::HEAD, path)).await;
        assert_eq!(head.status, if allowed.contains("HEAD") { 200 } else { 405 }, "{path}");
        assert_eq!(head.text, "");
    }
}

#[tokio::test]
async fn non_json_bodies_are_rejected_unread() {
    let rig = Rig::start().await;
    let body = quote_body("ETH", "USDC", ONE_ETH).to_string();
    let send = async |content_type: Option<&str>, coding: Option<&str>| {
        let mut request = rig.request(Method::POST, "/rfq/quote").body(body.clone());
        if let Some(content_type) = content_type {
            request = request.header("content-type", content_type);
        }
        if let Some(coding) = coding {
            request = request.header("content-encoding", coding);
        }
        rig.send(request).await
    };
    for (content_type, coding) in [
        (None, None),
        (Some("text/plain"), None),
        (Some("application/x-www-form-urlencoded"), None),
        (Some("application/json-patch+json"), None),
        (Some("application/json"), Some("gzip")),
    ] {
        let (status, kind, code, _) = send(content_type, coding).await.error();
        assert_eq!((status, kind.as_str(), code), (415, "BadData", None), "{content_type:?}");
    }
    for content_type in ["application/json", "Application/Json; charset=utf-8"] {
        send(Some(content_type), Some("identity")).await.success();
    }
}

#[tokio::test]
async fn bodies_above_sixteen_kibibytes_are_too_large() {
    let rig = Rig::start().await;
    let fitting = format!("{:<16384}", quote_body("ETH", "USDC", ONE_ETH).to_string());
    rig.post_text("/rfq/quote", &fitting).await.success();
    let answer = rig.post_text("/rfq/quote", &format!("{fitting} ")).await;
    assert_eq!(answer.error(), (413, "BadData".into(), None, "The body is larger than 16384 bytes".into()));
}

#[tokio::test]
async fn internal_errors_reveal_only_the_request_id() {
    let rig = Rig::start().await;
    rig.clock.set(firmquote_domain::Timestamp::from_seconds(u32::MAX));
    let answer = rig.post("/rfq/quote", &quote_body("ETH", "USDC", ONE_ETH)).await;
    assert_eq!(answer.error(), (500, "InternalError".into(), None, "Internal error".into()));
    assert_eq!(answer.header("x-request-id").unwrap().len(), 32);
}

#[tokio::test]
async fn pools_of_other_chains_are_not_used() {
    let mut other = demo_pool();
    other.id = PoolId { chain_id: firmquote_domain::ChainId::new(10).unwrap(), ..other.id };
    let rig = Rig::start_with(Start { pools: vec![demo_pool(), other], ..Start::default() }).await;
    for (chain, names) in [(1, demo_symbols()), (10, demo_symbols())] {
        let pools = rig.get(&format!("/rfq/v2/pool/{chain}")).await.success();
        assert_eq!(pools["pools"].as_array().unwrap().len(), 1);
        assert_eq!(pools["pools"][0]["pool"]["chain_id"], chain);
        let assets = pools["pools"][0]["assets"].as_array().unwrap();
        assert!(assets.iter().map(|asset| asset["name"].as_str().unwrap()).eq(names));
    }
}

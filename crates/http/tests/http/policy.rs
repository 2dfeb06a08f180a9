//! The operator's policy on the wire: refusals, and pausing a pool.

use std::collections::BTreeSet;

use firmquote_desk::{AccountRule, Limit, SigningPolicy};
use firmquote_domain::{Address, Usd};
use serde_json::{Value, json};

use crate::support::{Rig, Start, TestResponse, demo_pool};

fn one_eth() -> Value {
    json!({
        "chain_id": 1,
        "input_asset_symbol": "ETH",
        "output_asset_symbol": "USDC",
        "input_amount": "1000000000000000000",
    })
}

fn usd(text: &str) -> Limit {
    Limit::Usd(text.parse::<Usd>().unwrap())
}

async fn rig(policy: SigningPolicy) -> Rig {
    Rig::start_with(Start { policy, ..Start::default() }).await
}

/// Signs a new quote for this account.
async fn signed(rig: &Rig, destination: u8) -> TestResponse {
    let quote = rig.post("/rfq/quote", &one_eth()).await.success();
    let destination = Address::repeat_byte(destination).to_string();
    rig.post("/rfq/sign", &json!({ "quote_id": quote["id"], "destination_address": destination })).await
}

/// Returns the number of requests refused for this reason.
async fn rejections(rig: &Rig, reason: &str) -> String {
    let metrics = rig.send(rig.http.get(format!("{}/metrics", rig.admin))).await.text;
    let name = format!("firmquote_rejections_total{{reason=\"{reason}\"}} ");
    metrics.lines().find_map(|line| line.strip_prefix(&name)).unwrap().to_owned()
}

/// Pauses or resumes the pool with the admin token.
async fn switched(rig: &Rig, path: &str) -> TestResponse {
    rig.send(rig.http.post(format!("{}/pools/{path}", rig.admin)).bearer_auth(rig.admin_token.reveal())).await
}

#[tokio::test]
async fn denied_accounts_are_forbidden_naming_the_field() {
    let denied = AccountRule { denied: BTreeSet::from([Address::repeat_byte(1)]), ..AccountRule::default() };
    for (policy, field) in [
        (SigningPolicy { destinations: denied.clone(), ..SigningPolicy::default() }, "destination"),
        (SigningPolicy { senders: denied.clone(), ..SigningPolicy::default() }, "sender"),
    ] {
        let rig = rig(policy).await;
        let message = format!("Access is forbidden: this pool does not sign for this {field}_address");
        assert_eq!(signed(&rig, 1).await.error(), (403, "Forbidden".into(), None, message));
        assert_eq!(rejections(&rig, &format!("{field}_denied")).await, "1");
        assert_eq!(signed(&rig, 2).await.status, 200);
    }
}

#[tokio::test]
async fn minute_totals_report_when_to_retry() {
    let of_pool = SigningPolicy { max_per_minute: usd("3000"), ..SigningPolicy::default() };
    let of_client = SigningPolicy { max_per_minute_of_client: usd("3000"), ..SigningPolicy::default() };
    for (policy, reason) in [(of_pool, "pool_limit"), (of_client, "client_limit")] {
        let rig = rig(policy).await;
        assert_eq!(signed(&rig, 1).await.status, 200);
        let refused = signed(&rig, 1).await;
        let (status, kind, code, message) = refused.error();
        assert_eq!((status, kind.as_str(), code), (400, "QuoteProblem", Some(409)));
        let seconds = refused.header("retry-after").unwrap();
        assert!(
            message.ends_with(&format!("limit per minute is reached, please try again in {seconds} s")),
            "{message}"
        );
        assert_eq!(rejections(&rig, reason).await, "1");
        rig.clock.advance_micros(seconds.parse::<u64>().unwrap() * 1_000_000);
        assert_eq!(signed(&rig, 1).await.status, 200);
    }
    let never = rig(SigningPolicy { max_per_minute: usd("2000"), ..SigningPolicy::default() }).await;
    let refused = never.post("/rfq/quote", &one_eth()).await;
    assert_eq!(refused.header("retry-after"), None);
    assert!(refused.error().3.starts_with("input_amount is larger than the pool can serve, at most "), "{refused:?}");
}

#[tokio::test]
async fn trades_above_the_policy_limit_include_the_bound() {
    let rig = rig(SigningPolicy { max_trade: usd("1040.2635"), ..SigningPolicy::default() }).await;
    let (status, kind, code, message) = rig.post("/rfq/quote", &one_eth()).await.error();
    assert_eq!((status, kind.as_str(), code), (400, "QuoteProblem", Some(409)));
    assert_eq!(message, "input_amount is larger than the pool can serve, at most 500000000000000000");
}

#[tokio::test]
async fn the_token_holder_pauses_and_resumes_a_pool() {
    let rig = rig(SigningPolicy::default()).await;
    let address = demo_pool().id.address.to_string();
    let pool = |paused: bool| json!({"pools": [{"chain_id": 1, "pool_address": address, "paused": paused}], "shared": false, "kept": false});
    assert_eq!(switched(&rig, &format!("{address}/pause")).await.success(), pool(true));
    let paused = (400, "QuoteProblem".to_owned(), Some(409), "the pool is paused".to_owned());
    assert_eq!(rig.post("/rfq/quote", &one_eth()).await.error(), paused);
    assert_eq!(rejections(&rig, "paused").await, "1");
    let named = format!("{}/resume?chain_id=1", address.to_lowercase());
    assert_eq!(switched(&rig, &named).await.success(), pool(false));
    assert_eq!(signed(&rig, 1).await.status, 200);
}

#[tokio::test]
async fn pausing_requires_the_token_and_a_valid_request() {
    let rig = rig(SigningPolicy::default()).await;
    let address = demo_pool().id.address.to_string();
    let url = format!("{}/pools/{address}/pause", rig.admin);
    assert_eq!(rig.send(rig.http.post(&url)).await.status, 401);
    assert_eq!(rig.send(rig.http.post(&url).bearer_auth("guess")).await.status, 403);
    assert_eq!(rig.send(rig.http.get(&url)).await.status, 405);
    let public = rig.http.post(format!("{}/pools/{address}/pause", rig.base)).bearer_auth(rig.admin_token.reveal());
    assert_eq!(rig.send(public).await.status, 404);
    assert_eq!(switched(&rig, "0x12/pause").await.invalid(), ["address_parsing pool_address"]);
    assert_eq!(switched(&rig, &format!("{address}/pause?chain_id=x")).await.invalid(), ["int_parsing chain_id"]);
    let other = Address::repeat_byte(3);
    for (path, message) in [
        (format!("{other}/pause"), format!("pool_address: {other} is not supported")),
        (format!("{address}/pause?chain_id=5"), "chain_id: 5 is not supported".into()),
    ] {
        assert_eq!(switched(&rig, &path).await.error(), (400, "BadData".into(), None, message));
    }
    assert_eq!(signed(&rig, 1).await.status, 200, "none of it changed anything");
}

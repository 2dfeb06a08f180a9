//! The operator's policy for a pool applies on every replica: the pause switch, and the limits per minute.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

use firmquote_e2e::{
    configuration,
    endpoint::{ADMIN_TOKEN, ADMIN_TOKEN_SHA256, Response},
    evm::CHAIN_ID,
    load::{destination, quote, sign},
    replicas::SharedStore,
    service::Service,
};
use firmquote_test_servers::{
    patience::PATIENCE,
    redis::{Options, Server},
};
use serde_json::json;

/// Returns the configuration of replicas with these keys in the pool's policy.
fn file(redis: &Server, policy: &str) -> String {
    let file = configuration::over_redis(&SharedStore::from_server(redis));
    let file = file.replacen("[server]\n", &format!("[server]\nadmin_token_sha256 = \"{ADMIN_TOKEN_SHA256}\"\n"), 1);
    let no_limits = configuration::NO_LIMITS;
    let key = policy.split(" = ").next().expect("a key");
    let limits: String = no_limits.split_inclusive('\n').filter(|line| !line.starts_with(&format!("{key} "))).collect();
    file.replacen(no_limits, &format!("{limits}{policy}\n"), 1)
}

/// Quotes a hundredth of an ETH and signs it at once, each time for another destination, since an equal offer is signed
/// only once.
async fn signed(replica: &Service) -> Response {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let destination = destination(NUMBER.fetch_add(1, Ordering::Relaxed));
    let query = format!(
        "input_asset_symbol=ETH&output_asset_symbol=USDC&input_amount=10000000000000000&destination_address={destination}"
    );
    replica.get(&format!("/rfq/v2/quote-sign/{CHAIN_ID}"), &query).await
}

/// Returns why the pool does not sign; empty if it does.
async fn refusal(replica: &Service) -> String {
    signed(replica).await.body["errorMessage"].as_str().unwrap_or_default().to_owned()
}

/// Requests signatures from a replica until it refuses for this reason, or for none.
async fn wait_for(replica: &Service, expected: &str) {
    let start = Instant::now();
    loop {
        let refusal = refusal(replica).await;
        if refusal == expected {
            return;
        }
        assert!(start.elapsed() < PATIENCE, "timed out with {refusal:?}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

async fn switch(replica: &Service, to: &str) {
    let path = format!("/pools/{}/{to}", firmquote_domain::Address::repeat_byte(0xff));
    let answer = replica.admin().post_with_token(&path, ADMIN_TOKEN, &json!({})).await.expect("the server answers");
    assert_eq!(answer.ok()["shared"], json!(true));
}

#[tokio::test]
async fn a_pause_applies_on_every_replica_and_survives_them() {
    let redis = Server::start(Options::default());
    let file = file(&redis, "");
    let [first, second] = [(); 2].map(|()| Service::start(&file));
    assert_eq!((refusal(&first).await, refusal(&second).await), (String::new(), String::new()));
    switch(&first, "pause").await;
    assert_eq!(refusal(&first).await, "the pool is paused", "at once on the replica that received it");
    let start = Instant::now();
    wait_for(&second, "the pool is paused").await;
    println!("a pause reached another replica after {:?}", start.elapsed());
    drop(first);
    let third = Service::start(&file);
    assert_eq!(refusal(&third).await, "the pool is paused", "before it signs anything");
    switch(&third, "resume").await;
    assert_eq!(refusal(&third).await, "");
    wait_for(&second, "").await;
}

#[tokio::test]
async fn a_signature_is_repeated_even_by_a_replica_that_would_now_reject_the_quote() {
    let redis = Server::start(Options::default());
    let file = file(&redis, "");
    let [first, second] = [(); 2].map(|()| Service::start(&file));
    let quoted = async || {
        let quote = quote(first.public()).await.expect("the server answers").ok();
        quote["id"].as_str().expect("an id").to_owned()
    };
    let [signed, unsigned] = [quoted().await, quoted().await];
    let by = async |replica: &Service, quote: &str, number| {
        sign(replica.public(), quote, destination(number)).await.expect("the server answers")
    };
    let signature = by(&second, &signed, 900).await;
    assert_eq!(signature.status, 200, "{}", signature.text);
    switch(&first, "pause").await;
    let repeated = by(&first, &signed, 900).await;
    assert_eq!((repeated.status, repeated.text), (200, signature.text), "its answer may have been lost");
    let other_terms = "the quote is already signed for other terms";
    for (quote, number, message) in [(&signed, 901, other_terms), (&unsigned, 901, "the pool is paused")] {
        let refused = by(&first, quote, number).await;
        assert_eq!((refused.status, &refused.body["errorMessage"]), (400, &message.into()));
    }
    switch(&first, "resume").await;
    wait_for(&second, "").await;
    assert_eq!(by(&second, &unsigned, 902).await.status, 200, "a refusal binds nothing");
    assert_eq!(by(&second, &unsigned, 901).await.body["errorMessage"], other_terms);
}

#[tokio::test]
async fn replicas_sharing_a_store_share_the_minute_total() {
    let redis = Server::start(Options::default());
    let probe = Service::start(&file(&redis, ""));
    let worth = signed(&probe).await.ok()["input_value_in_usd"].as_f64().expect("a number");
    let file = file(&redis, &format!("max_usd_per_minute = {:.2}", 2.5 * worth));
    let [first, second] = [(); 2].map(|()| Service::start(&file));
    assert_eq!((signed(&first).await.status, signed(&second).await.status), (200, 200));
    for replica in [&first, &second] {
        let refused = signed(replica).await;
        assert_eq!(refused.status, 400, "{}", refused.text);
        assert!(refused.retry_after.is_some() && refused.text.contains("limit per minute is reached"));
    }
}

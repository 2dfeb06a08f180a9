//! Prices that the operator pushes to one replica, or writes into Redis: every replica quotes at them.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use firmquote_e2e::{
    configuration,
    endpoint::{ADMIN_TOKEN, ADMIN_TOKEN_SHA256, Response},
    evm::CHAIN_ID,
    replicas::SharedStore,
    service::Service,
};
use firmquote_test_servers::{
    patience::PATIENCE,
    redis::{Options, Server},
};
use serde_json::{Value, json};

/// The names of the hash and the channel.
const BOARD: &str = "firmquote:prices";

/// Starts replicas that quote ETH at pushed prices not older than `max_age_ms`.
fn replicas(redis: &Server, count: usize, max_age_ms: u64) -> Vec<Service> {
    let file = configuration::over_redis(&SharedStore::from_server(redis));
    let file = file.replacen("[server]\n", &format!("[server]\nadmin_token_sha256 = \"{ADMIN_TOKEN_SHA256}\"\n"), 1);
    let source = "[[price_source]]\nkind = \"push\"\n[[price_source.asset]]\nsymbol = \"ETH\"\n";
    let rule = format!("max_age_ms = {max_age_ms}\nmax_jump_bps_per_second = 9999\n");
    let file = format!("{file}\n{source}\n[[price_rule]]\nsymbol = \"ETH\"\n{rule}");
    (0..count).map(|_| Service::start(&file)).collect()
}

async fn put(replica: &Service, price: &str) -> Response {
    let body = json!({"prices": [{"symbol": "ETH", "price_usd": price}]});
    replica.admin().put("/prices", ADMIN_TOKEN, &body).await.expect("the server answers")
}

/// Returns the quoted price of one ETH in US dollars, or the reason why it is not quoted.
async fn quoted(replica: &Service) -> Result<f64, String> {
    let query = format!(
        "/rfq/v2/quote/{CHAIN_ID}?input_asset_symbol=ETH&output_asset_symbol=USDC&input_amount=1000000000000000000"
    );
    let answer = replica.public().get(&query).await.expect("the server answers");
    let text = |name: &str| answer.body[name].as_str().unwrap_or_default().to_owned();
    match answer.status {
        200 => Ok(answer.body["input_value_in_usd"].as_f64().expect("a number")),
        status => Err(format!("{status} {}", text("errorMessage"))),
    }
}

/// Waits until every replica quotes at `price`.
async fn wait_for_price(replicas: &[Service], price: f64) {
    for replica in replicas {
        let is_expected =
            |quoted: &Result<f64, String>| quoted.as_ref().is_ok_and(|quoted| quoted.to_bits() == price.to_bits());
        drop(wait(replica, is_expected).await);
    }
}

/// Waits until the result of a replica is the expected one.
async fn wait(replica: &Service, is_expected: impl Fn(&Result<f64, String>) -> bool) -> Result<f64, String> {
    let start = Instant::now();
    loop {
        let quoted = quoted(replica).await;
        if is_expected(&quoted) {
            return quoted;
        }
        assert!(start.elapsed() < PATIENCE, "timed out with {quoted:?}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// Pushes a price repeatedly, as a backend does, until it is quoted.
async fn send_until_quoted(replica: &Service, price: &str) {
    let (start, expected) = (Instant::now(), price.parse::<f64>().expect("a float"));
    loop {
        let answer = put(replica, price).await;
        if answer.status == 200 && quoted(replica).await.is_ok_and(|quoted| quoted.to_bits() == expected.to_bits()) {
            return;
        }
        assert!(start.elapsed() < PATIENCE, "never quoted on, the last answer: {}", answer.text);
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// Returns an entry of the hash as written by an operator.
fn entry(price: &str) -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970");
    let now_ms = u64::try_from(since.as_millis()).expect("before the year 500 million");
    json!({"symbol": "ETH", "price_usd": price, "observed_at": now_ms}).to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn prices_pushed_to_one_replica_apply_on_all_including_later_ones() {
    let redis = Server::start(Options::default());
    let mut replicas = replicas(&redis, 2, 600_000);
    for replica in &replicas {
        assert_eq!(
            quoted(replica).await,
            Err("503 ETH is currently not quoted: no update was received yet".to_owned())
        );
    }
    // The replica may not be connected yet.
    send_until_quoted(&replicas[0], "2100.5").await;
    wait_for_price(&replicas, 2100.5).await;
    assert_eq!(put(&replicas[1], "2101.25").await.ok(), json!({"accepted": 1}));
    let put_at = Instant::now();
    wait_for_price(&replicas, 2101.25).await;
    println!("prices: all replicas quote at a new price {:?} after it was accepted", put_at.elapsed());
    replicas.extend(self::replicas(&redis, 1, 600_000));
    wait_for_price(&replicas, 2101.25).await;
    let stored: Value = serde_json::from_str(&redis.command(&["HGET", BOARD, "ETH"])).expect("JSON");
    assert_eq!((&stored["symbol"], &stored["price_usd"]), (&json!("ETH"), &json!("2101.25")));
    let refused = replicas[0].admin().put("/prices", "another", &json!({"prices": []})).await.expect("an answer");
    assert_eq!(refused.status, 403);
}

#[tokio::test(flavor = "multi_thread")]
async fn prices_written_to_redis_directly_are_used_and_garbage_is_not() {
    let redis = Server::start(Options::default());
    let replicas = replicas(&redis, 2, 600_000);
    redis.command(&["HSET", BOARD, "ETH", &entry("2100")]);
    wait_for_price(&replicas, 2100.0).await;
    let next = entry("2102.125");
    redis.command(&["HSET", BOARD, "ETH", &next]);
    redis.command(&["PUBLISH", BOARD, &format!("{{\"prices\":[{next}]}}")]);
    wait_for_price(&replicas, 2102.125).await;
    let is_invalid = |quoted: &Result<f64, String>| {
        quoted.as_ref().is_err_and(|reason| {
            reason.contains("503 ETH is currently not quoted: the last update is not a valid price")
        })
    };
    let garbage = ["{\"prices\":[{\"symbol\":\"ETH\",\"price_usd\":\"NaN\"}]}", "{\"prices\":[{\"symbol\":\"ETH\"}]}"];
    for (message, price) in garbage.into_iter().zip(["2103", "2104"]) {
        redis.command(&["PUBLISH", BOARD, message]);
        for replica in &replicas {
            drop(wait(replica, is_invalid).await);
        }
        redis.command(&["HSET", BOARD, "ETH", &entry(price)]);
        wait_for_price(&replicas, price.parse().expect("a float")).await;
    }
    redis.command(&["PUBLISH", BOARD, "garbage"]);
    redis.command(&["HSET", BOARD, "a b", "garbage"]);
    redis.command(&["HSET", BOARD, "ETH", "garbage"]);
    for replica in &replicas {
        drop(wait(replica, is_invalid).await);
    }
    assert_eq!(put(&replicas[0], "2105").await.ok(), json!({"accepted": 1}));
    wait_for_price(&replicas, 2105.0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn silence_is_reported_with_asset_and_age_until_the_next_price() {
    let redis = Server::start(Options::default());
    let replicas = replicas(&redis, 2, 5_000);
    for replica in &replicas {
        send_until_quoted(replica, "2100").await;
        let reason = wait(replica, Result::is_err).await.expect_err("silence");
        assert!(reason.starts_with("503 ETH is currently not quoted: the last update is "), "{reason}");
        assert!(reason.ends_with(" ms old, at most 5000 ms is allowed"), "{reason}");
    }
    send_until_quoted(&replicas[1], "2099").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_redis_prices_are_rejected_and_they_resume_afterwards() {
    let mut redis = Server::start(Options { append_only: true, ..Options::default() });
    let replicas = replicas(&redis, 2, 600_000);
    redis.command(&["HSET", BOARD, "ETH", &entry("2100")]);
    wait_for_price(&replicas, 2100.0).await;
    redis.kill();
    let refused = put(&replicas[0], "2101").await;
    assert!(refused.is_retryable(), "{}", refused.text);
    assert_eq!(refused.body["errorType"], "ExternalServiceError");
    redis.restart();
    assert!(redis.command(&["HGET", BOARD, "ETH"]).contains("\"2100\""), "nothing was applied");
    let start = Instant::now();
    send_until_quoted(&replicas[0], "2102").await;
    wait_for_price(&replicas, 2102.0).await;
    println!("prices: quoted on {:?} after Redis was ready again", start.elapsed());
}

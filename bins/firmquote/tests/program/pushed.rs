//! Prices pushed by the operator's backend to one process.

use reqwest::{Client, StatusCode};
use serde_json::{Value, json};

use crate::program::{CONFIG, ONE_ETH, Serving, configured, directory, firmquote, quote_request, run};

const SOURCE: &str = "
[[price_source]]
kind = \"push\"
[[price_source.asset]]
symbol = \"ETH\"
[[price_rule]]
symbol = \"ETH\"
max_age_ms = 60000
max_jump_bps_per_second = 100
";

/// Starts the program with a push source and a new admin token; returns both.
fn serving(directory: &tempfile::TempDir) -> (Serving, String) {
    let made = run(firmquote(&["credential", "new-admin-token"])).stdout;
    let token = made.lines().find_map(|line| line.strip_prefix("    ")).unwrap().to_owned();
    assert_eq!(made.matches(&token).count(), 1, "it is shown once");
    let (_, line) = made.split_once("[server]\n").unwrap();
    let config = CONFIG.replacen("[server]\n", &format!("[server]\n{line}"), 1);
    (Serving::start(configured(directory, &["serve"], &format!("{config}{SOURCE}"))), token)
}

async fn push(client: &Client, serving: &Serving, token: &str, price: Value) -> (StatusCode, Value) {
    let request = client.put(format!("http://{}/prices", serving.admin)).bearer_auth(token);
    let answer = request.json(&json!({"prices": [price]})).send().await.unwrap();
    (answer.status(), answer.json().await.unwrap())
}

/// Returns the status, and the value of one ETH in US dollars or the reason for having none.
async fn quoted(client: &Client, serving: &Serving) -> (u16, Value) {
    let request = quote_request(ONE_ETH);
    let answer = client.post(format!("http://{}/rfq/quote", serving.public)).json(&request).send().await.unwrap();
    let (status, body) = (answer.status().as_u16(), answer.json::<Value>().await.unwrap());
    let member = if status == 200 { "input_value_in_usd" } else { "errorMessage" };
    (status, body.get(member).cloned().unwrap_or_default())
}

#[tokio::test]
async fn a_pushed_price_is_used_at_once_and_checked_against_the_rules() {
    let directory = directory();
    let (serving, token) = serving(&directory);
    let client = Client::builder().no_proxy().build().unwrap();
    let eth = |price: Value| json!({"symbol": "ETH", "price_usd": price});
    assert_eq!(
        quoted(&client, &serving).await,
        (503, json!("ETH is currently not quoted: no update was received yet"))
    );
    let accepted = (StatusCode::OK, json!({"accepted": 1}));
    assert_eq!(push(&client, &serving, &token, eth(json!("2000.5"))).await, accepted);
    assert_eq!(quoted(&client, &serving).await, (200, json!(2000.5)));
    for refused in [eth(json!(0)), eth(json!("NaN")), json!({"symbol": "USDC", "price_usd": 1})] {
        assert_eq!(push(&client, &serving, &token, refused).await.0, 400);
    }
    assert_eq!(push(&client, &serving, "another token", eth(json!(1))).await.0, 403);
    assert_eq!(quoted(&client, &serving).await, (200, json!(2000.5)), "what was refused changed nothing");
    // Well-formed but against the rules: accepted and not trusted.
    assert_eq!(push(&client, &serving, &token, eth(json!(1000))).await, accepted);
    let (status, reason) = quoted(&client, &serving).await;
    assert!(status == 503 && reason.as_str().unwrap().contains("the price moved by 10005 bp"), "{reason}");
    assert_eq!(push(&client, &serving, &token, eth(json!(2001))).await, accepted);
    assert_eq!(quoted(&client, &serving).await, (200, json!(2001.0)), "nothing had to be restarted");
    let old = json!({"symbol": "ETH", "price_usd": 1999, "observed_at": 1_700_000_000_000_u64});
    assert_eq!(push(&client, &serving, &token, old).await, accepted);
    assert_eq!(quoted(&client, &serving).await, (200, json!(2001.0)), "what is older says nothing new");
}

#[tokio::test]
async fn a_stale_price_is_rejected_with_its_age() {
    let directory = directory();
    let (serving, token) = serving(&directory);
    let client = Client::builder().no_proxy().build().unwrap();
    let old = json!({"symbol": "ETH", "price_usd": "2000", "observed_at": 1_700_000_000_000_u64});
    assert_eq!(push(&client, &serving, &token, old).await.0, 200);
    let (status, reason) = quoted(&client, &serving).await;
    let reason = reason.as_str().unwrap();
    let is_stale_reason = reason.starts_with("ETH is currently not quoted: the last update is ")
        && reason.ends_with(" ms old, at most 60000 ms is allowed");
    assert!(status == 503 && is_stale_reason, "{status} {reason}");
}

#[tokio::test]
async fn without_a_push_source_prices_are_rejected() {
    let directory = directory();
    let made = run(firmquote(&["credential", "new-admin-token"])).stdout;
    let token = made.lines().find_map(|line| line.strip_prefix("    ")).unwrap();
    let (_, line) = made.split_once("[server]\n").unwrap();
    let config = CONFIG.replacen("[server]\n", &format!("[server]\n{line}"), 1);
    let serving = Serving::start(configured(&directory, &["serve"], &config));
    let client = Client::builder().no_proxy().build().unwrap();
    let (status, body) = push(&client, &serving, token, json!({"symbol": "ETH", "price_usd": 1})).await;
    assert_eq!((status.as_u16(), &body["errorMessage"]), (400, &json!("symbol: ETH is not supported")));
}

//! `/readyz` by part on the running service, while its dependencies fail and recover.
#![expect(clippy::indexing_slicing, reason = "a test may panic outside its test functions too")]

use std::net::TcpListener;

use firmquote_test_servers::{
    redis::{Options, Server},
    signing::SigningService,
};
use reqwest::Client;
use serde_json::{Value, json};

use crate::{
    metrics::until_shown,
    prices::{Exchange, config},
    program::{CONFIG, KEY, Serving, configured, directory},
};

/// Polls until the part is in this state while the whole responds with this status, and returns the part; the metrics
/// must come to show both. Gives up after more polls than any test needs.
#[expect(clippy::panic, reason = "a test fails by panicking")]
async fn until(client: &Client, serving: &Serving, part: &str, state: &str, status: u16) -> Value {
    let mut last = Value::Null;
    for _ in 0..3_000 {
        let answer = client.get(format!("http://{}/readyz", serving.admin)).send().await.unwrap();
        let received = answer.status().as_u16();
        last = answer.json().await.unwrap();
        assert_eq!(last["ready"], received == 200, "{last}");
        if last["parts"][part]["state"] == state && received == status {
            let metric = format!("firmquote_part_state{{part=\"{part}\",state=\"{state}\"}} 1");
            until_shown(client, serving, &[&metric, &format!("firmquote_ready {}", u8::from(status == 200))]).await;
            return last["parts"][part].take();
        }
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    panic!("{part} is not {state} with status {status}: {last}");
}

fn client() -> Client {
    Client::builder().no_proxy().build().unwrap()
}

#[tokio::test]
async fn a_redis_outage_makes_store_and_pauses_unready_until_it_ends() {
    let (mut redis, directory, client) = (Server::start(Options::default()), directory(), client());
    let store = format!("kind = \"redis\"\nurl = \"{}\"\n", redis.url());
    let config = CONFIG.replace("kind = \"memory\"\nmax_quotes = 1000\n", &store);
    let mut serving = Serving::start(configured(&directory, &["serve"], &config));
    until(&client, &serving, "store", "ready", 200).await;
    redis.kill();
    let part = until(&client, &serving, "store", "unready", 503).await;
    assert_eq!(part["reasons"], json!(["the store call failed"]));
    let part = until(&client, &serving, "pauses", "unready", 503).await;
    assert_eq!(part["reasons"], json!(["the pause state is unknown"]));
    let line = serving.wait_for("part=\"store\" state=\"unready\"");
    assert!(line.contains("a part of the service is not ready"), "{line}");
    let head = client.head(format!("http://{}/readyz", serving.admin)).send().await.unwrap();
    assert_eq!((head.status().as_u16(), head.headers()["cache-control"].as_bytes()), (503, &b"no-store"[..]));
    assert!(head.bytes().await.unwrap().is_empty());
    redis.restart();
    for part in ["store", "pauses"] {
        until(&client, &serving, part, "ready", 200).await;
    }
}

#[tokio::test]
async fn a_silent_source_makes_prices_unready_when_nothing_else_is_quotable() {
    let (listener, directory, client) = (TcpListener::bind("127.0.0.1:0").unwrap(), directory(), client());
    let config = config(&listener).replace("max_age_ms = 60000", "max_age_ms = 3000");
    let serving = Serving::start(configured(&directory, &["serve"], &config));
    let mut exchange = Exchange::accept(&listener);
    let part = until(&client, &serving, "prices", "unready", 503).await;
    assert_eq!(part["reasons"], json!(["ETH: no update was received yet"]));
    until(&client, &serving, "reserves", "ready", 503).await;
    exchange.tick("1999.9", "2000.1");
    until(&client, &serving, "prices", "ready", 200).await;
    let part = until(&client, &serving, "prices", "unready", 503).await;
    let reason = part["reasons"][0].as_str().unwrap();
    assert!(reason.starts_with("ETH: the last update is ") && reason.ends_with("3000 ms is allowed"), "{reason}");
    exchange.tick("2000.9", "2001.1");
    until(&client, &serving, "prices", "ready", 200).await;
}

#[tokio::test]
async fn an_unreachable_node_leaves_reserves_unknown() {
    let (directory, client) = (directory(), client());
    let config = CONFIG.replacen("k = 0.06", "reserves = \"chain\"\nk = 0.06", 1);
    let serving = Serving::start(configured(&directory, &["serve"], &config));
    let part = until(&client, &serving, "reserves", "unready", 503).await;
    let reason = part["reasons"][0].as_str().unwrap();
    assert!(reason.starts_with("ETH of pool 1:0x") && reason.ends_with("no reserves received yet"), "{reason}");
    assert!(!part.to_string().contains("hidden"), "{part}");
    until(&client, &serving, "prices", "ready", 503).await;
}

#[tokio::test]
async fn an_unreachable_signing_service_degrades_readiness_until_it_returns() {
    let mut key = [0; 32];
    alloy_primitives::hex::decode_to_slice(KEY, &mut key).unwrap();
    let (mut service, directory, client) = (SigningService::start(&key), directory(), client());
    let signer = format!(
        "remote_url = \"http://{}/hidden\"\nremote_address = \"{}\"\nremote_timeout_ms = 60000",
        service.address(),
        service.account()
    );
    let config = CONFIG.replace("key_env = \"FIRMQUOTE_SIGNER_KEY\"", &signer);
    let serving = Serving::start(configured(&directory, &["serve"], &config));
    until(&client, &serving, "key", "ready", 200).await;
    service.stop();
    let part = until(&client, &serving, "key", "degraded", 200).await;
    assert_eq!(part["reasons"], json!([format!("{}: the signer is unavailable", service.account())]));
    service.start_again();
    until(&client, &serving, "key", "ready", 200).await;
}

#[tokio::test]
async fn a_stopping_service_reports_it_while_still_responding() {
    let (directory, client) = (directory(), client());
    let mut command = configured(&directory, &["serve"], CONFIG);
    command.env("FIRMQUOTE__SERVER__DRAIN_SECONDS", "300");
    let serving = Serving::start(command);
    until(&client, &serving, "stopping", "ready", 200).await;
    serving.signal("TERM");
    let part = until(&client, &serving, "stopping", "unready", 503).await;
    assert_eq!(part["reasons"], json!(["the service is stopping"]));
}

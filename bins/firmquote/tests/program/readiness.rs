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

/// Polls until the part is in this state, and returns it; status and metrics must agree. Gives up after more polls
/// than any test needs.
#[expect(clippy::panic, reason = "a test fails by panicking")]
async fn until(client: &Client, serving: &Serving, part: &str, state: &str) -> (u16, Value) {
    let mut last = Value::Null;
    for _ in 0..3_000 {
        let answer = client.get(format!("http://{}/readyz", serving.admin)).send().await.unwrap();
        let status = answer.status().as_u16();
        last = answer.json().await.unwrap();
        if last["parts"][part]["state"] == state {
            assert_eq!(last["ready"], status == 200, "{last}");
            let metric = format!("firmquote_part_state{{part=\"{part}\",state=\"{state}\"}} 1");
            until_shown(client, serving, &[&metric, &format!("firmquote_ready {}", u8::from(status == 200))]).await;
            return (status, last["parts"][part].clone());
        }
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    panic!("{part} is not {state}: {last}");
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
    assert_eq!(until(&client, &serving, "store", "ready").await.0, 200);
    redis.kill();
    let (status, part) = until(&client, &serving, "store", "unready").await;
    assert_eq!((status, &part["reasons"]), (503, &json!(["the store call failed"])));
    let (_, part) = until(&client, &serving, "pauses", "unready").await;
    assert_eq!(part["reasons"], json!(["the pause state is unknown"]));
    let line = serving.wait_for("a part of the service is not ready");
    assert!(line.contains("part=\"store\" state=\"unready\""), "{line}");
    let head = client.head(format!("http://{}/readyz", serving.admin)).send().await.unwrap();
    assert_eq!((head.status().as_u16(), head.headers()["cache-control"].as_bytes()), (503, &b"no-store"[..]));
    assert!(head.bytes().await.unwrap().is_empty());
    redis.restart();
    until(&client, &serving, "store", "ready").await;
    assert_eq!(until(&client, &serving, "pauses", "ready").await.0, 200);
}

#[tokio::test]
async fn a_silent_source_makes_prices_unready_when_nothing_else_is_quotable() {
    let (listener, directory, client) = (TcpListener::bind("127.0.0.1:0").unwrap(), directory(), client());
    let config = config(&listener).replace("max_age_ms = 60000", "max_age_ms = 3000");
    let serving = Serving::start(configured(&directory, &["serve"], &config));
    let mut exchange = Exchange::accept(&listener);
    let (status, part) = until(&client, &serving, "prices", "unready").await;
    assert_eq!((status, &part["reasons"]), (503, &json!(["ETH: no update was received yet"])));
    assert_eq!(until(&client, &serving, "reserves", "ready").await.0, 503);
    exchange.tick("1999.9", "2000.1");
    assert_eq!(until(&client, &serving, "prices", "ready").await.0, 200);
    let (_, part) = until(&client, &serving, "prices", "unready").await;
    let reason = part["reasons"][0].as_str().unwrap();
    assert!(reason.starts_with("ETH: the last update is ") && reason.ends_with("3000 ms is allowed"), "{reason}");
    exchange.tick("2000.9", "2001.1");
    assert_eq!(until(&client, &serving, "prices", "ready").await.0, 200);
}

#[tokio::test]
async fn an_unreachable_node_leaves_reserves_unknown() {
    let (directory, client) = (directory(), client());
    let config = CONFIG.replacen("k = 0.06", "reserves = \"chain\"\nk = 0.06", 1);
    let serving = Serving::start(configured(&directory, &["serve"], &config));
    let (status, part) = until(&client, &serving, "reserves", "unready").await;
    assert_eq!(status, 503);
    let reason = part["reasons"][0].as_str().unwrap();
    assert!(reason.starts_with("ETH of pool 1:0x") && reason.ends_with("no reserves received yet"), "{reason}");
    assert!(!part.to_string().contains("hidden"), "{part}");
    assert_eq!(until(&client, &serving, "prices", "ready").await.0, 503);
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
    assert_eq!(until(&client, &serving, "key", "ready").await.0, 200);
    service.stop();
    let (status, part) = until(&client, &serving, "key", "degraded").await;
    let reason = format!("{}: the signer is unavailable", service.account());
    assert_eq!((status, &part["reasons"]), (200, &json!([reason])));
    service.start_again();
    assert_eq!(until(&client, &serving, "key", "ready").await.0, 200);
}

#[tokio::test]
async fn a_stopping_service_reports_it_while_still_responding() {
    let (directory, client) = (directory(), client());
    let mut command = configured(&directory, &["serve"], CONFIG);
    command.env("FIRMQUOTE__SERVER__DRAIN_SECONDS", "300");
    let serving = Serving::start(command);
    assert_eq!(until(&client, &serving, "stopping", "ready").await.0, 200);
    serving.signal("TERM");
    let (status, part) = until(&client, &serving, "stopping", "unready").await;
    assert_eq!((status, &part["reasons"]), (503, &json!(["the service is stopping"])));
}

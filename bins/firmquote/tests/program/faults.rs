//! Faults of price sources on the running service: no quote, a reason, and automatic recovery.

use std::{
    io::{Read as _, Write as _},
    net::TcpListener,
};

use reqwest::Client;
use serde_json::Value;
use tokio_tungstenite::tungstenite::Message;

use crate::{
    prices::{Exchange, config, until},
    program::{Serving, configured, directory},
};

struct World {
    listener: TcpListener,
    serving: Serving,
    client: Client,
    _directory: tempfile::TempDir,
}

impl World {
    fn start(more: impl Fn(String) -> String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let directory = directory();
        let serving = Serving::start(configured(&directory, &["serve"], &more(config(&listener))));
        Self { listener, serving, client: Client::builder().no_proxy().build().unwrap(), _directory: directory }
    }

    async fn until_quoted(&self, usd: f64) {
        until(&self.client, &self.serving, |status, body| status == 200 && body["input_value_in_usd"] == usd).await;
    }

    async fn until_refused(&self, reason: &str) {
        let is_refused = |status, body: &Value| {
            let message = body["errorMessage"].as_str().unwrap_or_default();
            status == 503 && message.starts_with("ETH is currently not quoted: ") && message.contains(reason)
        };
        until(&self.client, &self.serving, is_refused).await;
    }
}

/// An age limit that tests can wait for, and a connection that is closed soon after.
fn impatient(config: String) -> String {
    let config = config.replace("max_age_ms = 60000", "max_age_ms = 3000");
    config.replace("kind = \"binance\"", "kind = \"binance\"\nidle_timeout_ms = 5000")
}

#[tokio::test]
async fn invalid_prices_are_rejected_until_a_valid_one_arrives() {
    let world = World::start(|config| config);
    let mut exchange = Exchange::accept(&world.listener);
    exchange.tick("1999.9", "2000.1");
    world.until_quoted(2000.0).await;
    for (bid, ask) in [("0", "0"), ("-2000.1", "-1999.9"), ("NaN", "NaN"), ("1e300", "1e300"), ("inf", "inf"), ("", "")]
    {
        exchange.tick(bid, ask);
        world.until_refused("the last update is not a valid price").await;
        exchange.tick("1999.9", "2000.1");
        world.until_quoted(2000.0).await;
    }
}

#[tokio::test]
async fn a_silent_feed_goes_stale_and_a_silent_connection_is_replaced() {
    let world = World::start(impatient);
    let mut exchange = Exchange::accept(&world.listener);
    exchange.tick("1999.9", "2000.1");
    world.until_quoted(2000.0).await;
    world.until_refused(" ms old, at most 3000 ms is allowed").await;
    exchange.tick("2000.9", "2001.1");
    world.until_quoted(2001.0).await;
    // From here on the connection is open, and the peer is silent.
    let mut again = Exchange::accept(&world.listener);
    again.tick("2001.9", "2002.1");
    world.until_quoted(2002.0).await;
    drop(exchange);
}

#[tokio::test]
async fn garbage_closes_a_connection_and_the_next_one_is_used() {
    let world = World::start(impatient);
    for garbage in [Message::text("garbage"), Message::text("{\"stream\":\"ethusdc@bookTicker\",\"data\":[]}")] {
        let mut exchange = Exchange::accept(&world.listener);
        exchange.tick("1999.9", "2000.1");
        world.until_quoted(2000.0).await;
        exchange.say(garbage);
        world.until_refused(" ms old, at most 3000 ms is allowed").await;
    }
    let mut exchange = Exchange::accept(&world.listener);
    exchange.tick("2000.9", "2001.1");
    world.until_quoted(2001.0).await;
}

#[tokio::test]
async fn a_busy_server_is_retried_after_the_requested_delay() {
    let mut world = World::start(|config| config);
    let (mut refused, _) = world.listener.accept().unwrap();
    let mut head = [0; 4_096];
    assert!(refused.read(&mut head).unwrap() > 0);
    let answer = "HTTP/1.1 429 Too Many Requests\r\nretry-after: 2\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
    refused.write_all(answer.as_bytes()).unwrap();
    drop(refused);
    let message = world.serving.wait_for("a price source ended and is restarted");
    assert!(message.contains("rate limited for 2 s") && message.contains("pause_s=2"), "{message}");
    world.until_refused("no update was received yet").await;
    let mut exchange = Exchange::accept(&world.listener);
    exchange.tick("1999.9", "2000.1");
    world.until_quoted(2000.0).await;
}

#[tokio::test]
async fn a_source_with_a_fast_clock_is_untrusted_until_corrected() {
    let world = World::start(|config| {
        config.replace("kind = \"binance\"", "kind = \"coinbase\"").replace("ETHUSDC", "ETH-USD")
    });
    let mut exchange = Exchange::accept(&world.listener);
    let ticker = |time: jiff::Timestamp| {
        Message::text(
            serde_json::json!({
                "type": "ticker", "sequence": 1, "product_id": "ETH-USD", "price": "2000",
                "best_bid": "1999.9", "best_ask": "2000.1", "time": time.to_string(),
            })
            .to_string(),
        )
    };
    exchange.say(ticker(jiff::Timestamp::now() + jiff::SignedDuration::from_hours(1)));
    world.until_refused(" ms in the future").await;
    exchange.say(ticker(jiff::Timestamp::now()));
    world.until_quoted(2000.0).await;
}

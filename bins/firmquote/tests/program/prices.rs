//! Live prices: quotes of the service while an exchange played by the test is up, sends wrong prices, or is down.

use std::net::{TcpListener, TcpStream};

use reqwest::Client;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::{Message, WebSocket, accept};

use crate::program::{CONFIG, ONE_ETH, Serving, configured, directory, quote_request, run};

/// An exchange with one client, in the protocol of Binance.
pub(crate) struct Exchange(WebSocket<TcpStream>);

impl Exchange {
    /// Accepts a client.
    pub(crate) fn accept(listener: &TcpListener) -> Self {
        Self(accept(listener.accept().unwrap().0).unwrap())
    }

    pub(crate) fn tick(&mut self, bid: &str, ask: &str) {
        let data = json!({"u": 1, "s": "ETHUSDC", "b": bid, "B": "1", "a": ask, "A": "1"});
        self.say(Message::text(json!({"stream": "ethusdc@bookTicker", "data": data}).to_string()));
    }

    /// Sends this message, after answering the pings that have arrived.
    pub(crate) fn say(&mut self, message: Message) {
        self.0.get_ref().set_nonblocking(true).unwrap();
        while self.0.read().is_ok() {}
        self.0.get_ref().set_nonblocking(false).unwrap();
        self.0.send(message).unwrap();
    }
}

/// Returns the configuration with this exchange for ETH, and rules that delay no test.
pub(crate) fn config(listener: &TcpListener) -> String {
    let source = format!(
        "[[price_source]]\nkind = \"binance\"\nurl = \"ws://{}\"\n[[price_source.asset]]\nsymbol = \"ETH\"\nid = \"ETHUSDC\"\n",
        listener.local_addr().unwrap()
    );
    format!("{CONFIG}\n{source}[[price_rule]]\nsymbol = \"ETH\"\nmax_age_ms = 60000\nmax_jump_bps_per_second = 100\n")
}

pub(crate) async fn quote(client: &Client, serving: &Serving) -> (u16, Value) {
    let request = quote_request(ONE_ETH);
    let answer = client.post(format!("http://{}/rfq/quote", serving.public)).json(&request).send().await.unwrap();
    (answer.status().as_u16(), answer.json().await.unwrap())
}

/// Polls until `is_expected`; fails with the last response after more polls than any test needs.
#[expect(clippy::panic, reason = "a test fails by panicking")]
pub(crate) async fn until(client: &Client, serving: &Serving, is_expected: impl Fn(u16, &Value) -> bool) -> Value {
    let mut last = Value::Null;
    for _ in 0..2_000 {
        let (status, body) = quote(client, serving).await;
        if is_expected(status, &body) {
            return body;
        }
        last = body;
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    panic!("{last}");
}

#[tokio::test]
async fn a_live_price_is_used_while_within_its_rules_and_the_file_price_never() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let directory = directory();
    let mut serving = Serving::start(configured(&directory, &["serve"], &config(&listener)));
    let client = Client::builder().no_proxy().build().unwrap();
    let mut exchange = Exchange::accept(&listener);
    let (status, body) = quote(&client, &serving).await;
    assert_eq!((status, &body["errorType"]), (503, &json!("ExternalServiceError")));
    assert_eq!(body["errorMessage"], "ETH is currently not quoted: no update was received yet");
    let ready = client.get(format!("http://{}/readyz", serving.admin)).send().await.unwrap();
    assert_eq!(ready.status(), 503, "the one pair is not quoted");
    exchange.tick("1999.9", "2000.1");
    let body = until(&client, &serving, |status, _| status == 200).await;
    assert_eq!(body["input_value_in_usd"], 2000.0, "the middle, and not the file's");
    let refused = |reason: &'static str| {
        move |status, body: &Value| {
            status == 503 && body["errorMessage"].as_str().is_some_and(|message| message.contains(reason))
        }
    };
    exchange.tick("999.9", "1000.1");
    until(&client, &serving, refused("the price moved by 10000 bp, at most")).await;
    exchange.tick("0", "2000");
    until(&client, &serving, refused("the last update is not a valid price")).await;
    exchange.tick("1899.9", "2100.1");
    until(&client, &serving, refused("the confidence interval of the source is ±500.5 bp, at most ±50 bp is allowed"))
        .await;
    exchange.tick("1999.9", "2000.1");
    until(&client, &serving, |status, _| status == 200).await;
    drop(exchange);
    serving.wait_for("a price source ended and is restarted");
    let mut exchange = Exchange::accept(&listener);
    exchange.tick("2000.9", "2001.1");
    until(&client, &serving, |status, body| status == 200 && body["input_value_in_usd"] == 2001.0).await;
}

#[test]
fn invalid_source_settings_are_an_error_at_start() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let directory = directory();
    for command in ["check", "serve"] {
        let config = config(&listener).replace("ws://", "https://");
        // Without nodes, whose absence would be logged before.
        let config = config.replace("rpc_urls = [\"http://127.0.0.1:1/v3?key=hidden\"]\n", "");
        let ended = run(configured(&directory, &[command], &config));
        assert_eq!(ended.status.code(), Some(1), "{command}");
        let key = "price_source[0].url is a hidden value, allowed: ws:// or wss://, a host, ";
        assert!(ended.stderr.starts_with("error: firmquote.toml:"), "{command}: {}", ended.stderr);
        assert!(ended.stderr.contains(key), "{command}: {}", ended.stderr);
    }
}

#[test]
fn an_api_key_can_be_in_any_variable_and_is_not_shown() {
    let directory = directory();
    let source = "[[price_source]]\nkind = \"pyth\"\napi_key_env = \"FIRMQUOTE_HERMES__KEY\"\n\
                  [[price_source.asset]]\nsymbol = \"ETH\"\nid = \"0xff61491a931112ddf1bd8147cd1b641375f79f5825126d665480874634fd0ace\"\n";
    let config = format!("{CONFIG}\n{source}");
    for (key, is_usable) in [("secret-key", true), ("no text\nof a header", false)] {
        let mut command = configured(&directory, &["check"], &config);
        command.env("FIRMQUOTE_HERMES__KEY", key);
        let ended = run(command);
        assert_eq!(ended.status.success(), is_usable, "{}", ended.stderr);
        assert!(!ended.stdout.contains(key) && !ended.stderr.contains(key), "{}{}", ended.stdout, ended.stderr);
    }
}

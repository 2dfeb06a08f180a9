//! Price updates from the messages of OKX.

use firmquote_market::{PriceSource as _, exchange::Exchange};
use serde_json::json;
use tokio_tungstenite::tungstenite::Message;

use crate::{
    exchange::setup::{RECORDED_AT, config, okx_ticker, source},
    server::TestServer,
    source_run::SourceRun,
};

/// The time of the recorded ticker, which has milliseconds.
const TICKER_AT: u64 = RECORDED_AT / 1_000 * 1_000;

#[tokio::test]
async fn tickers_of_each_product_are_requested_and_have_their_own_time() {
    let server = TestServer::start().await;
    let source = source(config(Exchange::Okx, server.address()));
    let mut run = SourceRun::start(&source);
    let mut client = server.client().await;
    assert_eq!(client.target, "/ws/v5/public");
    for (position, product) in ["BTC-USDT", "ETH-USDT"].into_iter().enumerate() {
        let args = json!([{"channel": "tickers", "instId": product}]);
        assert_eq!(client.request().await, json!({"id": position.to_string(), "op": "subscribe", "args": args}));
    }
    client.send_text(&okx_ticker("ETH-USDT", "2080.52", "2080.53")).await;
    let eth = Ok(("2080.525".to_owned(), 500_000, TICKER_AT));
    assert_eq!(run.next().await, ("ETH".to_owned(), eth.clone()));
    assert_eq!(run.next().await, ("WETH".to_owned(), eth));
    client.send_text(&okx_ticker("BTC-USDT", "", "70691.28")).await;
    assert!(run.next().await.1.is_err(), "nobody buys");
    assert_eq!(source.name(), "okx 127.0.0.1");
}

#[tokio::test]
async fn the_connection_is_kept_alive_by_texts() {
    let server = TestServer::start().await;
    let mut run = SourceRun::start(&source(config(Exchange::Okx, server.address())));
    let mut client = server.client().await;
    loop {
        match client.next().await.expect("connected") {
            Message::Text(text) if text == "ping" => break,
            Message::Text(_) => {}
            other => panic!("{other:?}"),
        }
    }
    client.send_text("pong").await;
    client.send_text(&okx_ticker("BTC-USDT", "70691.27", "70691.28")).await;
    assert_eq!(run.next().await, ("BTC".to_owned(), Ok(("70691.275".to_owned(), 500_000, TICKER_AT))));
    let notice = r#"{"event":"notice","code":"64008","msg":"The connection will soon be closed for a service upgrade. Please reconnect.","connId":"a4d3ae55"}"#;
    client.send_text(notice).await;
    assert!(run.disconnected().await.starts_with("64008: The connection will soon be closed"));
}

#[tokio::test]
async fn a_refused_product_does_not_affect_the_others() {
    let server = TestServer::start().await;
    let mut run = SourceRun::start(&source(config(Exchange::Okx, server.address())));
    let mut client = server.client().await;
    let refusal = |id: &str, product: &str| {
        let message = format!("Wrong URL or channel:tickers,instId:{product} doesn't exist.");
        json!({"id": id, "event": "error", "code": "60018", "msg": message, "connId": "a4d3ae55"}).to_string()
    };
    client.send_text(&refusal("1", "ETH-USDT")).await;
    let reason = "60018: Wrong URL or channel:tickers,instId:ETH-USDT doesn't exist.";
    assert_eq!(run.fault().await, (Some("ETH-USDT".to_owned()), reason.to_owned()));
    client.send_text(&okx_ticker("BTC-USDT", "70691.27", "70691.28")).await;
    assert_eq!(run.next().await.0, "BTC");
    client.send_text(&refusal("0", "BTC-USDT")).await;
    assert!(run.protocol_error().await.contains("BTC-USDT"), "none is left");
}

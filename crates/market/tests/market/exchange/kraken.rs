//! Price updates from the messages of Kraken.

use firmquote_market::{PriceSource as _, exchange::Exchange};
use serde_json::json;

use crate::{
    exchange::setup::{RECORDED_AT, config, kraken_ticker, source},
    server::TestServer,
    source_run::SourceRun,
};

#[tokio::test]
async fn tickers_of_each_product_are_requested_and_read_from_their_digits() {
    let server = TestServer::start().await;
    let source = source(config(Exchange::Kraken, server.address()));
    let mut run = SourceRun::start(&source);
    let mut client = server.client().await;
    assert_eq!(client.target, "/v2");
    for (position, product) in ["BTC/USD", "ETH/USD"].into_iter().enumerate() {
        let params = json!({"channel": "ticker", "symbol": [product], "event_trigger": "bbo"});
        assert_eq!(client.request().await, json!({"method": "subscribe", "params": params, "req_id": position}));
    }
    client.send_text(r#"{"channel":"heartbeat"}"#).await;
    client.send_text(&kraken_ticker("ETH/USD", "2080.52", "2080.53")).await;
    let eth = Ok(("2080.525".to_owned(), 500_000, RECORDED_AT));
    assert_eq!(run.next().await, ("ETH".to_owned(), eth.clone()));
    assert_eq!(run.next().await, ("WETH".to_owned(), eth));
    client.send_text(&kraken_ticker("BTC/USD", "70691.27", "70691.28")).await;
    assert_eq!(run.next().await, ("BTC".to_owned(), Ok(("70691.275".to_owned(), 500_000, RECORDED_AT))));
    client.send_text(&kraken_ticker("BTC/USD", "7e4", "70691.28")).await;
    assert!(run.next().await.1.is_err(), "no plain decimal");
    assert_eq!(source.name(), "kraken 127.0.0.1");
}

#[tokio::test]
async fn a_refused_product_does_not_affect_the_others() {
    let server = TestServer::start().await;
    let mut run = SourceRun::start(&source(config(Exchange::Kraken, server.address())));
    let mut client = server.client().await;
    let refusal = |position, product| {
        json!({"error": format!("Currency pair not supported {product}"), "method": "subscribe", "req_id": position,
            "success": false, "symbol": product})
        .to_string()
    };
    client.send_text(&refusal(1, "ETH/USD")).await;
    let reason = "Currency pair not supported ETH/USD";
    assert_eq!(run.fault().await, (Some("ETH/USD".to_owned()), reason.to_owned()));
    client.send_text(&kraken_ticker("BTC/USD", "70691.27", "70691.28")).await;
    assert_eq!(run.next().await.0, "BTC");
    client.send_text(&refusal(0, "BTC/USD")).await;
    assert_eq!(run.protocol_error().await, "Currency pair not supported BTC/USD", "none is left");
}

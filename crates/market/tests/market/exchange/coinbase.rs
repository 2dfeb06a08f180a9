//! Price updates from the messages of Coinbase.

use firmquote_market::{
    PriceSource as _,
    exchange::{Exchange, ExchangeConfig},
};
use serde_json::{Value, json};
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;

use crate::{
    exchange::setup::{RECORDED_AT, config, source, ticker},
    server::TestServer,
    source_run::{SHORT_TIMEOUT, SourceRun},
};

#[tokio::test]
async fn tickers_are_subscribed_to_and_reported_with_their_own_time() {
    let server = TestServer::start().await;
    let source = source(config(Exchange::Coinbase, server.address()));
    let mut run = SourceRun::start(&source);
    let mut client = server.client().await;
    for product in ["BTC-USD", "ETH-USD"] {
        assert_eq!(
            client.request().await,
            json!({"type": "subscribe", "product_ids": [product], "channels": ["ticker"]})
        );
    }
    client
        .send_text(r#"{"type":"subscriptions","channels":[{"name":"ticker","product_ids":["BTC-USD","ETH-USD"]}]}"#)
        .await;
    client
        .send_text(r#"{"type":"heartbeat","sequence":90,"last_trade_id":20,"product_id":"BTC-USD","time":"2014-11-07T08:19:28.464459Z"}"#)
        .await;
    client.send_text(&ticker("ETH-USD", "2080.52", "2080.53")).await;
    let eth = Ok(("2080.525".to_owned(), 500_000, RECORDED_AT));
    assert_eq!(run.next().await, ("ETH".to_owned(), eth.clone()));
    assert_eq!(run.next().await, ("WETH".to_owned(), eth));
    client.send_text(&ticker("SOL-USD", "1", "2")).await;
    client.send_text(&ticker("BTC-USD", "70691.27", "70691.28")).await;
    assert_eq!(run.next().await, ("BTC".to_owned(), Ok(("70691.275".to_owned(), 500_000, RECORDED_AT))));
    assert_eq!(source.name(), "coinbase 127.0.0.1");
}

#[tokio::test]
async fn a_refused_product_does_not_affect_the_others() {
    let server = TestServer::start().await;
    let mut run = SourceRun::start(&source(config(Exchange::Coinbase, server.address())));
    let mut client = server.client().await;
    let refusal = |product| {
        json!({"type": "error", "message": "Failed to subscribe", "reason": format!("{product} is not a valid product")})
            .to_string()
    };
    client.send_text(&refusal("ETH-USD")).await;
    let reason = "Failed to subscribe: ETH-USD is not a valid product";
    assert_eq!(run.fault().await, (Some("ETH-USD".to_owned()), reason.to_owned()));
    client.send_text(&ticker("BTC-USD", "70691.27", "70691.28")).await;
    assert_eq!(run.next().await.0, "BTC");
    client.send_text(&refusal("BTC-USD")).await;
    assert_eq!(run.protocol_error().await, "Failed to subscribe: BTC-USD is not a valid product", "none is left");

    let run = SourceRun::start(&source(config(Exchange::Coinbase, server.address())));
    let limited = r#"{"type":"error","message":"Failed to subscribe","reason":"rate limit exceeded"}"#;
    let mut client = server.client().await;
    client.send_text(limited).await;
    assert_eq!(run.protocol_error().await, "Failed to subscribe: rate limit exceeded");
}

#[tokio::test]
async fn a_silent_product_is_subscribed_to_again() {
    let server = TestServer::start().await;
    let config = ExchangeConfig { idle_timeout: SHORT_TIMEOUT, ..config(Exchange::Coinbase, server.address()) };
    let mut run = SourceRun::start(&source(config));
    let mut client = server.client().await;
    for _ in 0..2 {
        client.request().await;
    }
    let talk = async {
        loop {
            client.send_text(&ticker("BTC-USD", "70691.27", "70691.28")).await;
            if let Ok(Some(Message::Text(text))) = timeout(SHORT_TIMEOUT / 10, client.next()).await {
                break serde_json::from_str::<Value>(&text).expect("JSON");
            }
        }
    };
    let request_of = |kind| json!({"type": kind, "product_ids": ["ETH-USD"], "channels": ["ticker"]});
    assert_eq!(talk.await, request_of("unsubscribe"));
    assert_eq!(client.request().await, request_of("subscribe"));
    let fault = (Some("ETH-USD".to_owned()), "no ticker for 1 s, requested again".to_owned());
    assert_eq!(run.fault().await, fault);
    client.send_text(&ticker("ETH-USD", "2080.52", "2080.53")).await;
    while run.next().await.0 != "ETH" {}
}

#[tokio::test]
async fn future_times_are_reported_unchanged_and_missing_times_have_no_price() {
    let server = TestServer::start().await;
    let mut run = SourceRun::start(&source(config(Exchange::Coinbase, server.address())));
    let mut client = server.client().await;
    let recorded = ticker("BTC-USD", "70691.27", "70691.28");
    client.send_text(&recorded.replace("2026-03-11T16:54:02.163093Z", "2999-12-31T23:59:59.5Z")).await;
    assert_eq!(run.next().await.1.map(|(_, _, at)| at), Ok(32_503_679_999_500_000));
    for time in ["", "soon", "1773248042", "1969-12-31T23:59:59Z", "99999-01-01T00:00:00Z"] {
        client.send_text(&recorded.replace("2026-03-11T16:54:02.163093Z", time)).await;
        let update = run.next().await.1;
        assert!(update.is_err(), "{time}: {update:?}");
    }
    client.send_text(r#"{"type":"ticker","product_id":"BTC-USD","best_bid":"1","best_ask":"1"}"#).await;
    assert!(run.next().await.1.is_err(), "no time");
    client.send_text(r#"{"type":"ticker","product_id":"BTC-USD","time":"2026-03-11T16:54:02.163093Z"}"#).await;
    assert!(run.next().await.1.is_err(), "nothing to buy or sell");
}

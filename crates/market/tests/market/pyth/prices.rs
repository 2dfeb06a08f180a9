//! Price updates from the messages of Hermes.

use firmquote_domain::InvalidValue;
use firmquote_market::PriceSource as _;
use serde_json::json;

use crate::{
    pyth::hermes::{BTC, ETH, RECORDED_AT, config, feed_with, recorded_feed, source, update},
    server::TestServer,
    source_run::SourceRun,
};

const AT: u64 = RECORDED_AT * 1_000_000;

fn price_update(symbol: &str, price: &str) -> (String, Result<(String, u64, u64), InvalidValue>) {
    (symbol.to_owned(), Ok((price.to_owned(), 87_908_136, AT)))
}

#[tokio::test]
async fn prices_are_reported_for_all_assets_of_their_feed_on_arrival() {
    let server = TestServer::start().await;
    let source = source(config(server.address()));
    let mut run = SourceRun::start(&source);
    let mut stream = server.stream().await;
    // Each feed once, in order.
    let request_line = format!(
        "GET /v2/updates/price/stream?ids[]=0x{BTC}&ids[]=0x{ETH}&parsed=true&encoding=hex&ignore_invalid_price_ids=true "
    );
    assert!(stream.head.starts_with(&request_line), "{}", stream.head);
    assert!(stream.head.contains("accept: text/event-stream\r\n"), "{}", stream.head);
    assert!(!stream.head.contains("authorization"), "{}", stream.head);
    let (eth, btc) = (recorded_feed(ETH, "195656091864"), recorded_feed(BTC, "6488617685106"));
    stream.send_update(&[eth.clone(), btc]).await;
    assert_eq!(run.next().await, price_update("ETH", "1956.56091864"));
    assert_eq!(run.next().await, price_update("WETH", "1956.56091864"));
    assert_eq!(run.next().await, price_update("BTC", "64886.17685106"));
    let unknown_feed = recorded_feed(&"11".repeat(32), "1");
    stream.send_update(&[unknown_feed, recorded_feed(BTC, "6488617685107")]).await;
    assert_eq!(run.next().await, price_update("BTC", "64886.17685107"));
    assert_eq!(source.name(), "pyth 127.0.0.1");
}

#[tokio::test]
async fn events_may_be_split_combined_and_mixed_with_comments() {
    let server = TestServer::start().await;
    let mut run = SourceRun::start(&source(config(server.address())));
    let mut stream = server.stream().await;
    let first = format!("data: {}\r\n\r\n", update(&[recorded_feed(BTC, "100000000")]));
    for piece in first.as_bytes().chunks(7) {
        stream.send_chunk(std::str::from_utf8(piece).expect("text")).await;
    }
    assert_eq!(run.next().await, price_update("BTC", "1"));
    let more = [200_000_000, 300_000_000].map(|price: u64| {
        let event = update(&[recorded_feed(BTC, &price.to_string())]);
        format!(":\n\n:No update available\n\nretry: 10\nid: 7\ndata: {event}\n\nevent: news\ndata: garbage\n\n")
    });
    stream.send_chunk(&more.concat()).await;
    assert_eq!(run.next().await, price_update("BTC", "2"));
    assert_eq!(run.next().await, price_update("BTC", "3"));
}

#[tokio::test]
async fn future_times_are_reported_unchanged() {
    let server = TestServer::start().await;
    let mut run = SourceRun::start(&source(config(server.address())));
    let mut stream = server.stream().await;
    stream.send_update(&[feed_with(BTC, "publish_time", json!(99_999_999_999_u64))]).await;
    let (_, price_update) = run.next().await;
    assert_eq!(price_update.map(|(_, _, at)| at), Ok(99_999_999_999_000_000));
}

#[tokio::test]
async fn an_invalid_value_has_no_price_and_does_not_affect_other_feeds() {
    let server = TestServer::start().await;
    let mut run = SourceRun::start(&source(config(server.address())));
    let mut stream = server.stream().await;
    let bad = [
        ("price", json!("0")),
        ("price", json!("-195656091864")),
        ("price", json!("NaN")),
        ("price", json!("1e300")),
        ("price", json!(1956.56)),
        ("price", json!(null)),
        ("conf", json!("NaN")),
        ("conf", json!("-1")),
        ("expo", json!(2_000_000_000)),
        ("expo", json!(i32::MIN)),
        ("expo", json!(300)),
        ("expo", json!("-8")),
        ("publish_time", json!(-1)),
        ("publish_time", json!(u64::MAX)),
        ("publish_time", json!("now")),
    ];
    for (name, value) in bad {
        let price = feed_with(BTC, name, value.clone());
        stream.send_update(&[price, recorded_feed(ETH, "195656091864")]).await;
        let (symbol, update) = run.next().await;
        assert!(symbol == "BTC" && update.is_err(), "{name} {value}: {update:?}");
        assert_eq!(run.next().await, price_update("ETH", "1956.56091864"));
        assert_eq!(run.next().await, price_update("WETH", "1956.56091864"));
    }
    stream.send_update(&[feed_with(BTC, "conf", json!("18446744073709551615"))]).await;
    let (_, update) = run.next().await;
    assert_eq!(update.map(|(_, confidence_steps, _)| confidence_steps), Ok(u64::MAX));
}

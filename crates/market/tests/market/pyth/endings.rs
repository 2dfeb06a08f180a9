//! How a stream ends, and that the next run begins another.

use std::time::Duration;

use firmquote_market::pyth::PythConfig;
use serde_json::json;

use crate::{
    listener::Run,
    pyth::{
        hermes::{BTC, ETH, Hermes, feed as recorded, feed_with, update},
        setup::{SOON, feed, source},
    },
};

fn impatient(feed: PythConfig) -> PythConfig {
    PythConfig { idle_timeout: SOON, ..feed }
}

#[tokio::test]
async fn a_silent_stream_is_closed() {
    let hermes = Hermes::start().await;
    let mut run = Run::start(&source(impatient(feed(hermes.address()))));
    let mut stream = hermes.stream().await;
    stream.update(&[recorded(BTC, "1000")]).await;
    run.next().await.1.expect("a price");
    assert_eq!(run.gone().await, "no price in time");
    stream.wait_for_end().await;
}

#[tokio::test]
async fn a_stream_with_only_comments_is_silent() {
    let hermes = Hermes::start().await;
    let run = Run::start(&source(impatient(feed(hermes.address()))));
    let mut stream = hermes.stream().await;
    let breath = tokio::spawn(async move {
        let of_nobody = update(&[recorded(&"11".repeat(32), "1")]);
        loop {
            stream.chunk(&format!(":\n\ndata:{of_nobody}\n\n")).await;
            tokio::task::yield_now().await;
        }
    });
    assert_eq!(run.gone().await, "no price in time");
    breath.abort();
}

#[tokio::test]
async fn a_server_that_accepts_but_never_responds_times_out() {
    let hermes = Hermes::start().await;
    let run = Run::start(&source(PythConfig { connect_timeout: SOON, ..feed(hermes.address()) }));
    let _connection = hermes.connection().await;
    assert_eq!(run.gone().await, "no response in time");
}

#[tokio::test]
async fn a_stream_closes_at_its_maximum_lifetime() {
    let hermes = Hermes::start().await;
    let run = Run::start(&source(PythConfig { lifetime: SOON, ..feed(hermes.address()) }));
    let mut stream = hermes.stream().await;
    let talk = tokio::spawn(async move {
        loop {
            stream.update(&[recorded(BTC, "1000")]).await;
            tokio::task::yield_now().await;
        }
    });
    assert_eq!(run.last_gone().await, "the stream has reached its lifetime");
    talk.abort();
}

#[tokio::test]
async fn dropping_a_run_closes_its_connection() {
    let hermes = Hermes::start().await;
    let run = Run::start(&source(feed(hermes.address())));
    let stream = hermes.stream().await;
    run.abort();
    stream.wait_for_end().await;
}

#[tokio::test]
async fn the_end_of_the_stream_is_reported() {
    let hermes = Hermes::start().await;
    let source = source(feed(hermes.address()));
    let run = Run::start(&source);
    hermes.stream().await.chunk("event: error\ndata: Connection timeout reached (24h)\n\n").await;
    assert_eq!(run.gone().await, "the server reported: Connection timeout reached (24h)");
    let run = Run::start(&source);
    hermes.stream().await.raw("0\r\n\r\n").await;
    assert_eq!(run.gone().await, "the stream ended");
    let run = Run::start(&source);
    drop(hermes.stream().await);
    assert!(!run.gone().await.is_empty());
}

#[tokio::test]
async fn a_truncated_event_is_ignored() {
    let hermes = Hermes::start().await;
    let run = Run::start(&source(feed(hermes.address())));
    let mut stream = hermes.stream().await;
    stream.chunk(&format!("data:{}\n", update(&[recorded(BTC, "1000")]))).await;
    stream.raw("0\r\n\r\n").await;
    assert_eq!(run.gone().await, "the stream ended");
}

#[tokio::test]
async fn the_next_run_follows_a_recovered_server() {
    let hermes = Hermes::start().await;
    let address = hermes.address();
    let source = source(feed(address));
    let run = Run::start(&source);
    let stream = hermes.stream().await;
    drop((hermes, stream));
    run.gone().await;
    let refused = Run::start(&source).gone().await;
    assert!(refused.contains("refused"), "{refused}");
    let hermes = Hermes::start_at(address).await;
    let mut run = Run::start(&source);
    hermes.stream().await.update(&[recorded(BTC, "100000000")]).await;
    assert_eq!(run.next().await.1.map(|(price, _, _)| price), Ok("1".to_owned()));
}

#[tokio::test]
async fn invalid_price_events_violate_the_protocol() {
    let hermes = Hermes::start().await;
    let source = source(feed(hermes.address()));
    let lacking = {
        let mut lacking = feed_with(BTC, "price", json!("1"));
        lacking["price"].as_object_mut().expect("an object").remove("expo");
        update(&[recorded(ETH, "195656091864"), lacking])
    };
    for (data, reason) in [
        ("garbage", "expected value"),
        ("{}", "missing field `parsed`"),
        (r#"{"parsed":[{"id":"12","price":{}}]}"#, "missing field `price`"),
        (lacking.as_str(), "missing field `expo`"),
        ("\u{0}\u{fffd}", "expected value"),
    ] {
        let run = Run::start(&source);
        hermes.stream().await.event(data).await;
        let error_text = run.against_protocol().await;
        assert!(error_text.contains(reason), "{data}: {error_text}");
    }
}

#[tokio::test]
async fn an_endless_event_is_abandoned() {
    let hermes = Hermes::start().await;
    let source = source(feed(hermes.address()));
    for part in ["x".repeat(1 << 16), "data:\n".repeat(1 << 13)] {
        let run = Run::start(&source);
        let mut stream = hermes.stream().await;
        let flood = tokio::spawn(async move {
            stream.chunk("data:").await;
            loop {
                stream.chunk(&part).await;
                tokio::task::yield_now().await;
            }
        });
        assert_eq!(run.against_protocol().await, "an event of more than 1 MiB");
        flood.abort();
    }
}

#[tokio::test]
async fn a_long_event_within_the_limit_is_received() {
    let hermes = Hermes::start().await;
    let mut run = Run::start(&source(PythConfig { idle_timeout: Duration::from_secs(60), ..feed(hermes.address()) }));
    let mut long = recorded(BTC, "100000000");
    long["metadata"] = json!("x".repeat(1_000_000));
    hermes.stream().await.update(&[long]).await;
    assert_eq!(run.next().await.1.map(|(price, _, _)| price), Ok("1".to_owned()));
}

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
async fn a_silent_stream_ends() {
    let hermes = Hermes::start().await;
    let mut run = Run::start(&source(impatient(feed(hermes.address()))));
    let mut stream = hermes.stream().await;
    stream.update(&[recorded(BTC, "1000")]).await;
    run.next().await.1.expect("a price");
    assert_eq!(run.gone().await, "no price in time");
    stream.wait_for_end().await;
}

#[tokio::test]
async fn a_stream_that_only_breathes_is_silent() {
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
async fn a_server_that_takes_the_connection_and_says_nothing_is_given_up() {
    let hermes = Hermes::start().await;
    let run = Run::start(&source(PythConfig { connect_timeout: SOON, ..feed(hermes.address()) }));
    let _connection = hermes.connection().await;
    assert_eq!(run.gone().await, "no response in time");
}

#[tokio::test]
async fn a_stream_that_has_reached_its_lifetime_ends_in_the_midst_of_prices() {
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
async fn a_dropped_run_ends_its_connection() {
    let hermes = Hermes::start().await;
    let run = Run::start(&source(feed(hermes.address())));
    let stream = hermes.stream().await;
    run.abort();
    stream.wait_for_end().await;
}

#[tokio::test]
async fn the_servers_own_end_is_reported() {
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
async fn an_event_that_is_cut_off_tells_nothing() {
    let hermes = Hermes::start().await;
    let run = Run::start(&source(feed(hermes.address())));
    let mut stream = hermes.stream().await;
    stream.chunk(&format!("data:{}\n", update(&[recorded(BTC, "1000")]))).await;
    stream.raw("0\r\n\r\n").await;
    assert_eq!(run.gone().await, "the stream ended");
}

#[tokio::test]
async fn a_server_that_comes_back_is_followed_by_the_next_run() {
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
async fn what_is_no_event_of_prices_is_against_the_protocol() {
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
async fn an_event_without_an_end_is_not_read_on() {
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
async fn a_long_event_within_the_bound_is_received() {
    let hermes = Hermes::start().await;
    let mut run = Run::start(&source(PythConfig { idle_timeout: Duration::from_secs(60), ..feed(hermes.address()) }));
    let mut long = recorded(BTC, "100000000");
    long["metadata"] = json!("x".repeat(1_000_000));
    hermes.stream().await.update(&[long]).await;
    assert_eq!(run.next().await.1.map(|(price, _, _)| price), Ok("1".to_owned()));
}

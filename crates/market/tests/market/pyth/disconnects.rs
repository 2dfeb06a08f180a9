//! Streams that end, and the next run that starts another.

use std::time::Duration;

use firmquote_market::pyth::PythConfig;
use serde_json::json;

use crate::{
    pyth::hermes::{BTC, ETH, config, feed_with, recorded_feed, source, update},
    server::TestServer,
    source_run::{SHORT_TIMEOUT, SourceRun},
};

fn with_short_idle_timeout(config: PythConfig) -> PythConfig {
    PythConfig { idle_timeout: SHORT_TIMEOUT, ..config }
}

#[tokio::test]
async fn a_silent_stream_is_closed() {
    let server = TestServer::start().await;
    let mut run = SourceRun::start(&source(with_short_idle_timeout(config(server.address()))));
    let mut stream = server.stream().await;
    stream.send_update(&[recorded_feed(BTC, "1000")]).await;
    run.next().await.1.expect("a price");
    assert_eq!(run.disconnected().await, "no price in time");
    stream.wait_for_end().await;
}

#[tokio::test]
async fn a_stream_with_only_comments_is_silent() {
    let server = TestServer::start().await;
    let run = SourceRun::start(&source(with_short_idle_timeout(config(server.address()))));
    let mut stream = server.stream().await;
    let sender = tokio::spawn(async move {
        let unknown_feed = update(&[recorded_feed(&"11".repeat(32), "1")]);
        loop {
            stream.send_chunk(&format!(":\n\ndata:{unknown_feed}\n\n")).await;
            tokio::task::yield_now().await;
        }
    });
    assert_eq!(run.disconnected().await, "no price in time");
    sender.abort();
}

#[tokio::test]
async fn a_server_that_accepts_but_never_responds_times_out() {
    let server = TestServer::start().await;
    let run = SourceRun::start(&source(PythConfig { connect_timeout: SHORT_TIMEOUT, ..config(server.address()) }));
    let _connection = server.connection().await;
    assert_eq!(run.disconnected().await, "no response in time");
}

#[tokio::test]
async fn a_stream_closes_at_its_maximum_lifetime() {
    let server = TestServer::start().await;
    let run = SourceRun::start(&source(PythConfig { lifetime: SHORT_TIMEOUT, ..config(server.address()) }));
    let mut stream = server.stream().await;
    let sender = tokio::spawn(async move {
        loop {
            stream.send_update(&[recorded_feed(BTC, "1000")]).await;
            tokio::task::yield_now().await;
        }
    });
    assert_eq!(run.disconnected_after_prices().await, "the stream has reached its lifetime");
    sender.abort();
}

#[tokio::test]
async fn dropping_a_run_closes_its_connection() {
    let server = TestServer::start().await;
    let run = SourceRun::start(&source(config(server.address())));
    let stream = server.stream().await;
    run.abort();
    stream.wait_for_end().await;
}

#[tokio::test]
async fn the_end_of_the_stream_is_reported() {
    let server = TestServer::start().await;
    let source = source(config(server.address()));
    let run = SourceRun::start(&source);
    server.stream().await.send_chunk("event: error\ndata: Connection timeout reached (24h)\n\n").await;
    assert_eq!(run.disconnected().await, "the server reported: Connection timeout reached (24h)");
    let run = SourceRun::start(&source);
    server.stream().await.send_raw("0\r\n\r\n").await;
    assert_eq!(run.disconnected().await, "the stream ended");
    let run = SourceRun::start(&source);
    drop(server.stream().await);
    assert!(!run.disconnected().await.is_empty());
}

#[tokio::test]
async fn a_truncated_event_is_ignored() {
    let server = TestServer::start().await;
    let run = SourceRun::start(&source(config(server.address())));
    let mut stream = server.stream().await;
    stream.send_chunk(&format!("data:{}\n", update(&[recorded_feed(BTC, "1000")]))).await;
    stream.send_raw("0\r\n\r\n").await;
    assert_eq!(run.disconnected().await, "the stream ended");
}

#[tokio::test]
async fn the_next_run_follows_a_recovered_server() {
    let server = TestServer::start().await;
    let address = server.address();
    let source = source(config(address));
    let run = SourceRun::start(&source);
    let stream = server.stream().await;
    drop((server, stream));
    run.disconnected().await;
    let error = SourceRun::start(&source).disconnected().await;
    assert!(error.contains("refused"), "{error}");
    let server = TestServer::start_at(address).await;
    let mut run = SourceRun::start(&source);
    server.stream().await.send_update(&[recorded_feed(BTC, "100000000")]).await;
    assert_eq!(run.next().await.1.map(|(price, _, _)| price), Ok("1".to_owned()));
}

#[tokio::test]
async fn invalid_price_events_are_reported_and_skipped() {
    let server = TestServer::start().await;
    let mut run = SourceRun::start(&source(config(server.address())));
    let mut stream = server.stream().await;
    let without_exponent = {
        let mut feed = feed_with(ETH, "price", json!("1"));
        feed["price"].as_object_mut().expect("an object").remove("expo");
        update(&[feed, recorded_feed(BTC, "1000")])
    };
    for (data, reason) in [
        ("garbage", "expected value"),
        ("{}", "missing field `parsed`"),
        (r#"{"parsed":[{"id":"12","price":{}}]}"#, "missing field `price`"),
        ("\u{0}\u{fffd}", "expected value"),
        (without_exponent.as_str(), "missing field `expo`"),
    ] {
        stream.send_event(data).await;
        let (feed, fault) = run.fault().await;
        assert!(feed.is_none() && fault.contains(reason), "{data}: {fault}");
    }
    let (symbol, price) = run.next().await;
    assert!(symbol == "BTC" && price.is_ok(), "the neighbor of the invalid feed: {symbol} {price:?}");
}

#[tokio::test]
async fn a_silent_feed_opens_the_stream_anew_without_losing_the_others() {
    let server = TestServer::start().await;
    let mut run = SourceRun::start(&source(with_short_idle_timeout(config(server.address()))));
    let mut stream = server.stream().await;
    let mut talk = tokio::spawn(async move {
        loop {
            stream.send_update(&[recorded_feed(BTC, "1000")]).await;
            tokio::time::sleep(SHORT_TIMEOUT / 10).await;
        }
    });
    let mut renewed = tokio::select! {
        renewed = server.stream() => renewed,
        _ = &mut talk => unreachable!("it talks on"),
    };
    talk.abort();
    let fault = "no price for 1 s, the stream is opened anew";
    assert_eq!(run.fault().await, (Some(format!("0x{ETH}")), fault.to_owned()));
    renewed.send_update(&[recorded_feed(ETH, "1000")]).await;
    while run.next().await.0 != "ETH" {}
}

#[tokio::test]
async fn an_endless_event_is_abandoned() {
    let server = TestServer::start().await;
    let source = source(config(server.address()));
    for chunk in ["x".repeat(1 << 16), "data:\n".repeat(1 << 13)] {
        let run = SourceRun::start(&source);
        let mut stream = server.stream().await;
        let sender = tokio::spawn(async move {
            stream.send_chunk("data:").await;
            loop {
                stream.send_chunk(&chunk).await;
                tokio::task::yield_now().await;
            }
        });
        assert_eq!(run.protocol_error().await, "an event of more than 1 MiB");
        sender.abort();
    }
}

#[tokio::test]
async fn a_long_event_within_the_limit_is_received() {
    let server = TestServer::start().await;
    let mut run =
        SourceRun::start(&source(PythConfig { idle_timeout: Duration::from_secs(60), ..config(server.address()) }));
    let mut long = recorded_feed(BTC, "100000000");
    long["metadata"] = json!("x".repeat(1_000_000));
    server.stream().await.send_update(&[long]).await;
    assert_eq!(run.next().await.1.map(|(price, _, _)| price), Ok("1".to_owned()));
}

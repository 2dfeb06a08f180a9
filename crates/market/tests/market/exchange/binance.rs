//! Price updates from the messages of Binance.

use std::sync::Arc;

use firmquote_domain::{ManualClock, Timestamp};
use firmquote_market::{PriceSource as _, exchange::Exchange};
use tokio_tungstenite::tungstenite::Message;

use crate::{
    exchange::{
        fake_exchange::Client,
        setup::{NOW, book_ticker, config, source, source_at},
    },
    server::TestServer,
    source_run::SourceRun,
};

#[tokio::test]
async fn tickers_are_subscribed_in_the_url_and_timed_on_receipt() {
    let server = TestServer::start().await;
    let source = source(config(Exchange::Binance, server.address()));
    let mut run = SourceRun::start(&source);
    let mut client = server.client().await;
    assert_eq!(client.target, "/stream?streams=btcusdt@bookTicker/ethusdt@bookTicker");
    client.send_text(&book_ticker("ETHUSDT", "2080.52000000", "2080.53000000")).await;
    let eth = Ok(("2080.525".to_owned(), 500_000, NOW));
    assert_eq!(run.next().await, ("ETH".to_owned(), eth.clone()));
    assert_eq!(run.next().await, ("WETH".to_owned(), eth));
    client.send_text(&book_ticker("SOLUSDT", "1", "2")).await;
    client.send_text(&book_ticker("BTCUSDT", "70691.27000000", "70691.28000000")).await;
    assert_eq!(run.next().await, ("BTC".to_owned(), Ok(("70691.275".to_owned(), 500_000, NOW))));
    assert_eq!(source.name(), "binance 127.0.0.1");
}

#[tokio::test]
async fn tickers_of_a_connection_that_stalled_are_as_old_as_they_may_be() {
    const LATER: u64 = NOW + 5_000_000;
    let server = TestServer::start().await;
    let clock = Arc::new(ManualClock::at(Timestamp::from_micros(NOW)));
    let mut run = SourceRun::start(&source_at(config(Exchange::Binance, server.address()), Arc::clone(&clock)));
    let mut client = server.client().await;
    let mut update_time = async |client: &mut Client<_>, price: &str| {
        client.send_text(&book_ticker("BTCUSDT", price, price)).await;
        run.next().await.1.expect("a price").2
    };
    assert_eq!(update_time(&mut client, "70691").await, NOW);
    clock.set(Timestamp::from_micros(NOW + 2_000_000));
    assert_eq!(update_time(&mut client, "70692").await, NOW + 2_000_000, "it was connected to two seconds ago");
    clock.set(Timestamp::from_micros(LATER));
    assert_eq!(update_time(&mut client, "70693").await, NOW, "five seconds ago");
    let ping = loop {
        match client.next().await {
            Some(Message::Ping(ping)) if ping.as_ref() == LATER.to_be_bytes() => break ping,
            Some(Message::Ping(_)) => {}
            other => panic!("{other:?}"),
        }
    };
    assert!(update_time(&mut client, "70694").await < LATER, "the answer is not there yet");
    client.send(Message::Pong(ping)).await;
    assert_eq!(update_time(&mut client, "70695").await, LATER);
}

#[tokio::test]
async fn an_invalid_book_has_no_price_and_does_not_affect_others() {
    let server = TestServer::start().await;
    let mut run = SourceRun::start(&source(config(Exchange::Binance, server.address())));
    let mut client = server.client().await;
    for bad in ["0", "0.00000000", "-1", "NaN", "1e300", "", "99999999999999999999"] {
        for (bid, ask) in [(bad, "70691.28"), ("70691.27", bad), (bad, bad)] {
            client.send_text(&book_ticker("BTCUSDT", bid, ask)).await;
            let (symbol, update) = run.next().await;
            assert!(symbol == "BTC" && update.is_err(), "{bid} {ask}: {update:?}");
        }
    }
    client.send_text(&book_ticker("BTCUSDT", "70691.28", "70691.27")).await;
    assert!(run.next().await.1.is_err(), "crossed");
    client.send_text(r#"{"stream":"btcusdt@bookTicker","data":{"u":1,"s":"BTCUSDT"}}"#).await;
    assert!(run.next().await.1.is_err(), "nothing to buy or sell");
    client.send_text(r#"{"stream":"btcusdt@bookTicker","data":{"u":1,"s":"BTCUSDT","b":70691.27,"a":70691.28}}"#).await;
    assert!(run.next().await.1.is_err(), "floats");
    client.send_text(&book_ticker("BTCUSDT", "70691.27", "70691.27")).await;
    assert_eq!(run.next().await.1, Ok(("70691.27".to_owned(), 0, NOW)));
}

#[tokio::test]
async fn a_server_announcing_its_shutdown_is_left_at_once() {
    let server = TestServer::start().await;
    let run = SourceRun::start(&source(config(Exchange::Binance, server.address())));
    server.client().await.send_text(r#"{"e":"serverShutdown","E":1770123456789}"#).await;
    assert_eq!(run.disconnected().await, "the server is about to shut down");
}

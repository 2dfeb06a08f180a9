//! Price updates from the messages of Binance.

use firmquote_market::{PriceSource as _, exchange::Exchange};

use crate::{
    exchange::{
        setup::{NOW, book_ticker, feed, source},
        venue::Venue,
    },
    listener::Run,
};

#[tokio::test]
async fn tickers_are_subscribed_in_the_url_and_timed_on_receipt() {
    let venue = Venue::start().await;
    let source = source(feed(Exchange::Binance, venue.address()));
    let mut run = Run::start(&source);
    let mut client = venue.client().await;
    assert_eq!(client.target, "/stream?streams=btcusdt@bookTicker/ethusdt@bookTicker");
    client.text(&book_ticker("ETHUSDT", "2080.52000000", "2080.53000000")).await;
    let eth = Ok(("2080.525".to_owned(), 500_000, NOW));
    assert_eq!(run.next().await, ("ETH".to_owned(), eth.clone()));
    assert_eq!(run.next().await, ("WETH".to_owned(), eth));
    client.text(&book_ticker("SOLUSDT", "1", "2")).await;
    client.text(&book_ticker("BTCUSDT", "70691.27000000", "70691.28000000")).await;
    assert_eq!(run.next().await, ("BTC".to_owned(), Ok(("70691.275".to_owned(), 500_000, NOW))));
    assert_eq!(source.name(), "binance 127.0.0.1");
}

#[tokio::test]
async fn an_invalid_book_has_no_price_and_does_not_affect_others() {
    let venue = Venue::start().await;
    let mut run = Run::start(&source(feed(Exchange::Binance, venue.address())));
    let mut client = venue.client().await;
    for bad in ["0", "0.00000000", "-1", "NaN", "1e300", "", "99999999999999999999"] {
        for (bid, ask) in [(bad, "70691.28"), ("70691.27", bad), (bad, bad)] {
            client.text(&book_ticker("BTCUSDT", bid, ask)).await;
            let (symbol, said) = run.next().await;
            assert!(symbol == "BTC" && said.is_err(), "{bid} {ask}: {said:?}");
        }
    }
    client.text(&book_ticker("BTCUSDT", "70691.28", "70691.27")).await;
    assert!(run.next().await.1.is_err(), "crossed");
    client.text(r#"{"stream":"btcusdt@bookTicker","data":{"u":1,"s":"BTCUSDT"}}"#).await;
    assert!(run.next().await.1.is_err(), "nothing to buy or sell");
    client.text(r#"{"stream":"btcusdt@bookTicker","data":{"u":1,"s":"BTCUSDT","b":70691.27,"a":70691.28}}"#).await;
    assert!(run.next().await.1.is_err(), "floats");
    client.text(&book_ticker("BTCUSDT", "70691.27", "70691.27")).await;
    assert_eq!(run.next().await.1, Ok(("70691.27".to_owned(), 0, NOW)));
}

#[tokio::test]
async fn a_server_announcing_its_shutdown_is_left_at_once() {
    let venue = Venue::start().await;
    let run = Run::start(&source(feed(Exchange::Binance, venue.address())));
    venue.client().await.text(r#"{"e":"serverShutdown","E":1770123456789}"#).await;
    assert_eq!(run.gone().await, "the server is about to shut down");
}

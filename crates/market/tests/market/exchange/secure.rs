//! Exchanges behind TLS.

use firmquote_market::exchange::{Exchange, ExchangeConfig};

use crate::{
    exchange::{
        setup::{book_ticker, feed, source},
        venue::{Client, Venue},
    },
    listener::Run,
    tls,
};

#[tokio::test]
async fn an_exchange_with_an_untrusted_certificate_is_not_used() {
    let venue = Venue::start().await;
    let (acceptor, _) = tls::acceptor();
    let url = format!("wss://localhost:{}", venue.address().port());
    let run = Run::start(&source(ExchangeConfig { url, ..feed(Exchange::Binance, venue.address()) }));
    assert!(acceptor.accept(venue.connection().await).await.is_err());
    let why = run.gone().await;
    assert!(why.contains("invalid peer certificate"), "{why}");
}

#[tokio::test]
async fn an_exchange_with_a_trusted_authority_is_used() {
    let venue = Venue::start().await;
    let (acceptor, certificate) = tls::acceptor();
    let url = format!("wss://localhost:{}", venue.address().port());
    let authorities = Some(certificate.into_bytes());
    let mut run = Run::start(&source(ExchangeConfig { url, authorities, ..feed(Exchange::Binance, venue.address()) }));
    let connection = acceptor.accept(venue.connection().await).await.expect("trusted");
    let mut client = Client::of(connection).await;
    client.text(&book_ticker("BTCUSDT", "1", "1")).await;
    assert_eq!(run.next().await.1.map(|(price, _, _)| price), Ok("1".to_owned()));
}

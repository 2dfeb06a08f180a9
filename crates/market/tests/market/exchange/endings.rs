//! How a connection ends, and that the next run begins another.

use firmquote_market::exchange::{Exchange, ExchangeConfig};
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _};
use tokio_tungstenite::tungstenite::{
    Message,
    protocol::{CloseFrame, frame::coding::CloseCode},
};

use crate::{
    exchange::{
        setup::{SOON, book_ticker, feed, source},
        venue::{Client, Venue, refusal},
    },
    listener::Run,
};

const BTC: (&str, &str, &str) = ("BTCUSDT", "70691.27", "70691.28");

fn btc() -> String {
    book_ticker(BTC.0, BTC.1, BTC.2)
}

fn binance(venue: &Venue) -> ExchangeConfig {
    feed(Exchange::Binance, venue.address())
}

#[tokio::test]
async fn pings_are_answered() {
    let venue = Venue::start().await;
    let mut run = Run::start(&source(binance(&venue)));
    let mut client = venue.client().await;
    for payload in ["1785143368000", "1785143388000"] {
        client.send(Message::Ping(payload.into())).await;
        assert_eq!(client.next().await, Some(Message::Pong(payload.into())));
    }
    client.text(&btc()).await;
    run.next().await.1.expect("a price");
}

/// Waits until the service closes the connection; it may ping before.
async fn closes<S: AsyncRead + AsyncWrite + Unpin>(client: &mut Client<S>) {
    while let Some(message) = client.next().await {
        assert!(matches!(message, Message::Ping(_)), "{message:?}");
    }
}

#[tokio::test]
async fn a_silent_connection_is_closed() {
    let venue = Venue::start().await;
    let mut run = Run::start(&source(ExchangeConfig { idle_timeout: SOON, ..binance(&venue) }));
    let mut client = venue.client().await;
    client.text(&btc()).await;
    run.next().await.1.expect("a price");
    assert_eq!(run.gone().await, "no ticker in time");
    closes(&mut client).await;
}

#[tokio::test]
async fn a_connection_with_only_pings_is_silent() {
    let venue = Venue::start().await;
    let run = Run::start(&source(ExchangeConfig { idle_timeout: SOON, ..binance(&venue) }));
    let mut client = venue.client().await;
    let breath = tokio::spawn(async move {
        loop {
            client.send(Message::Ping("1785143368000".into())).await;
            client.text(&book_ticker("SOLUSDT", "1", "2")).await;
            tokio::task::yield_now().await;
        }
    });
    assert_eq!(run.gone().await, "no ticker in time");
    breath.abort();
}

#[tokio::test]
async fn a_server_that_accepts_but_never_responds_times_out() {
    for exchange in [Exchange::Binance, Exchange::Coinbase] {
        let venue = Venue::start().await;
        let run = Run::start(&source(ExchangeConfig { connect_timeout: SOON, ..feed(exchange, venue.address()) }));
        let _connection = venue.connection().await;
        assert_eq!(run.gone().await, "no response in time");
    }
}

#[tokio::test]
async fn a_connection_closes_at_its_maximum_lifetime() {
    let venue = Venue::start().await;
    let run = Run::start(&source(ExchangeConfig { lifetime: SOON, ..binance(&venue) }));
    let mut client = venue.client().await;
    let talk = tokio::spawn(async move {
        loop {
            client.text(&btc()).await;
            tokio::task::yield_now().await;
        }
    });
    assert_eq!(run.last_gone().await, "the connection has reached its lifetime");
    talk.abort();
}

#[tokio::test]
async fn dropping_a_run_closes_its_connection() {
    let venue = Venue::start().await;
    let run = Run::start(&source(binance(&venue)));
    let mut client = venue.client().await;
    run.abort();
    closes(&mut client).await;
}

#[tokio::test]
async fn a_closed_connection_reports_the_servers_reason() {
    let venue = Venue::start().await;
    let source = source(binance(&venue));
    for (frame, reason) in [
        (None, "the server closed the connection"),
        (
            Some(CloseFrame { code: CloseCode::Restart, reason: "24 hours".into() }),
            "the server closed the connection: 1012 24 hours",
        ),
    ] {
        let run = Run::start(&source);
        venue.client().await.send(Message::Close(frame)).await;
        assert_eq!(run.gone().await, reason);
    }
    let run = Run::start(&source);
    drop(venue.client().await);
    assert!(!run.gone().await.is_empty());
}

#[tokio::test]
async fn the_next_run_follows_a_recovered_server() {
    let venue = Venue::start().await;
    let address = venue.address();
    let source = source(binance(&venue));
    let run = Run::start(&source);
    let client = venue.client().await;
    drop((venue, client));
    run.gone().await;
    let refused = Run::start(&source).gone().await;
    assert!(refused.contains("refused"), "{refused}");
    let venue = Venue::start_at(address).await;
    let mut run = Run::start(&source);
    venue.client().await.text(&btc()).await;
    assert_eq!(run.next().await.1.map(|(price, _, _)| price), Ok("70691.275".to_owned()));
}

#[tokio::test]
async fn invalid_messages_violate_the_protocol() {
    let large = "x".repeat(2 << 20);
    for exchange in [Exchange::Binance, Exchange::Coinbase] {
        let venue = Venue::start().await;
        let source = source(feed(exchange, venue.address()));
        for (message, reason) in [
            (Message::text("garbage"), "expected value"),
            (Message::text("{}"), "missing field"),
            (Message::text("[1]"), "invalid type"),
            (Message::binary(btc()), "a binary message"),
            (Message::text(large.as_str()), "Message too long"),
        ] {
            let run = Run::start(&source);
            venue.client().await.send(message).await;
            let error_text = run.against_protocol().await;
            assert!(error_text.contains(reason) && error_text.len() < 300, "{error_text}");
        }
    }
}

#[tokio::test]
async fn an_endless_message_is_abandoned() {
    let venue = Venue::start().await;
    let run = Run::start(&source(binance(&venue)));
    let mut connection = venue.client().await.into_connection();
    // A text whose parts never say that they are the last: 64 KiB each, lengths in two bytes.
    let part = |opcode: u8| [[opcode, 126, 0xff, 0xff].as_slice(), &[b'x'; 0xffff]].concat();
    let flood = tokio::spawn(async move {
        let mut sent = connection.write_all(&part(1)).await;
        while sent.is_ok() {
            sent = connection.write_all(&part(0)).await;
        }
    });
    let error_text = run.against_protocol().await;
    assert!(error_text.contains("Message too long"), "{error_text}");
    flood.abort();
}

#[tokio::test]
async fn invalid_frames_violate_the_protocol() {
    let venue = Venue::start().await;
    let source = source(binance(&venue));
    for garbage in
        [[0xff; 16].as_slice(), b"\x81\x02\xff\xfe", b"\x81\x84abcdabcd", b"\x81\x7f\x7f\xff\xff\xff\xff\xff\xff\xff"]
    {
        let run = Run::start(&source);
        let mut connection = venue.client().await.into_connection();
        connection.write_all(garbage).await.expect("sent");
        assert!(!run.against_protocol().await.is_empty());
    }
}

#[tokio::test]
async fn a_rejected_handshake_reports_its_status() {
    let venue = Venue::start().await;
    let source = source(binance(&venue));
    for (status, header, seconds) in [
        (429, Some(("retry-after", "7")), 7),
        (429, None, 60),
        (418, Some(("retry-after", "7200")), 3_600),
        (429, Some(("retry-after", "999999999")), 3_600),
        (429, Some(("retry-after", "tomorrow")), 60),
    ] {
        let run = Run::start(&source);
        venue.refuse(refusal(status, header)).await;
        assert_eq!(run.busy().await, seconds);
    }
    for (status, reason) in [(403, "403 Forbidden: handshake refused"), (404, "404 Not Found: handshake refused")] {
        let run = Run::start(&source);
        venue.refuse(refusal(status, None)).await;
        assert_eq!(run.against_protocol().await, reason);
    }
    let run = Run::start(&source);
    venue.refuse(refusal(307, Some(("location", "http://127.0.0.1:1/")))).await;
    assert_eq!(run.against_protocol().await, "307 Temporary Redirect: handshake refused");
    let run = Run::start(&source);
    venue.refuse(refusal(503, None)).await;
    assert_eq!(run.gone().await, "503 Service Unavailable");
}

//! Connections that end, and the next run that opens another.

use firmquote_market::exchange::{Exchange, ExchangeConfig};
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _};
use tokio_tungstenite::tungstenite::{
    Message,
    protocol::{CloseFrame, frame::coding::CloseCode},
};

use crate::{
    exchange::{
        fake_exchange::{Client, rejection},
        setup::{book_ticker, config, kraken_ticker, okx_ticker, source, ticker},
    },
    server::TestServer,
    source_run::{SHORT_TIMEOUT, SourceRun},
};

fn btc_ticker() -> String {
    book_ticker("BTCUSDT", "70691.27", "70691.28")
}

fn binance(server: &TestServer) -> ExchangeConfig {
    config(Exchange::Binance, server.address())
}

#[tokio::test]
async fn pings_are_answered() {
    let server = TestServer::start().await;
    let mut run = SourceRun::start(&source(binance(&server)));
    let mut client = server.client().await;
    for payload in ["1785143368000", "1785143388000"] {
        client.send(Message::Ping(payload.into())).await;
        assert_eq!(client.next().await, Some(Message::Pong(payload.into())));
    }
    client.send_text(&btc_ticker()).await;
    run.next().await.1.expect("a price");
}

/// Waits until the source closes the connection; it may send pings before.
async fn wait_for_close<S: AsyncRead + AsyncWrite + Unpin>(client: &mut Client<S>) {
    while let Some(message) = client.next().await {
        assert!(matches!(message, Message::Ping(_)), "{message:?}");
    }
}

#[tokio::test]
async fn a_silent_connection_is_closed() {
    let server = TestServer::start().await;
    let mut run = SourceRun::start(&source(ExchangeConfig { idle_timeout: SHORT_TIMEOUT, ..binance(&server) }));
    let mut client = server.client().await;
    client.send_text(&btc_ticker()).await;
    run.next().await.1.expect("a price");
    assert_eq!(run.disconnected().await, "no ticker within the idle timeout");
    wait_for_close(&mut client).await;
}

#[tokio::test]
async fn a_connection_with_only_pings_is_silent() {
    let server = TestServer::start().await;
    let run = SourceRun::start(&source(ExchangeConfig { idle_timeout: SHORT_TIMEOUT, ..binance(&server) }));
    let mut client = server.client().await;
    let sender = tokio::spawn(async move {
        loop {
            client.send(Message::Ping("1785143368000".into())).await;
            client.send_text(&book_ticker("SOLUSDT", "1", "2")).await;
            tokio::task::yield_now().await;
        }
    });
    assert_eq!(run.disconnected().await, "no ticker within the idle timeout");
    sender.abort();
}

#[tokio::test]
async fn a_server_that_accepts_but_never_responds_times_out() {
    for exchange in Exchange::ALL {
        let server = TestServer::start().await;
        let run = SourceRun::start(&source(ExchangeConfig {
            connect_timeout: SHORT_TIMEOUT,
            ..config(exchange, server.address())
        }));
        let _connection = server.connection().await;
        assert_eq!(run.disconnected().await, "no response in time");
    }
}

#[tokio::test]
async fn a_connection_closes_at_its_maximum_lifetime() {
    let server = TestServer::start().await;
    let run = SourceRun::start(&source(ExchangeConfig { lifetime: SHORT_TIMEOUT, ..binance(&server) }));
    let mut client = server.client().await;
    let sender = tokio::spawn(async move {
        loop {
            client.send_text(&btc_ticker()).await;
            tokio::task::yield_now().await;
        }
    });
    assert_eq!(run.disconnected_after_prices().await, "the connection has reached its lifetime");
    sender.abort();
}

#[tokio::test]
async fn dropping_a_run_closes_its_connection() {
    let server = TestServer::start().await;
    let run = SourceRun::start(&source(binance(&server)));
    let mut client = server.client().await;
    run.abort();
    wait_for_close(&mut client).await;
}

#[tokio::test]
async fn a_closed_connection_reports_the_servers_reason() {
    let server = TestServer::start().await;
    let source = source(binance(&server));
    for (frame, reason) in [
        (None, "the server closed the connection"),
        (
            Some(CloseFrame { code: CloseCode::Restart, reason: "24 hours".into() }),
            "the server closed the connection: 1012 24 hours",
        ),
    ] {
        let run = SourceRun::start(&source);
        server.client().await.send(Message::Close(frame)).await;
        assert_eq!(run.disconnected().await, reason);
    }
    let run = SourceRun::start(&source);
    drop(server.client().await);
    assert!(!run.disconnected().await.is_empty());
}

#[tokio::test]
async fn the_next_run_follows_a_recovered_server() {
    let server = TestServer::start().await;
    let address = server.address();
    let source = source(binance(&server));
    let run = SourceRun::start(&source);
    let client = server.client().await;
    drop((server, client));
    run.disconnected().await;
    let error = SourceRun::start(&source).disconnected().await;
    assert!(error.contains("refused"), "{error}");
    let server = TestServer::start_at(address).await;
    let mut run = SourceRun::start(&source);
    server.client().await.send_text(&btc_ticker()).await;
    assert_eq!(run.next().await.1.map(|(price, _, _)| price), Ok("70691.275".to_owned()));
}

#[tokio::test]
async fn invalid_messages_are_reported_and_skipped() {
    for (exchange, good) in [
        (Exchange::Binance, btc_ticker()),
        (Exchange::Coinbase, ticker("BTC-USD", "70691.27", "70691.28")),
        (Exchange::Kraken, kraken_ticker("BTC/USD", "70691.27", "70691.28")),
        (Exchange::Okx, okx_ticker("BTC-USDT", "70691.27", "70691.28")),
    ] {
        let server = TestServer::start().await;
        let mut run = SourceRun::start(&source(config(exchange, server.address())));
        let mut client = server.client().await;
        for (message, reason) in [
            (Message::text("garbage"), "expected value"),
            (Message::text("{}"), "missing field"),
            (Message::text("[1]"), "invalid type"),
            (Message::binary(btc_ticker()), "a binary message"),
        ] {
            client.send(message).await;
            let (feed, fault) = run.fault().await;
            assert!(feed.is_none() && fault.contains(reason) && fault.len() < 300, "{fault}");
        }
        client.send_text(&good).await;
        assert_eq!(run.next().await.1.map(|(price, _, _)| price), Ok("70691.275".to_owned()));
        client.send(Message::text("x".repeat(2 << 20))).await;
        assert!(run.protocol_error().await.contains("Message too long"));
    }
}

#[tokio::test]
async fn an_endless_message_is_abandoned() {
    let server = TestServer::start().await;
    let run = SourceRun::start(&source(binance(&server)));
    let mut connection = server.client().await.into_connection();
    // A text message of fragments without a final one: 64 KiB each, with lengths of two bytes.
    let fragment = |opcode: u8| [[opcode, 126, 0xff, 0xff].as_slice(), &[b'x'; 0xffff]].concat();
    let sender = tokio::spawn(async move {
        let mut sent = connection.write_all(&fragment(1)).await;
        while sent.is_ok() {
            sent = connection.write_all(&fragment(0)).await;
        }
    });
    let error_text = run.protocol_error().await;
    assert!(error_text.contains("Message too long"), "{error_text}");
    sender.abort();
}

#[tokio::test]
async fn invalid_frames_violate_the_protocol() {
    let server = TestServer::start().await;
    let source = source(binance(&server));
    for garbage in
        [[0xff; 16].as_slice(), b"\x81\x02\xff\xfe", b"\x81\x84abcdabcd", b"\x81\x7f\x7f\xff\xff\xff\xff\xff\xff\xff"]
    {
        let run = SourceRun::start(&source);
        let mut connection = server.client().await.into_connection();
        connection.write_all(garbage).await.expect("sent");
        assert!(!run.protocol_error().await.is_empty());
    }
}

#[tokio::test]
async fn a_rejected_handshake_reports_its_status() {
    let server = TestServer::start().await;
    let source = source(binance(&server));
    for (status, header, seconds) in [
        (429, Some(("retry-after", "7")), 7),
        (429, None, 60),
        (418, Some(("retry-after", "7200")), 3_600),
        (429, Some(("retry-after", "999999999")), 3_600),
        (429, Some(("retry-after", "tomorrow")), 60),
    ] {
        let run = SourceRun::start(&source);
        server.reject(rejection(status, header)).await;
        assert_eq!(run.rate_limit_seconds().await, seconds);
    }
    for (status, reason) in [(403, "403 Forbidden: handshake refused"), (404, "404 Not Found: handshake refused")] {
        let run = SourceRun::start(&source);
        server.reject(rejection(status, None)).await;
        assert_eq!(run.protocol_error().await, reason);
    }
    let run = SourceRun::start(&source);
    server.reject(rejection(307, Some(("location", "http://127.0.0.1:1/")))).await;
    assert_eq!(run.protocol_error().await, "307 Temporary Redirect: handshake refused");
    let run = SourceRun::start(&source);
    server.reject(rejection(503, None)).await;
    assert_eq!(run.disconnected().await, "503 Service Unavailable");
}

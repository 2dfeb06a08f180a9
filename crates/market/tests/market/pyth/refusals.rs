//! Responses that are not a stream.

use crate::{
    pyth::hermes::{BTC, ETH, config, recorded_feed, source},
    server::TestServer,
    source_run::SourceRun,
};

#[tokio::test]
async fn a_rate_limited_request_is_retried_after_the_servers_delay() {
    let server = TestServer::start().await;
    let source = source(config(server.address()));
    for (header, seconds) in [
        ("\r\nretry-after: 7", 7),
        ("", 60),
        ("\r\nretry-after: Wed, 21 Oct 2026 07:28:00 GMT", 60),
        ("\r\nretry-after: 86400", 3_600),
    ] {
        let run = SourceRun::start(&source);
        server.request().await.respond(&format!("429 Too Many Requests{header}")).await;
        assert_eq!(run.rate_limit_seconds().await, seconds, "{header}");
    }
}

#[tokio::test]
async fn a_rejected_request_violates_the_protocol() {
    let server = TestServer::start().await;
    let source = source(config(server.address()));
    for (head, reason) in [
        ("400 Bad Request", "400 Bad Request"),
        ("401 Unauthorized", "401 Unauthorized: API key not accepted"),
        ("403 Forbidden", "403 Forbidden: API key not accepted"),
        ("404 Not Found", "404 Not Found: no such stream, or unknown feeds"),
        ("204 No Content", "204 No Content"),
        ("200 OK", "not an event stream"),
        ("200 OK\r\ncontent-type: text/html", "not an event stream"),
        ("307 Temporary Redirect\r\nlocation: http://127.0.0.1:1/", "307 Temporary Redirect: not followed"),
    ] {
        let run = SourceRun::start(&source);
        server.request().await.respond(head).await;
        assert_eq!(run.protocol_error().await, reason);
    }
}

#[tokio::test]
async fn server_errors_are_retried_soon() {
    let server = TestServer::start().await;
    let source = source(config(server.address()));
    for (head, reason) in [
        ("500 Internal Server Error", "500 Internal Server Error"),
        ("503 Service Unavailable", "503 Service Unavailable"),
    ] {
        let run = SourceRun::start(&source);
        server.request().await.respond(head).await;
        assert_eq!(run.disconnected().await, reason);
    }
    let run = SourceRun::start(&source);
    server.request().await.send_raw("garbage\r\n\r\n").await;
    assert!(run.disconnected().await.contains("invalid HTTP version parsed"));
}

#[tokio::test]
async fn feeds_that_the_server_does_not_know_are_left_out() {
    let server = TestServer::start().await;
    let mut run = SourceRun::start(&source(config(server.address())));
    let mut refused = server.request().await;
    assert!(
        refused.head.contains(ETH)
            && refused.head.contains(BTC)
            && refused.head.contains("ignore_invalid_price_ids=true")
    );
    let body = format!("Price ids not found: 0x{ETH}");
    refused.send_raw(&format!("HTTP/1.1 404 Not Found\r\ncontent-length: {}\r\n\r\n{body}", body.len())).await;
    let mut stream = server.stream().await;
    assert!(!stream.head.contains(ETH) && stream.head.contains(BTC));
    assert_eq!(run.fault().await, (Some(format!("0x{ETH}")), "unknown to the server".to_owned()));
    stream.send_update(&[recorded_feed(BTC, "1000")]).await;
    assert_eq!(run.next().await.0, "BTC");
}

//! Connections end when a client misses a deadline, and only then.
//!
//! Only the timeout under test is short; all others exceed the duration of a test. Tests wait patiently for the end
//! of a connection, and show by the order of events that one stays open.

use std::{sync::Arc, time::Duration};

use firmquote_http::{ConnectionSettings, Settings};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::{interval, timeout},
};

use crate::support::{PATIENCE, QUOTE_BODY, Rig, Start, connect, gated_store, read_to_end};

const NEVER: Duration = Duration::from_secs(3_600);
const SOON: Duration = Duration::from_millis(50);
const GET: &str = "GET /errors HTTP/1.1\r\nhost: x\r\n\r\n";

/// Timeouts that no client misses.
const PATIENT: ConnectionSettings = ConnectionSettings {
    workers: 1,
    connections_per_worker: 1_000,
    max_connections: 100_000,
    max_connections_per_address: 100_000,
    backlog: 1_024,
    keep_alive: NEVER,
    head_timeout: NEVER,
    write_timeout: NEVER,
    shutdown_timeout_seconds: 3_600,
};

fn start(connections: ConnectionSettings) -> Start {
    let usual = Start::default();
    let settings = Settings { body_timeout: NEVER, ..usual.settings };
    Start { connections, settings, ..usual }
}

async fn serve(connections: ConnectionSettings) -> Rig {
    Rig::start_with(start(connections)).await
}

async fn send(rig: &Rig, bytes: &str) -> TcpStream {
    let mut stream = connect(rig).await;
    stream.write_all(bytes.as_bytes()).await.unwrap();
    stream
}

/// Sends `request` and reads the output of the server until it ends the connection. With a short idle timeout the
/// connection may end before the request is sent; then it is sent on another one.
async fn exchange(base: String, request: String) -> String {
    let exchange = async {
        loop {
            let mut stream = TcpStream::connect(base.trim_start_matches("http://")).await.unwrap();
            if stream.write_all(request.as_bytes()).await.is_ok() {
                let received = read_to_end(&mut stream).await;
                if !received.is_empty() {
                    return received;
                }
            }
        }
    };
    timeout(PATIENCE, exchange).await.expect("an answer")
}

/// Sends `first` and then `more` repeatedly, and reads the output of the server until it ends the connection.
async fn trickled(rig: &Rig, first: &str, more: &str) -> String {
    let (mut reader, mut writer) = send(rig, first).await.into_split();
    let more = more.to_owned();
    let sender = tokio::spawn(async move {
        let mut pace = interval(Duration::from_millis(1));
        while writer.write_all(more.as_bytes()).await.is_ok() {
            pace.tick().await;
        }
    });
    let received = read_to_end(&mut reader).await;
    timeout(PATIENCE, sender).await.expect("nobody takes what is sent").unwrap();
    received
}

fn statuses(received: &str) -> Vec<&str> {
    received.split("HTTP/1.1 ").skip(1).map(|answer| &answer[..3]).collect()
}

#[tokio::test]
async fn a_silent_connection_is_closed_without_a_response() {
    let rig = serve(ConnectionSettings { head_timeout: SOON, ..PATIENT }).await;
    assert_eq!(read_to_end(&mut connect(&rig).await).await, "");
}

#[tokio::test]
async fn an_idle_connection_is_closed_without_a_response() {
    let rig = serve(ConnectionSettings { keep_alive: SOON, ..PATIENT }).await;
    let received = exchange(rig.base.clone(), GET.to_owned()).await;
    assert_eq!(statuses(&received), ["200"]);
    assert!(received.ends_with("</html>"), "{received}");
}

#[tokio::test]
async fn an_incomplete_head_times_out() {
    let rig = serve(ConnectionSettings { head_timeout: SOON, ..PATIENT }).await;
    for head in ["G", "GET /errors HTTP/1.1\r\nhost: x\r\n"] {
        assert_eq!(read_to_end(&mut send(&rig, head).await).await, "", "{head}");
    }
}

#[tokio::test]
async fn trickling_heads_time_out_on_every_request() {
    let rig = serve(ConnectionSettings { head_timeout: SOON, ..PATIENT }).await;
    let received = trickled(&rig, "GET /errors HTTP/1.1\r\n", "x").await;
    assert_eq!(received, "");
    let received = trickled(&rig, GET, "x").await;
    assert_eq!(statuses(&received), ["200"], "{received}");
}

#[tokio::test]
async fn an_endless_unread_body_closes_the_connection() {
    let rig = serve(ConnectionSettings { head_timeout: SOON, ..PATIENT }).await;
    let chunk = format!("400\r\n{}\r\n", " ".repeat(0x400));
    for (line, status) in [
        ("GET /errors", "200"),
        ("GET /nowhere", "404"),
        ("POST /nowhere", "404"),
        ("DELETE /rfq/quote", "405"),
        ("POST /rfq/sign", "413"),
        ("POST /rfq/quote", "413"),
    ] {
        let head = format!(
            "{line} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n"
        );
        assert_eq!(statuses(&trickled(&rig, &head, &chunk).await), [status], "{line}");
    }
}

#[tokio::test]
async fn a_client_that_does_not_read_is_disconnected() {
    let rig = serve(ConnectionSettings { write_timeout: SOON, ..PATIENT }).await;
    let requests = GET.repeat(100);
    let mut stream = connect(&rig).await;
    let ended = async { while stream.write_all(requests.as_bytes()).await.is_ok() {} };
    timeout(PATIENCE, ended).await.expect("the connection ends");
}

#[tokio::test]
async fn a_slow_reader_receives_every_response() {
    const REQUESTS: usize = 5_000;
    let rig = serve(PATIENT).await;
    let (mut reader, mut writer) = connect(&rig).await.into_split();
    let requests = GET.repeat(REQUESTS - 1);
    let last = "GET /errors HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
    let sender = tokio::spawn(async move { writer.write_all(format!("{requests}{last}").as_bytes()).await });
    let received = read_to_end(&mut reader).await;
    sender.await.unwrap().unwrap();
    assert_eq!(statuses(&received).len(), REQUESTS);
}

#[tokio::test]
async fn a_half_closed_client_receives_every_response() {
    let rig = serve(PATIENT).await;
    for (requests, last, expected) in [(1, "", 1), (100, "", 100), (20, "GET /err", 20), (0, "", 0)] {
        let mut stream = send(&rig, &format!("{}{last}", GET.repeat(requests))).await;
        stream.shutdown().await.unwrap();
        assert_eq!(statuses(&read_to_end(&mut stream).await).len(), expected);
    }
    let mut stream = send(
        &rig,
        "POST /rfq/quote HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{",
    )
    .await;
    stream.shutdown().await.unwrap();
    assert_eq!(
        statuses(&read_to_end(&mut stream).await),
        ["400"],
        "the rest of a body that never comes is not awaited"
    );
}

#[tokio::test]
async fn requests_slower_than_every_timeout_are_answered() {
    let gated = gated_store(9);
    let impatient = ConnectionSettings { keep_alive: SOON, head_timeout: SOON, write_timeout: SOON, ..PATIENT };
    let rig = Rig::start_with(Start { store: Arc::clone(&gated) as _, ..start(impatient) }).await;
    let head = format!(
        "POST /rfq/quote HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
        QUOTE_BODY.len()
    );
    let waiting = tokio::spawn(exchange(rig.base.clone(), format!("{head}{QUOTE_BODY}")));
    timeout(PATIENCE, gated.layer.arrived.acquire()).await.expect("it is at work").unwrap().forget();
    // Meanwhile other connections end: an idle one and one with an incomplete request.
    assert_eq!(read_to_end(&mut connect(&rig).await).await, "");
    assert_eq!(read_to_end(&mut send(&rig, "GET").await).await, "");
    gated.layer.gate.add_permits(1);
    let received = waiting.await.unwrap();
    assert_eq!(statuses(&received), ["200"], "{received}");
    assert_eq!(gated.layer.arrived.available_permits(), 0, "it was asked once");
}

#[tokio::test]
async fn the_last_connection_cannot_be_held() {
    let all = ConnectionSettings { connections_per_worker: 1, keep_alive: SOON, head_timeout: SOON, ..PATIENT };
    let rig = serve(all).await;
    let holders = [connect(&rig).await, send(&rig, "GET /errors HTTP/1.1\r\n").await, connect(&rig).await];
    let received = exchange(rig.base.clone(), GET.to_owned()).await;
    assert_eq!(statuses(&received), ["200"], "{received}");
    drop(holders);
}

#[tokio::test]
async fn shutdown_does_not_wait_for_idle_clients() {
    let rig = serve(PATIENT).await;
    let mut idle = send(&rig, GET).await;
    let mut first = [0; 12];
    idle.read_exact(&mut first).await.unwrap();
    let (silent, half) = (connect(&rig).await, send(&rig, "GET /err").await);
    timeout(PATIENCE, rig.stop.stop()).await.expect("it stops");
    for mut stream in [silent, half] {
        assert_eq!(read_to_end(&mut stream).await, "");
    }
    assert_eq!(statuses(&read_to_end(&mut idle).await), [""; 0], "the rest of one answer");
}

#[tokio::test]
async fn an_oversized_head_gets_one_response_and_closes_the_connection() {
    let rig = serve(PATIENT).await;
    for before in ["", GET] {
        let head = format!("{before}GET /errors HTTP/1.1\r\nhost: x\r\nx-long: {}", "x".repeat(1 << 20));
        let (mut reader, mut writer) = connect(&rig).await.into_split();
        let sender = tokio::spawn(async move {
            writer.write_all(head.as_bytes()).await.unwrap();
            writer.shutdown().await.unwrap();
        });
        let received = read_to_end(&mut reader).await;
        sender.await.unwrap();
        let last = received.rsplit("HTTP/1.1 ").next().unwrap();
        assert!(last.starts_with("431 ") && last.contains("\r\nconnection: close\r\n"), "{received}");
        assert_eq!(statuses(&received).len(), 1 + usize::from(!before.is_empty()), "{received}");
    }
    for (length, expected) in [(16_384, "200"), (16_385, "431"), (17_000, "431"), (20_000, "431")] {
        let start = "GET /errors HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx-long: ";
        let long = format!("{start}{}\r\n\r\n", "x".repeat(length - start.len() - 4));
        for before in ["", GET] {
            let received = read_to_end(&mut send(&rig, &format!("{before}{long}")).await).await;
            assert_eq!(statuses(&received).last(), Some(&expected), "{length}");
        }
    }
}

#[tokio::test]
async fn a_line_that_ends_with_a_line_feed_alone_is_malformed() {
    let rig = serve(PATIENT).await;
    for head in ["GET /errors HTTP/1.1\nhost: x\n\n", "GET /errors HTTP/1.1\r\nhost: x\r\n\n", "\nGET"] {
        let mut stream = send(&rig, &format!("{GET}{head}")).await;
        let received = read_to_end(&mut stream).await;
        assert_eq!(statuses(&received), ["200", "400"], "{received}");
        assert!(received.contains("\r\nconnection: close\r\n"), "{received}");
    }
}

#[tokio::test]
async fn responses_to_garbage_announce_the_close_even_with_keep_alive() {
    let rig = serve(PATIENT).await;
    for before in [0, 1, 3] {
        let mut stream = send(&rig, &format!("{}GARBAGE\r\n\r\n", GET.repeat(before))).await;
        stream.shutdown().await.unwrap();
        let received = read_to_end(&mut stream).await;
        assert_eq!(statuses(&received).len(), before + 1, "{received}");
        let last = received.rsplit("HTTP/1.1 ").next().unwrap();
        assert!(last.starts_with("400 ") && last.contains("\r\nconnection: close\r\n"), "{received}");
    }
}

#[tokio::test]
async fn connections_per_address_are_limited_without_affecting_others() {
    let rig = serve(ConnectionSettings { max_connections_per_address: 2, ..PATIENT }).await;
    let mut first = send(&rig, GET).await;
    let mut head = [0; 12];
    first.read_exact(&mut head).await.unwrap();
    let mut second = send(&rig, GET).await;
    second.read_exact(&mut head).await.unwrap();
    // It may be closed before or right after it is established.
    let address = rig.base.trim_start_matches("http://");
    let mut byte = [0];
    let third = async { TcpStream::connect(address).await.ok()?.read_exact(&mut byte).await.ok() };
    assert_eq!(third.await, None, "the third is refused");
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.2:0".parse().unwrap()).unwrap();
    let mut other = socket.connect(rig.base.trim_start_matches("http://").parse().unwrap()).await.unwrap();
    other.write_all(GET.as_bytes()).await.unwrap();
    timeout(PATIENCE, other.read_exact(&mut head)).await.expect("another address is answered").unwrap();
    assert_eq!(&head, b"HTTP/1.1 200");
    drop(first);
    let again = async {
        loop {
            let Ok(mut stream) = TcpStream::connect(address).await else { continue };
            if stream.write_all(GET.as_bytes()).await.is_ok() && stream.read_exact(&mut head).await.is_ok() {
                break;
            }
        }
    };
    timeout(PATIENCE, again).await.expect("there is room again");
}

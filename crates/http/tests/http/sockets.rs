//! Raw requests that no client library sends.

use std::time::Duration;

use firmquote_http::Settings;
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::TcpStream,
};

use crate::support::{QUOTE_BODY, Rig, Start, connect, read_to_end};

async fn exchange(rig: &Rig, request: &str) -> String {
    let mut stream = connect(rig).await;
    stream.write_all(request.as_bytes()).await.unwrap();
    read_to_end(&mut stream).await
}

/// Reads one response and returns its head in lower case.
async fn head_of_answer(stream: &mut BufReader<TcpStream>) -> String {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert_ne!(stream.read_line(&mut head).await.unwrap(), 0, "the answer breaks off: {head}");
    }
    let head = head.to_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
    stream.read_exact(&mut vec![0; length.parse().unwrap()]).await.unwrap();
    head
}

#[tokio::test]
async fn chunked_bodies_are_read_and_bounded() {
    let rig = Rig::start().await;
    let head = "POST /rfq/quote HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\n\
        transfer-encoding: chunked\r\n\r\n";
    let (first, second) = QUOTE_BODY.split_at(20);
    let chunks = format!("{:x}\r\n{first}\r\n{:x}\r\n{second}\r\n0\r\n\r\n", first.len(), second.len());
    let output = exchange(&rig, &format!("{head}{chunks}")).await;
    assert!(output.starts_with("HTTP/1.1 200 OK\r\n"), "{output}");
    let longest = format!("{QUOTE_BODY}{}", " ".repeat(16_384 - QUOTE_BODY.len()));
    let single: String = longest.chars().map(|byte| format!("1\r\n{byte}\r\n")).collect();
    let output = exchange(&rig, &format!("{head}{single}0\r\n\r\n")).await;
    assert!(output.starts_with("HTTP/1.1 200 OK\r\n"), "{output}");
    let output = exchange(&rig, &format!("{head}{single}1\r\n \r\n0\r\n\r\n")).await;
    assert!(output.starts_with("HTTP/1.1 413 Payload Too Large\r\n"), "{output}");
    let blank = format!("800\r\n{}\r\n", " ".repeat(0x800)).repeat(9);
    let output = exchange(&rig, &format!("{head}{blank}0\r\n\r\n")).await;
    assert!(output.starts_with("HTTP/1.1 413 Payload Too Large\r\n"), "{output}");
    assert!(output.contains(r#""errorType":"BadData""#), "{output}");
}

#[tokio::test]
async fn an_incomplete_body_times_out() {
    let usual = Start::default();
    let settings = Settings { body_timeout: Duration::from_millis(50), ..usual.settings };
    let rig = Rig::start_with(Start { settings, ..usual }).await;
    let output = exchange(
        &rig,
        "POST /rfq/quote HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\n\
         content-length: 100\r\n\r\n{",
    )
    .await;
    assert!(output.starts_with("HTTP/1.1 408 Request Timeout\r\n"), "{output}");
    assert!(output.contains(r#""errorMessage":"The body did not arrive in time""#), "{output}");
}

#[tokio::test]
async fn a_badly_framed_body_is_a_client_error() {
    let rig = Rig::start().await;
    let output = exchange(
        &rig,
        "POST /rfq/quote HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\n\
         transfer-encoding: chunked\r\n\r\nnonsense\r\n",
    )
    .await;
    assert!(output.starts_with("HTTP/1.1 400 Bad Request\r\n"), "{output}");
}

#[tokio::test]
async fn without_a_host_header_links_have_no_host() {
    let rig = Rig::start().await;
    let output =
        exchange(&rig, "POST /rfq/sign HTTP/1.0\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}")
            .await;
    assert!(output.contains(r#""url":"/errors/missing""#), "{output}");
}

#[tokio::test]
async fn an_error_keeps_the_connection_open() {
    let rig = Rig::start().await;
    let get = |path: &str, close: &str| format!("GET {path} HTTP/1.1\r\nhost: x\r\n{close}\r\n");
    let requests = [get("/nowhere", ""), get("/rfq/v2/pool/1", ""), get("/errors", "connection: close\r\n")].concat();
    let output = exchange(&rig, &requests).await;
    let statuses: Vec<_> = output.split("HTTP/1.1 ").skip(1).map(|answer| &answer[..3]).collect();
    assert_eq!(statuses, ["404", "401", "200"], "{output}");
}

#[tokio::test]
async fn a_rejection_keeps_the_connection_open_once_the_body_has_arrived() {
    let rig = Rig::start().await;
    let mut stream = BufReader::new(connect(&rig).await);
    for (path, kind, status) in [
        ("/rfq/v2/sign", "application/json", "401"),
        ("/nowhere", "application/json", "404"),
        ("/errors", "application/json", "405"),
        ("/rfq/quote", "text/plain", "415"),
    ] {
        let length = QUOTE_BODY.len();
        let request = format!(
            "POST {path} HTTP/1.1\r\nhost: x\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\n\r\n{QUOTE_BODY}"
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        let output = head_of_answer(&mut stream).await;
        assert!(output.starts_with(&format!("http/1.1 {status} ")), "{path}: {output}");
        assert!(!output.contains("connection: close"), "{path}: {output}");
    }
}

#[tokio::test]
async fn responses_to_head_have_no_body() {
    let rig = Rig::start().await;
    for path in ["/rfq/pool", "/errors"] {
        let output = exchange(&rig, &format!("HEAD {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")).await;
        assert!(output.starts_with("HTTP/1.1 ") && output.ends_with("\r\n\r\n"), "{output}");
    }
}

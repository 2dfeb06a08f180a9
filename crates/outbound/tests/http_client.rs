//! The client against servers that behave badly.
#![expect(clippy::unwrap_used, reason = "a test may panic anywhere")]

use std::time::Duration;

use firmquote_outbound::{Error, HttpClient, HttpClientConfig, Retry, read_body};
use http_body_util::Full;
use hyper::{Request, body::Bytes};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
};

const HELLO: &str = "HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello";

async fn listener() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    (listener, url)
}

fn request(url: &str) -> Request<Full<Bytes>> {
    Request::get(url).body(Full::default()).unwrap()
}

fn client(config: HttpClientConfig) -> HttpClient {
    HttpClient::new(config).unwrap()
}

/// Reads the head of a request and writes `response`.
async fn respond(stream: &mut TcpStream, response: &str) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.unwrap());
    }
    stream.write_all(response.as_bytes()).await.unwrap();
}

#[tokio::test]
async fn a_request_is_retried_once_on_a_closed_pooled_connection_if_permitted() {
    for (retry, is_answered) in [(Retry::OnClosedConnection, true), (Retry::Never, false)] {
        let (listener, url) = listener().await;
        let server = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            respond(&mut stream, HELLO).await;
            // The next request is read and the connection ends without a response.
            respond(&mut stream, "").await;
            drop(stream);
            let (mut stream, _) = listener.accept().await.unwrap();
            respond(&mut stream, HELLO).await;
        });
        let client = client(HttpClientConfig::default());
        let first = client.send(request(&url), retry).await.unwrap();
        assert_eq!(read_body(first.into_body(), 5).await.unwrap(), "hello");
        let second = client.send(request(&url), retry).await;
        match second {
            Ok(response) => assert_eq!((response.status().as_u16(), is_answered), (200, true)),
            Err(Error::Interrupted(_)) => assert!(!is_answered),
            Err(error) => panic!("{error:?}"),
        }
        server.abort();
    }
}

#[tokio::test]
async fn a_body_over_the_limit_is_not_read() {
    let (listener, url) = listener().await;
    let server = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        respond(&mut stream, HELLO).await;
    });
    let response = client(HttpClientConfig::default()).send(request(&url), Retry::Never).await.unwrap();
    assert_eq!(read_body(response.into_body(), 4).await, Err(Error::TooLong { max_bytes: 4 }));
    server.await.unwrap();
}

#[tokio::test]
async fn a_truncated_body_is_an_interruption() {
    let (listener, url) = listener().await;
    let server = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        respond(&mut stream, "HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\nhello").await;
    });
    let response = client(HttpClientConfig::default()).send(request(&url), Retry::Never).await.unwrap();
    let body = read_body(response.into_body(), 100).await;
    assert!(matches!(body, Err(Error::Interrupted(_))), "{body:?}");
    server.await.unwrap();
}

#[tokio::test]
async fn a_connection_that_times_out_was_never_used() {
    let (listener, url) = listener().await;
    let certificate = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap().cert.pem();
    let config = HttpClientConfig {
        is_tls: true,
        authorities: Some(certificate.as_bytes()),
        connect_timeout: Some(Duration::from_millis(20)),
        ..HttpClientConfig::default()
    };
    // The server takes the connection and never answers the TLS handshake.
    let sent = client(config).send(request(&url.replace("http", "https")), Retry::OnClosedConnection).await;
    let Err(Error::Connect(message)) = sent else { panic!("{sent:?}") };
    assert!(message.ends_with("no connection within 20 ms"), "{message}");
    drop(listener);
}

#[tokio::test]
async fn an_https_client_calls_plain_urls_only_if_permitted() {
    let (listener, url) = listener().await;
    let server = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        respond(&mut stream, HELLO).await;
    });
    let certificate = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap().cert.pem();
    let config = |allows_plain_http| HttpClientConfig {
        is_tls: true,
        authorities: Some(certificate.as_bytes()),
        allows_plain_http,
        ..HttpClientConfig::default()
    };
    let refused = client(config(false)).send(request(&url), Retry::Never).await;
    assert!(matches!(refused, Err(Error::Connect(_))), "{refused:?}");
    assert!(client(config(true)).send(request(&url), Retry::Never).await.is_ok());
    server.await.unwrap();
}

//! Connection reuse, and responses that are late, truncated, oversized, invalid or missing.

use std::time::Duration;

use firmquote_client::{Address, Client, ClientSettings, Error, Reaction, SwapTerms};
use tokio::{io::AsyncReadExt as _, net::TcpListener};

use crate::server::{QUOTE, Reply, Server, request, response};

const RETRY: Reaction = Reaction::Retry { after: None };

#[tokio::test]
async fn connections_are_kept_alive_and_shared_by_clones() {
    let server = Server::responding(200, "", QUOTE).await;
    let client = server.client();
    for _ in 0..10 {
        client.quote(&request()).await.unwrap();
        client.clone().quote(&request()).await.unwrap();
    }
    assert_eq!((server.connections(), server.requests().len()), (1, 20));
}

#[tokio::test]
async fn a_refused_connection_is_distinguished_from_a_timeout() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let client = Client::new(ClientSettings::new(format!("http://{address}"))).unwrap();
    let error = client.quote(&request()).await.unwrap_err();
    assert!(matches!(error, Error::Unreachable { .. }), "{error:?}");
    assert_eq!(error.reaction(), RETRY);

    let server = Server::start(vec![Reply::Silence]).await;
    let mut settings = server.settings();
    settings.request_timeout = Duration::from_millis(50);
    let error = Client::new(settings).unwrap().quote(&request()).await.unwrap_err();
    assert!(matches!(error, Error::TimedOut { after, .. } if after == Duration::from_millis(50)), "{error:?}");
    assert_eq!(error.reaction(), RETRY);
}

#[tokio::test]
async fn a_stalled_response_body_times_out() {
    let server = Server::start(vec![Reply::Bytes(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{".to_vec())]).await;
    let mut settings = server.settings();
    settings.request_timeout = Duration::from_millis(50);
    let error = Client::new(settings).unwrap().quote(&request()).await.unwrap_err();
    assert!(matches!(error, Error::TimedOut { .. }), "{error:?}");
}

#[tokio::test]
async fn a_pooled_connection_closed_by_the_server_is_replaced() {
    let server = Server::start(vec![response(200, "", QUOTE), Reply::Last(Vec::new()), response(200, "", QUOTE)]).await;
    let client = server.client();
    client.quote(&request()).await.unwrap();
    client.quote(&request()).await.unwrap();
    assert_eq!((server.connections(), server.requests().len()), (2, 3));
}

#[tokio::test]
async fn a_second_closed_connection_is_an_interruption() {
    let server = Server::start(vec![Reply::Last(Vec::new())]).await;
    let error = server.client().quote(&request()).await.unwrap_err();
    assert!(matches!(error, Error::Interrupted { .. }), "{error:?}");
    assert_eq!((error.reaction(), server.requests().len()), (RETRY, 2));
}

#[tokio::test]
async fn a_sent_request_is_interrupted_even_if_reconnecting_fails() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let client = Client::new(ClientSettings::new(format!("http://{}", listener.local_addr().unwrap()))).unwrap();
    let server = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        drop(listener);
        let mut received = Vec::new();
        while !received.ends_with(b"}") {
            assert_ne!(stream.read_buf(&mut received).await.unwrap(), 0);
        }
    });
    let error = client.quote(&request()).await.unwrap_err();
    server.await.unwrap();
    assert!(matches!(error, Error::Interrupted { .. }), "{error:?}");
}

#[tokio::test]
async fn quote_and_sign_is_never_retried() {
    let server = Server::start(vec![Reply::Last(Vec::new())]).await;
    let terms = SwapTerms::transmit_and_swap(Address::ZERO);
    let error = server.client().quote_and_sign(&request(), &terms).await.unwrap_err();
    assert!(matches!(error, Error::Interrupted { .. }), "{error:?}");
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn a_quote_of_firm_levels_is_never_retried() {
    let server = Server::start(vec![Reply::Last(Vec::new())]).await;
    let mut request = request();
    request.levels_id = Some("0198c7a25f7e4b6a9d273c2f7b0e4a11".parse().unwrap());
    let error = server.client().quote(&request).await.unwrap_err();
    assert!(matches!(error, Error::Interrupted { .. }), "{error:?}");
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn a_quote_is_returned_when_signing_fails() {
    let server = Server::start(vec![response(200, "", QUOTE), response(503, "", "{}")]).await;
    let error = server
        .anonymous_client()
        .quote_and_sign(&request(), &SwapTerms::transmit_and_swap(Address::ZERO))
        .await
        .unwrap_err();
    assert_eq!((error.refusal().unwrap().status, error.reaction()), (503, RETRY));
    assert!(error.to_string().ends_with("; quote bdb2784e-107b-4dab-a125-b6f62540d958 was to be signed"), "{error}");
    let Error::QuoteNotSigned { quote, .. } = error else { panic!("{error:?}") };
    assert_eq!(quote.output_amount.to_string(), "2078539413");
}

#[tokio::test]
async fn a_partial_response_is_not_retried() {
    let truncated = b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{".to_vec();
    let server = Server::start(vec![Reply::Last(truncated)]).await;
    let error = server.client().quote(&request()).await.unwrap_err();
    assert!(matches!(error, Error::Interrupted { .. }), "{error:?}");
    assert_eq!(server.requests().len(), 1);
}

#[tokio::test]
async fn invalid_http_is_an_error() {
    let server = Server::start(vec![Reply::Last(b"\xff\xfe nonsense\r\n\r\n".to_vec())]).await;
    let error = server.client().quote(&request()).await.unwrap_err();
    assert!(matches!(error, Error::Interrupted { .. }), "{error:?}");
}

#[tokio::test]
async fn oversized_responses_are_not_read_to_the_end() {
    let with_length = b"HTTP/1.1 200 OK\r\ncontent-length: 9999999999\r\n\r\n".to_vec();
    let without_length = b"HTTP/1.1 200 OK\r\n\r\n".to_vec();
    for head in [with_length, without_length] {
        let server = Server::start(vec![Reply::Endless(head)]).await;
        let error = server.client().quote(&request()).await.unwrap_err();
        let Error::InvalidResponse { status: 200, reason, .. } = &error else { panic!("{error:?}") };
        assert_eq!(reason, "it is longer than 1048576 bytes");
        assert_eq!(error.reaction(), Reaction::GiveUp);
    }
}

#[tokio::test]
async fn redirects_are_not_followed() {
    let target = Server::responding(200, "", QUOTE).await;
    for status in [301, 302, 303, 307, 308] {
        let location = format!("location: http://{}/rfq/v2/quote/1\r\n", target.address);
        let server = Server::responding(status, &location, "").await;
        let error = server.client().quote(&request()).await.unwrap_err();
        assert_eq!(error.refusal().unwrap().status, status);
        assert_eq!(error.reaction(), Reaction::GiveUp);
    }
    assert_eq!(target.connections(), 0);
}

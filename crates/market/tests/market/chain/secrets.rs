//! API keys in node addresses are visible only to the node.

use crate::chain::{
    captured_logs,
    fake::{FakeNode, Reply, Transport},
    running_source::{POLL_INTERVAL, RecordedReserves, RunningSource},
    setup::{config, source_with},
};

pub(crate) const KEY: &str = "0123456789abcdef0123456789abcdef";
const MESSAGE: &str = "project 0123456789abcdef0123456789abcdef has no credit";

#[tokio::test]
async fn keys_never_appear_in_errors_names_or_logs() {
    let http = |status: &str, body: &str| {
        Reply::Raw(format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\n\r\n{body}", body.len()))
    };
    check(Transport::Http, &[http("403 Forbidden", MESSAGE), http("200 OK", MESSAGE)]).await;
}

#[tokio::test]
async fn web_socket_keys_never_appear_in_errors_names_or_logs() {
    let answer = format!(r#"{{"jsonrpc":"2.0","id":null,"error":{{"code":1,"message":"{MESSAGE}"}}}}"#);
    check(Transport::WebSocket, &[Reply::Raw(MESSAGE.to_owned()), Reply::Raw(answer)]).await;
}

/// Makes a node fail in ways that leak its address, including `replies`, and checks everything that is reported.
async fn check(transport: Transport, replies: &[Reply]) {
    captured_logs::start();
    let mut node = FakeNode::start_with(1, transport, None).await;
    let urls = vec![format!("{}/v3/{KEY}", node.url()), format!("{}/?key={KEY}", node.url())];
    let source = source_with(config(urls), POLL_INTERVAL);
    let mut texts = vec![source.name().to_owned()];
    let running = RunningSource::<RecordedReserves>::start(source);
    running.updates.wait("it works", 0, Result::is_ok).await;
    let all = [Reply::Error(-32_001, MESSAGE), Reply::Result(MESSAGE.into()), Reply::Silence];
    for reply in all.iter().chain(replies) {
        let (updates, ends) = (running.updates.all().len(), running.errors.all().len());
        node.reply_to_all(reply.clone());
        running.updates.wait("it fails", updates, Result::is_err).await;
        running.errors.next("it ends", ends, |_| true).await;
    }
    if transport == Transport::WebSocket {
        node.state().handshake_response =
            Some(format!("HTTP/1.1 400 Bad Request\r\ncontent-length: {}\r\n\r\n{MESSAGE}", MESSAGE.len()));
        let updates = running.updates.all().len();
        running.updates.wait("no hands are shaken", updates + 2, Result::is_err).await;
    }
    let (updates, ends) = (running.updates.all().len(), running.errors.all().len());
    node.stop().await;
    running.updates.wait("it is gone", updates + 2, Result::is_err).await;
    running.errors.next("it ends", ends, |_| true).await;

    texts.extend(running.errors.all());
    texts.extend(running.updates.all().iter().map(|update| format!("{update:?}")));
    let is_reported = texts.iter().any(|text| text.contains("its response contains a part of its address"));
    assert!(is_reported || transport == Transport::WebSocket, "{texts:?}");
    assert!(captured_logs::has_requests(), "the log is written");
    for text in texts {
        assert!(!text.contains(KEY), "{}", text.lines().find(|line| line.contains(KEY)).unwrap_or_default());
    }
    assert_eq!(captured_logs::leaks(), Vec::<String>::new());
}

//! Keys in addresses: nobody sees them but the node.

use crate::chain::{
    fake::{FakeNode, Reply, Speaks},
    hearing::{MOMENT, Reserves, Running},
    logs,
    setup::{access, source_of},
};

pub(crate) const KEY: &str = "0123456789abcdef0123456789abcdef";
const MESSAGE: &str = "project 0123456789abcdef0123456789abcdef has no credit";

#[tokio::test]
async fn keys_never_appear_in_errors_names_or_logs() {
    let http = |status: &str, body: &str| {
        Reply::Raw(format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\n\r\n{body}", body.len()))
    };
    check(Speaks::Http, &[http("403 Forbidden", MESSAGE), http("200 OK", MESSAGE)]).await;
}

#[tokio::test]
async fn web_socket_keys_never_appear_in_errors_names_or_logs() {
    let answer = format!(r#"{{"jsonrpc":"2.0","id":null,"error":{{"code":1,"message":"{MESSAGE}"}}}}"#);
    check(Speaks::WebSocket, &[Reply::Raw(MESSAGE.to_owned()), Reply::Raw(answer)]).await;
}

/// Has a node fail in ways that betray its address, among them `replies`, and looks at everything that is reported.
async fn check(speaks: Speaks, replies: &[Reply]) {
    logs::start();
    let mut node = FakeNode::start_with(1, speaks, None).await;
    let urls = vec![format!("{}/v3/{KEY}", node.url()), format!("{}/?key={KEY}", node.url())];
    let source = source_of(access(urls), MOMENT);
    let mut said = vec![source.name().to_owned()];
    let running = Running::<Reserves>::start(source);
    running.updates.wait("it works", 0, Result::is_ok).await;
    let all = [Reply::Error(-32_001, MESSAGE), Reply::Result(MESSAGE.into()), Reply::Silence];
    for reply in all.iter().chain(replies) {
        let (updates, ends) = (running.updates.all().len(), running.ends.all().len());
        node.fail(reply.clone());
        running.updates.wait("it fails", updates, Result::is_err).await;
        running.ends.next("it ends", ends, |_| true).await;
    }
    if speaks == Speaks::WebSocket {
        node.part().handshake =
            Some(format!("HTTP/1.1 400 Bad Request\r\ncontent-length: {}\r\n\r\n{MESSAGE}", MESSAGE.len()));
        let updates = running.updates.all().len();
        running.updates.wait("no hands are shaken", updates + 2, Result::is_err).await;
    }
    let (updates, ends) = (running.updates.all().len(), running.ends.all().len());
    node.end().await;
    running.updates.wait("it is gone", updates + 2, Result::is_err).await;
    running.ends.next("it ends", ends, |_| true).await;

    said.extend(running.ends.all());
    said.extend(running.updates.all().iter().map(|said| format!("{said:?}")));
    let is_named = said.iter().any(|text| text.contains("its response contains a part of its address"));
    assert!(is_named || speaks == Speaks::WebSocket, "{said:?}");
    assert!(logs::has_questions(), "the log is written");
    for text in said {
        assert!(!text.contains(KEY), "{}", text.lines().find(|line| line.contains(KEY)).unwrap_or_default());
    }
    assert_eq!(logs::betrayals(), Vec::<String>::new());
}

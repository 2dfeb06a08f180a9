//! Keys in addresses: nobody sees them but the node.

use std::{
    io,
    sync::{Arc, Mutex},
};

use tracing_subscriber::{filter::LevelFilter, fmt::MakeWriter};

use crate::{
    fake::{Fake, Reply, Speaks},
    hearing::{MOMENT, Reserves, Running},
    setup::{access, source_of},
};

const KEY: &str = "0123456789abcdef0123456789abcdef";
const MESSAGE: &str = "project 0123456789abcdef0123456789abcdef has no credit";

/// Everything that is logged.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

#[tokio::test]
async fn keys_are_in_no_error_no_name_and_no_log() {
    let http = |status: &str, body: &str| {
        Reply::Raw(format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\n\r\n{body}", body.len()))
    };
    check(Speaks::Http, &[http("403 Forbidden", MESSAGE), http("200 OK", MESSAGE)]).await;
}

#[tokio::test]
async fn keys_of_web_sockets_are_in_no_error_no_name_and_no_log() {
    let answer = format!(r#"{{"jsonrpc":"2.0","id":null,"error":{{"code":1,"message":"{MESSAGE}"}}}}"#);
    check(Speaks::WebSocket, &[Reply::Raw(MESSAGE.to_owned()), Reply::Raw(answer)]).await;
}

/// Has a node fail in ways that betray its address, among them `replies`, and looks at everything that is told.
async fn check(speaks: Speaks, replies: &[Reply]) {
    let log = Log::default();
    let subscriber = tracing_subscriber::fmt().with_max_level(LevelFilter::TRACE).with_writer(log.clone()).finish();
    // The runtime of this test has one thread, this one.
    let _guard = tracing::subscriber::set_default(subscriber);

    let mut node = Fake::start_with(1, speaks, None).await;
    let urls = vec![format!("{}/v3/{KEY}", node.url()), format!("{}/?key={KEY}", node.url())];
    let source = source_of(access(urls), MOMENT);
    let mut said = vec![source.name().to_owned()];
    let running = Running::<Reserves>::start(source);
    running.heard.wait("it works", 0, Result::is_ok).await;
    let all = [Reply::Error(-32_001, MESSAGE), Reply::Result(MESSAGE.into()), Reply::Silence];
    for reply in all.iter().chain(replies) {
        let (heard, ends) = (running.heard.all().len(), running.ends.all().len());
        node.fail(reply.clone());
        running.heard.wait("it fails", heard, Result::is_err).await;
        running.ends.next("it ends", ends, |_| true).await;
    }
    if speaks == Speaks::WebSocket {
        node.part().handshake =
            Some(format!("HTTP/1.1 400 Bad Request\r\ncontent-length: {}\r\n\r\n{MESSAGE}", MESSAGE.len()));
        let heard = running.heard.all().len();
        running.heard.wait("no hands are shaken", heard + 2, Result::is_err).await;
    }
    let (heard, ends) = (running.heard.all().len(), running.ends.all().len());
    node.end().await;
    running.heard.wait("it is gone", heard + 2, Result::is_err).await;
    running.ends.next("it ends", ends, |_| true).await;

    said.extend(running.ends.all());
    said.extend(running.heard.all().iter().map(|said| format!("{said:?}")));
    said.push(String::from_utf8(log.0.lock().unwrap().clone()).unwrap());
    let is_named = said.iter().any(|text| text.contains("its answer holds a part of its address"));
    assert!(is_named || speaks == Speaks::WebSocket, "{said:?}");
    assert!(said.last().is_some_and(|log| log.contains("eth_chainId")), "the log is written");
    for text in said {
        assert!(!text.contains(KEY), "{}", text.lines().find(|line| line.contains(KEY)).unwrap_or_default());
    }
}

//! Keys in addresses: nobody sees them but the node.

use std::{
    io,
    sync::{Arc, Mutex},
};

use tracing_subscriber::{filter::LevelFilter, fmt::MakeWriter};

use crate::{
    fake::{Fake, Reply},
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
    let log = Log::default();
    let subscriber = tracing_subscriber::fmt().with_max_level(LevelFilter::TRACE).with_writer(log.clone()).finish();
    // The runtime of this test has one thread, this one.
    let _guard = tracing::subscriber::set_default(subscriber);

    let mut node = Fake::start(1).await;
    let urls = vec![format!("{}/v3/{KEY}", node.url()), format!("{}/?key={KEY}", node.url())];
    let source = source_of(access(urls), MOMENT);
    let mut said = vec![source.name().to_owned()];
    let running = Running::<Reserves>::start(source);
    running.heard.wait("it works", 0, Result::is_ok).await;
    for reply in [
        Reply::Error(-32_001, MESSAGE),
        Reply::Raw(format!("HTTP/1.1 403 Forbidden\r\ncontent-length: {}\r\n\r\n{MESSAGE}", MESSAGE.len())),
        Reply::Raw(format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{MESSAGE}", MESSAGE.len())),
        Reply::Result(MESSAGE.into()),
        Reply::Silence,
    ] {
        let (heard, ends) = (running.heard.all().len(), running.ends.all().len());
        node.fail(reply);
        running.heard.wait("it fails", heard, Result::is_err).await;
        running.ends.next("it ends", ends, |_| true).await;
    }
    let (heard, ends) = (running.heard.all().len(), running.ends.all().len());
    node.end().await;
    running.heard.wait("it is gone", heard + 2, Result::is_err).await;
    running.ends.next("it ends", ends, |_| true).await;

    said.extend(running.ends.all());
    said.extend(running.heard.all().iter().map(|said| format!("{said:?}")));
    said.push(String::from_utf8(log.0.lock().unwrap().clone()).unwrap());
    assert!(said.iter().any(|text| text.contains("its answer holds a part of its address")), "{said:?}");
    assert!(said.last().is_some_and(|log| log.contains("eth_chainId")), "the log is written");
    for text in said {
        assert!(!text.contains(KEY), "{}", text.lines().find(|line| line.contains(KEY)).unwrap_or_default());
    }
}

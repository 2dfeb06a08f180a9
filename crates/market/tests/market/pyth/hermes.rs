//! A fake Hermes over HTTP/1.1, with its recorded messages, and sources of it.

use std::{net::SocketAddr, sync::Arc};

use firmquote_market::pyth::{PythConfig, PythSource};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _},
    net::TcpStream,
    time::timeout,
};

use crate::{
    server::{TestServer, symbol},
    source_run::TEST_TIMEOUT,
};

pub(crate) const ETH: &str = "ff61491a931112ddf1bd8147cd1b641375f79f5825126d665480874634fd0ace";
pub(crate) const BTC: &str = "e62df6c8b4a85fe1a67db44dc12de5db330f7ac66b72dc658afedf0f4a415b43";

/// The time of the recorded events, in seconds.
pub(crate) const RECORDED_AT: u64 = 1_785_143_368;

/// Configures ETH, also under a second name, and BTC, of the Hermes at `address`; no timeout is reached.
pub(crate) fn config(address: SocketAddr) -> PythConfig {
    let feeds = [(ETH, "ETH"), (BTC, "BTC"), (ETH, "WETH")];
    PythConfig {
        base_url: format!("http://{address}"),
        api_key: None,
        authorities: None,
        feeds: feeds.map(|(id, name)| (id.parse().expect("an identifier"), symbol(name))).to_vec(),
        connect_timeout: TEST_TIMEOUT,
        idle_timeout: TEST_TIMEOUT,
        lifetime: TEST_TIMEOUT,
    }
}

pub(crate) fn source(config: PythConfig) -> Arc<PythSource> {
    Arc::new(PythSource::new(config).expect("a usable configuration"))
}

impl TestServer {
    /// Receives the next request.
    pub(crate) async fn request(&self) -> Exchange<TcpStream> {
        Exchange::receive(self.connection().await).await
    }

    /// Receives the next request, and responds with the head of a stream.
    pub(crate) async fn stream(&self) -> Exchange<TcpStream> {
        let mut exchange = self.request().await;
        exchange.start_stream().await;
        exchange
    }
}

/// A request and the response to it.
pub(crate) struct Exchange<S> {
    /// The head of the request.
    pub(crate) head: String,
    connection: S,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Exchange<S> {
    /// Receives the request on `connection`.
    pub(crate) async fn receive(mut connection: S) -> Self {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(timeout(TEST_TIMEOUT, connection.read_u8()).await.expect("a request").expect("a whole request"));
        }
        Self { head: String::from_utf8(head).expect("text"), connection }
    }

    /// Sends `text` as it is, unless the client is gone.
    pub(crate) async fn send_raw(&mut self, text: &str) {
        drop(self.connection.write_all(text.as_bytes()).await);
        drop(self.connection.flush().await);
    }

    /// Responds with `head` and no body.
    pub(crate) async fn respond(&mut self, head: &str) {
        self.send_raw(&format!("HTTP/1.1 {head}\r\ncontent-length: 0\r\n\r\n")).await;
    }

    /// Responds with the head of a stream of Hermes.
    pub(crate) async fn start_stream(&mut self) {
        let head = "content-type: text/event-stream\r\ncache-control: no-cache\r\ntransfer-encoding: chunked";
        self.send_raw(&format!("HTTP/1.1 200 OK\r\n{head}\r\n\r\n")).await;
    }

    /// Sends a chunk of the body.
    pub(crate) async fn send_chunk(&mut self, text: &str) {
        self.send_raw(&format!("{:x}\r\n{text}\r\n", text.len())).await;
    }

    /// Sends an event with this data.
    pub(crate) async fn send_event(&mut self, data: &str) {
        self.send_chunk(&format!("data:{data}\n\n")).await;
    }

    /// Sends an event with these feeds.
    pub(crate) async fn send_update(&mut self, feeds: &[Value]) {
        self.send_event(&update(feeds)).await;
    }

    /// Waits until the client is gone.
    pub(crate) async fn wait_for_end(mut self) {
        let mut rest = Vec::new();
        let read = timeout(TEST_TIMEOUT, self.connection.read_to_end(&mut rest)).await.expect("the client goes");
        assert!(read.is_err() || rest.is_empty(), "the client sends more: {rest:?}");
    }
}

/// Returns the data of an event with these feeds.
pub(crate) fn update(feeds: &[Value]) -> String {
    json!({"binary": {"encoding": "hex", "data": ["504e41550100000003b801"]}, "parsed": feeds}).to_string()
}

/// Returns a recorded feed with another price.
pub(crate) fn recorded_feed(id: &str, price: &str) -> Value {
    json!({
        "id": id,
        "price": {"price": price, "conf": "87908136", "expo": -8, "publish_time": RECORDED_AT},
        "ema_price": {"price": "196361740000", "conf": "69342421", "expo": -8, "publish_time": RECORDED_AT},
        "metadata": {"slot": 304_918_931, "proof_available_time": 1_785_143_370, "prev_publish_time": RECORDED_AT},
    })
}

/// Returns a recorded feed with one value of its price replaced.
pub(crate) fn feed_with(id: &str, name: &str, value: Value) -> Value {
    let mut feed = recorded_feed(id, "195656091864");
    feed["price"][name] = value;
    feed
}

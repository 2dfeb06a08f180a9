//! A Hermes that says what a test tells it to, over HTTP/1.1 as the real one does.

use std::net::SocketAddr;

use serde_json::{Value, json};
use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    time::timeout,
};

use crate::listener::PATIENCE;

pub(crate) const ETH: &str = "ff61491a931112ddf1bd8147cd1b641375f79f5825126d665480874634fd0ace";
pub(crate) const BTC: &str = "e62df6c8b4a85fe1a67db44dc12de5db330f7ac66b72dc658afedf0f4a415b43";

/// The time of the recorded events, in seconds.
pub(crate) const RECORDED_AT: u64 = 1_785_143_368;

pub(crate) struct Hermes(TcpListener);

impl Hermes {
    pub(crate) async fn start() -> Self {
        Self::start_at(SocketAddr::from(([127, 0, 0, 1], 0))).await
    }

    /// One that takes the place of one that is gone.
    pub(crate) async fn start_at(address: SocketAddr) -> Self {
        Self(TcpListener::bind(address).await.expect("a free port"))
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.0.local_addr().expect("bound")
    }

    /// A connection that nothing was read of.
    pub(crate) async fn connection(&self) -> TcpStream {
        timeout(PATIENCE, self.0.accept()).await.expect("somebody connects").expect("a connection").0
    }

    /// The next request.
    pub(crate) async fn request(&self) -> Exchange<TcpStream> {
        Exchange::of(self.connection().await).await
    }

    /// The next request, answered with the head of a stream.
    pub(crate) async fn stream(&self) -> Exchange<TcpStream> {
        let mut exchange = self.request().await;
        exchange.begin().await;
        exchange
    }
}

/// A request and the answer to it.
pub(crate) struct Exchange<S> {
    /// The head of the request.
    pub(crate) head: String,
    connection: S,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Exchange<S> {
    pub(crate) async fn of(mut connection: S) -> Self {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(timeout(PATIENCE, connection.read_u8()).await.expect("a request").expect("a whole request"));
        }
        Self { head: String::from_utf8(head).expect("text"), connection }
    }

    /// Sends this and nothing around it. A client that left receives no more.
    pub(crate) async fn raw(&mut self, text: &str) {
        drop(self.connection.write_all(text.as_bytes()).await);
        drop(self.connection.flush().await);
    }

    /// Answers with `head` and no body.
    pub(crate) async fn refuse(&mut self, head: &str) {
        self.raw(&format!("HTTP/1.1 {head}\r\ncontent-length: 0\r\n\r\n")).await;
    }

    /// The head that Hermes answers with.
    pub(crate) async fn begin(&mut self) {
        let head = "content-type: text/event-stream\r\ncache-control: no-cache\r\ntransfer-encoding: chunked";
        self.raw(&format!("HTTP/1.1 200 OK\r\n{head}\r\n\r\n")).await;
    }

    /// One chunk of the body.
    pub(crate) async fn chunk(&mut self, text: &str) {
        self.raw(&format!("{:x}\r\n{text}\r\n", text.len())).await;
    }

    /// One event of that data.
    pub(crate) async fn event(&mut self, data: &str) {
        self.chunk(&format!("data:{data}\n\n")).await;
    }

    /// One event with these feeds.
    pub(crate) async fn update(&mut self, feeds: &[Value]) {
        self.event(&update(feeds)).await;
    }

    /// Waits until the client has gone.
    pub(crate) async fn wait_for_end(mut self) {
        let mut rest = Vec::new();
        let read = timeout(PATIENCE, self.connection.read_to_end(&mut rest)).await.expect("the client goes");
        assert!(read.is_err() || rest.is_empty(), "the client says more: {rest:?}");
    }
}

/// The data of an event with these feeds.
pub(crate) fn update(feeds: &[Value]) -> String {
    json!({"binary": {"encoding": "hex", "data": ["504e41550100000003b801"]}, "parsed": feeds}).to_string()
}

/// A feed as it was recorded, but for its price.
pub(crate) fn feed(id: &str, price: &str) -> Value {
    json!({
        "id": id,
        "price": {"price": price, "conf": "87908136", "expo": -8, "publish_time": RECORDED_AT},
        "ema_price": {"price": "196361740000", "conf": "69342421", "expo": -8, "publish_time": RECORDED_AT},
        "metadata": {"slot": 304_918_931, "proof_available_time": 1_785_143_370, "prev_publish_time": RECORDED_AT},
    })
}

/// A feed with one value of its price replaced.
pub(crate) fn feed_with(id: &str, name: &str, value: Value) -> Value {
    let mut feed = feed(id, "195656091864");
    feed["price"][name] = value;
    feed
}

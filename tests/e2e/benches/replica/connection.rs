//! A client that costs as little as a client can: prepared requests, one buffer, no parsing but for the length.

use std::net::SocketAddr;

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

/// A connection that is kept.
pub(crate) struct Connection {
    stream: TcpStream,
    received: Vec<u8>,
}

impl Connection {
    pub(crate) async fn open(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).await.expect("the service listens");
        stream.set_nodelay(true).expect("a socket");
        Self { stream, received: Vec::with_capacity(4_096) }
    }

    /// Sends a whole request and returns the body of the answer, which has to be a 200.
    pub(crate) async fn exchange(&mut self, request: &[u8]) -> &[u8] {
        self.stream.write_all(request).await.expect("the service reads");
        self.received.clear();
        loop {
            let read = self.stream.read_buf(&mut self.received).await.expect("the service answers");
            assert!(read > 0, "the service closed the connection");
            if let Some(start) = body(&self.received) {
                return self.received.get(start..).unwrap_or_default();
            }
        }
    }
}

/// Where the body starts, once it is there as a whole.
fn body(answer: &[u8]) -> Option<usize> {
    let start = answer.windows(4).position(|end| end == b"\r\n\r\n")? + 4;
    let head = std::str::from_utf8(answer.get(..start)?).expect("a head in ASCII");
    assert!(head.starts_with("HTTP/1.1 200 "), "{}", String::from_utf8_lossy(answer));
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
    let length: usize = length.and_then(|length| length.parse().ok()).expect("a length");
    (answer.len() >= start + length).then_some(start)
}

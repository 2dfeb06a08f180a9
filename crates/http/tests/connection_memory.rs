//! The memory of a connection whose client sends requests and reads nothing is bounded, whatever the requests.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "http/support/mod.rs"]
#[expect(dead_code, unused_imports, reason = "other tests need more of it")]
#[cfg(test)]
mod support;

use std::time::Duration;

use firmquote_http::ConnectionSettings;
use support::{Rig, Start};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpSocket, TcpStream},
    time::timeout,
};

#[global_allocator]
static ALLOCATOR: dhat::Alloc = dhat::Alloc;

const CONNECTIONS: usize = 100;
/// The maximum heap memory of one connection, in bytes.
const MAX_HEAP_BYTES: usize = 64 * 1_024;
const PATIENCE: Duration = Duration::from_secs(60);

/// Opens a connection and sends requests until the server reads no more; reads no response.
async fn flood(rig: &Rig, request: &str) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4_096).unwrap();
    socket.set_send_buffer_size(4_096).unwrap();
    let mut stream = socket.connect(rig.base.trim_start_matches("http://").parse().unwrap()).await.unwrap();
    let requests = request.repeat(64);
    // Until no more can be sent.
    while let Ok(written) = timeout(Duration::from_millis(200), stream.write_all(requests.as_bytes())).await {
        written.unwrap();
    }
    stream
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_never_reads_uses_bounded_memory() {
    let _profiler = dhat::Profiler::builder().testing().build();
    let forever = Duration::from_secs(3_600);
    let connections = ConnectionSettings {
        workers: 1,
        max_connections_per_address: 10_000,
        write_timeout: forever,
        head_timeout: forever,
        ..ConnectionSettings::default()
    };
    let rig = Rig::start_with(Start { connections, ..Start::default() }).await;
    for request in [
        "GET /errors HTTP/1.1\r\nhost: x\r\n\r\n",
        "GET /a HTTP/1.1\r\nhost:x\r\n\r\n",
        "GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n",
        "GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nhost: x\r\naccept-encoding: gzip\r\n\r\n",
    ] {
        // Warms up everything that is allocated once.
        drop(flood(&rig, request).await);
        let before = dhat::HeapStats::get().curr_bytes;
        let mut streams = Vec::new();
        for _ in 0..CONNECTIONS / 10 {
            let ten: [_; 10] = std::array::from_fn(|_| flood(&rig, request));
            streams.extend(futures_util::future::join_all(ten).await);
        }
        let each = dhat::HeapStats::get().curr_bytes.saturating_sub(before) / streams.len();
        println!("{} bytes of heap for each connection: {}", each, request.lines().next().unwrap_or_default());
        assert!(each < MAX_HEAP_BYTES, "{each} bytes for {request:?}");
        let mut first = streams.swap_remove(0);
        let mut some = [0; 64];
        timeout(PATIENCE, first.read_exact(&mut some)).await.expect("what was answered is there").unwrap();
    }
}

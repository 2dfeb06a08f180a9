//! The streams of subscribers, over Server-Sent Events and WebSockets.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use anyhow::{Context as _, ensure};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    time::timeout,
};

use super::configuration::key;

/// How long all subscribers may take to connect.
const OPEN_TIMEOUT: Duration = Duration::from_secs(60);

/// The state that all subscribers share.
#[derive(Default)]
pub(super) struct SubscriberState {
    pub(super) bytes: AtomicU64,
    pub(super) is_over: AtomicBool,
}

pub(super) fn now_us() -> u64 {
    let elapsed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX)
}

/// Opens a stream over either transport.
pub(super) async fn open(address: &str, path: &str, client: u32, is_socket: bool) -> anyhow::Result<TcpStream> {
    let opening = async {
        let mut stream = TcpStream::connect(address).await?;
        let (route, upgrade) = if is_socket {
            let upgrade = "connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n\
                sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
            ("/ws", upgrade)
        } else {
            ("/stream", "")
        };
        let (path, key) = (path.replace("{}", route), key(client));
        let head = format!("GET {path} HTTP/1.1\r\nhost: {address}\r\nx-api-key: {key}\r\n{upgrade}\r\n");
        stream.write_all(head.as_bytes()).await?;
        let mut status = [0; 12];
        stream.read_exact(&mut status).await?;
        let expected: &[u8] = if is_socket { b"HTTP/1.1 101" } else { b"HTTP/1.1 200" };
        ensure!(status == expected, "a stream returned {}", String::from_utf8_lossy(&status));
        Ok(stream)
    };
    timeout(OPEN_TIMEOUT, opening).await.context("a stream did not open in time")?
}

/// Counts the bytes of a stream until it ends.
pub(super) async fn count(mut stream: TcpStream, state: Arc<SubscriberState>) {
    let mut buffer = vec![0; 65_536];
    while let Ok(read @ 1..) = stream.read(&mut buffer).await {
        state.bytes.fetch_add(u64::try_from(read).unwrap_or(0), Ordering::Relaxed);
    }
}

/// Reads every message of a stream of events. Returns the latency of each book, and the mean size of a book in bytes.
pub(super) async fn sample(mut stream: TcpStream, state: Arc<SubscriberState>) -> anyhow::Result<(Vec<Duration>, f64)> {
    const EVENT: &[u8] = b"event: book";
    const TIME: &[u8] = b"\"as_of_ms\":";
    let (mut text, mut buffer, mut latencies, mut bytes) = (Vec::new(), vec![0; 65_536], Vec::new(), 0_u32);
    while !state.is_over.load(Ordering::Relaxed) {
        let read = stream.read(&mut buffer).await?;
        ensure!(read > 0, "the service ended the stream");
        text.extend_from_slice(buffer.get(..read).unwrap_or_default());
        let now = now_us();
        while let Some(end) = text.windows(2).position(|end| end == b"\n\n") {
            let event: Vec<u8> = text.drain(..end + 2).collect();
            if !event.windows(EVENT.len()).any(|part| part == EVENT) {
                continue;
            }
            let start = event.windows(TIME.len()).position(|part| part == TIME).context("the book has no time")?;
            let digits = event.get(start + TIME.len()..).unwrap_or_default();
            let digits: Vec<u8> = digits.iter().copied().take_while(u8::is_ascii_digit).collect();
            let as_of_ms: u64 = std::str::from_utf8(&digits)?.parse()?;
            latencies.push(Duration::from_micros(now.saturating_sub(as_of_ms * 1_000)));
            bytes = bytes.saturating_add(u32::try_from(event.len())?);
        }
    }
    let books = u32::try_from(latencies.len().max(1))?;
    Ok((latencies, f64::from(bytes) / f64::from(books)))
}

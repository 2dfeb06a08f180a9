//! The buffer limits of WebSocket connections to exchanges and nodes: a peer cannot exhaust our memory.

use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;

/// The size of the read buffer, in bytes.
const READ_BUFFER_BYTES: usize = 1 << 14;

/// The maximum size of buffered outgoing data, in bytes; many times larger than any request. Beyond it a request fails,
/// and a pong is replaced by the next one.
const MAX_WRITE_BUFFER: usize = 1 << 16;

/// Returns the configuration of a connection that rejects messages of more than `max_bytes` bytes.
pub(crate) fn with_max_message_bytes(max_bytes: usize) -> WebSocketConfig {
    WebSocketConfig::default()
        .read_buffer_size(READ_BUFFER_BYTES)
        .write_buffer_size(0)
        .max_write_buffer_size(MAX_WRITE_BUFFER)
        .max_message_size(Some(max_bytes))
        .max_frame_size(Some(max_bytes))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use futures_util::StreamExt as _;
    use tokio::{
        io::{AsyncReadExt as _, AsyncWriteExt as _, duplex, split},
        time::timeout,
    };
    use tokio_tungstenite::{
        WebSocketStream,
        tungstenite::{Error, Message, protocol::Role},
    };

    use super::*;

    #[tokio::test]
    async fn a_message_that_is_too_long_is_refused_by_its_head() {
        for (bytes, is_refused) in [(1_u64 << 10, false), ((1 << 10) + 1, true)] {
            let (near, mut far) = duplex(1 << 12);
            let mut socket =
                WebSocketStream::from_raw_socket(near, Role::Client, Some(with_max_message_bytes(1 << 10))).await;
            // Final, text, not masked, a length of 64 bits (RFC 6455, section 5.2); the content follows or is missing.
            far.write_all(&[&[0x81, 127][..], &bytes.to_be_bytes()].concat()).await.unwrap();
            if !is_refused {
                far.write_all(&[b' '; 1 << 10]).await.unwrap();
            }
            let message = socket.next().await.unwrap();
            assert_eq!(matches!(message, Err(Error::Capacity(_))), is_refused, "{bytes}: {message:?}");
        }
    }

    #[tokio::test]
    async fn answers_to_pings_that_the_peer_does_not_read_are_dropped() {
        // A ping without a payload, and the size of its pong, which is masked.
        const PING: [u8; 2] = [0x89, 0];
        const TEXT: [u8; 2] = [0x81, 0];
        const PINGS: usize = 100_000;
        const PONG_BYTES: usize = 6;
        let (near, far) = duplex(1 << 10);
        let (mut read, mut write) = split(far);
        let mut socket =
            WebSocketStream::from_raw_socket(near, Role::Client, Some(with_max_message_bytes(1 << 10))).await;
        tokio::spawn(async move {
            write.write_all(&PING.repeat(PINGS)).await.unwrap();
            write.write_all(&TEXT).await.unwrap();
            std::future::pending::<()>().await;
        });
        while !matches!(socket.next().await, Some(Ok(Message::Text(_)))) {}

        // The buffered data is sent once the peer reads.
        let mut received = 0;
        let reading = async {
            let mut bytes = [0; 1 << 12];
            while let Ok(Ok(count)) = timeout(Duration::from_millis(500), read.read(&mut bytes)).await {
                received += count;
            }
        };
        tokio::select! {
            message = socket.next() => panic!("{message:?}"),
            () = reading => {}
        }
        assert!((1..=MAX_WRITE_BUFFER + (1 << 11)).contains(&received), "{received} of {}", PINGS * PONG_BYTES);
    }
}

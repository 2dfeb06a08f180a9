//! The WebSocket server of a fake exchange.

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::Value;
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpStream,
    time::timeout,
};
use tokio_tungstenite::{
    WebSocketStream, accept_hdr_async,
    tungstenite::{
        Message,
        handshake::server::{ErrorResponse, Request, Response},
    },
};

use crate::{server::TestServer, source_run::TEST_TIMEOUT};

impl TestServer {
    /// Accepts the next client and its handshake.
    pub(crate) async fn client(&self) -> Client<TcpStream> {
        Client::accept(self.connection().await).await
    }

    /// Responds to the next handshake with `rejection`.
    pub(crate) async fn reject(&self, rejection: ErrorResponse) {
        #[expect(clippy::result_large_err, reason = "the library's own type")]
        let reject = |_: &Request, _: Response| Err(rejection);
        accept_hdr_async(self.connection().await, reject).await.expect_err("rejected");
    }
}

/// Returns a rejection with this status and header.
pub(crate) fn rejection(status: u16, header: Option<(&'static str, &str)>) -> ErrorResponse {
    let mut builder = Response::builder().status(status);
    if let Some((name, value)) = header {
        builder = builder.header(name, value);
    }
    builder.body(None).expect("a response")
}

/// A connected client.
pub(crate) struct Client<S> {
    /// The path and query of its handshake.
    pub(crate) target: String,
    socket: WebSocketStream<S>,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Client<S> {
    /// Accepts the handshake on `connection`.
    pub(crate) async fn accept(connection: S) -> Self {
        let mut target = String::new();
        #[expect(clippy::result_large_err, reason = "the library's own type")]
        let record_target = |request: &Request, response: Response| {
            target = request.uri().to_string();
            Ok(response)
        };
        let socket = accept_hdr_async(connection, record_target).await.expect("a handshake");
        Self { target, socket }
    }

    /// Sends `message`, unless the client is gone.
    pub(crate) async fn send(&mut self, message: Message) {
        drop(self.socket.send(message).await);
    }

    pub(crate) async fn send_text(&mut self, text: &str) {
        self.send(Message::text(text)).await;
    }

    /// Returns the next message of the client, or `None` once it is gone.
    pub(crate) async fn next(&mut self) -> Option<Message> {
        timeout(TEST_TIMEOUT, self.socket.next()).await.expect("the client sends a message or goes")?.ok()
    }

    /// Returns the next request of the client; it may send pings before.
    pub(crate) async fn request(&mut self) -> Value {
        loop {
            match self.next().await.expect("a message") {
                Message::Text(text) if text != "ping" => return serde_json::from_str(&text).expect("JSON"),
                _ => {}
            }
        }
    }

    /// Returns the connection below the WebSocket.
    pub(crate) fn into_connection(self) -> S {
        self.socket.into_inner()
    }
}

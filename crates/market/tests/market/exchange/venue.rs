//! An exchange that says what a test tells it to, over real WebSockets.

use std::net::SocketAddr;

use futures_util::{SinkExt as _, StreamExt as _};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::{TcpListener, TcpStream},
    time::timeout,
};
use tokio_tungstenite::{
    WebSocketStream, accept_hdr_async,
    tungstenite::{
        Message,
        handshake::server::{ErrorResponse, Request, Response},
    },
};

use crate::listener::PATIENCE;

pub(crate) struct Venue(TcpListener);

impl Venue {
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

    /// The next client, hands shaken.
    pub(crate) async fn client(&self) -> Client<TcpStream> {
        Client::of(self.connection().await).await
    }

    /// Answers the next handshake with `refusal`.
    pub(crate) async fn refuse(&self, refusal: ErrorResponse) {
        #[expect(clippy::result_large_err, reason = "the library's own type")]
        let refuse = |_: &Request, _: Response| Err(refusal);
        accept_hdr_async(self.connection().await, refuse).await.expect_err("refused");
    }
}

/// A refusal with that status and header.
pub(crate) fn refusal(status: u16, header: Option<(&'static str, &str)>) -> ErrorResponse {
    let mut builder = Response::builder().status(status);
    if let Some((name, value)) = header {
        builder = builder.header(name, value);
    }
    builder.body(None).expect("a response")
}

/// A client that is connected.
pub(crate) struct Client<S> {
    /// What it asked for in the handshake.
    pub(crate) target: String,
    socket: WebSocketStream<S>,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Client<S> {
    pub(crate) async fn of(connection: S) -> Self {
        let mut target = String::new();
        #[expect(clippy::result_large_err, reason = "the library's own type")]
        let note = |request: &Request, response: Response| {
            target = request.uri().to_string();
            Ok(response)
        };
        let socket = accept_hdr_async(connection, note).await.expect("a handshake");
        Self { target, socket }
    }

    /// A client that left receives no more.
    pub(crate) async fn send(&mut self, message: Message) {
        drop(self.socket.send(message).await);
    }

    pub(crate) async fn text(&mut self, text: &str) {
        self.send(Message::text(text)).await;
    }

    /// What the client says next, or `None` when it is gone.
    pub(crate) async fn next(&mut self) -> Option<Message> {
        timeout(PATIENCE, self.socket.next()).await.expect("the client says something or goes")?.ok()
    }

    /// The connection below, for what no WebSocket says.
    pub(crate) fn into_connection(self) -> S {
        self.socket.into_inner()
    }
}

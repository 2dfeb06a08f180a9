//! A fake node of a simulated chain, over HTTP or WebSockets, with scripted failures.

mod contracts;
mod http;
mod state;
mod web_socket;

use std::sync::{Arc, Mutex, MutexGuard};

use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpListener,
    task::{JoinHandle, JoinSet},
};
use tokio_rustls::TlsAcceptor;

pub(crate) use contracts::{Aggregator, DomainOwner, POOL, SingleUsePool, SwapPool, Token, VerifyingPool, books};
pub(crate) use state::{Block, NodeState, Reply, TIME};

pub(crate) const CHAIN_ID: u64 = 7;

/// The transport of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Transport {
    Http,
    WebSocket,
}

/// A node on its own port.
pub(crate) struct FakeNode {
    address: String,
    state: Arc<Mutex<NodeState>>,
    server: Option<JoinHandle<()>>,
    transport: Transport,
    tls: Option<TlsAcceptor>,
}

impl FakeNode {
    /// Starts a node over HTTP; `id` identifies it in its responses.
    pub(crate) async fn start(id: u64) -> Self {
        Self::start_with(id, Transport::Http, None).await
    }

    /// Starts a node, with TLS if there is an acceptor.
    pub(crate) async fn start_with(id: u64, transport: Transport, tls: Option<TlsAcceptor>) -> Self {
        let state = Arc::new(Mutex::new(NodeState::new(id)));
        let mut fake = Self { address: "127.0.0.1:0".to_owned(), state, server: None, transport, tls };
        fake.listen().await;
        fake
    }

    /// Listens for connections, on the previous port if there is one.
    pub(crate) async fn listen(&mut self) {
        let listener = TcpListener::bind(&self.address).await.unwrap();
        self.address = listener.local_addr().unwrap().to_string();
        let (state, transport, tls) = (Arc::clone(&self.state), self.transport, self.tls.clone());
        self.server = Some(tokio::spawn(async move {
            let mut connections = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                while connections.try_join_next().is_some() {}
                let (open, tls) = (OpenConnection::new(&state), tls.clone());
                connections.spawn(async move {
                    let Some(tls) = tls else { return serve(transport, stream, &open.0).await };
                    // Clients that do not trust the certificate close the connection.
                    if let Ok(stream) = tls.accept(stream).await {
                        serve(transport, stream, &open.0).await;
                    }
                });
            }
        }));
    }

    /// Closes every connection and stops listening.
    pub(crate) async fn stop(&mut self) {
        let server = self.server.take().unwrap();
        server.abort();
        assert!(server.await.is_err());
    }

    pub(crate) fn url(&self) -> String {
        let scheme = match (self.transport, &self.tls) {
            (Transport::Http, None) => "http",
            (Transport::Http, Some(_)) => "https",
            (Transport::WebSocket, None) => "ws",
            (Transport::WebSocket, Some(_)) => "wss",
        };
        format!("{scheme}://{}", self.host())
    }

    /// Returns host and port.
    pub(crate) fn host(&self) -> String {
        match self.tls {
            Some(_) => self.address.replace("127.0.0.1", "localhost"),
            None => self.address.clone(),
        }
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, NodeState> {
        self.state.lock().unwrap()
    }

    /// Replies to every request with `reply`.
    pub(crate) fn reply_to_all(&self, reply: Reply) {
        self.set_fault(None, reply);
    }

    /// Replies to requests for `method` with `reply`.
    pub(crate) fn reply_to(&self, method: &'static str, reply: Reply) {
        self.set_fault(Some(method), reply);
    }

    /// Replies with `reply` to requests for `method`, or to every request without one.
    pub(crate) fn set_fault(&self, method: Option<&'static str>, reply: Reply) {
        let is_faulty = move |requested: &str| method.is_none_or(|method| method == requested);
        self.state().fault = Some(Box::new(move |requested| is_faulty(requested).then(|| reply.clone())));
    }

    /// Returns the number of open connections, and of all that were accepted.
    pub(crate) fn connections(&self) -> (usize, usize) {
        let state = self.state();
        (state.open_connections, state.accepted_connections)
    }

    /// Returns the number of requests for `method`.
    pub(crate) fn requests(&self, method: &str) -> usize {
        self.state().methods.iter().filter(|requested| *requested == method).count()
    }
}

impl Drop for FakeNode {
    fn drop(&mut self) {
        if let Some(server) = &self.server {
            server.abort();
        }
    }
}

/// A connection that counts as open until this value is dropped.
struct OpenConnection(Arc<Mutex<NodeState>>);

impl OpenConnection {
    fn new(state: &Arc<Mutex<NodeState>>) -> Self {
        let mut counted = state.lock().unwrap();
        counted.open_connections += 1;
        counted.accepted_connections += 1;
        Self(Arc::clone(state))
    }
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        self.0.lock().unwrap().open_connections -= 1;
    }
}

async fn serve<S: AsyncRead + AsyncWrite + Unpin>(transport: Transport, stream: S, state: &Mutex<NodeState>) {
    match transport {
        Transport::Http => http::serve(stream, state).await,
        Transport::WebSocket => web_socket::serve(stream, state).await,
    }
}

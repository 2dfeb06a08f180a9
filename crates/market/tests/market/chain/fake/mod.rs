//! A fake node that plays a chain over HTTP or over WebSockets, with scripted failures.

mod contracts;
mod http;
mod part;
mod web_socket;

use std::sync::{Arc, Mutex, MutexGuard};

use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpListener,
    task::{JoinHandle, JoinSet},
};
use tokio_rustls::TlsAcceptor;

pub(crate) use contracts::{POOL, books};
pub(crate) use part::{Block, Part, Reply, TIME};

pub(crate) const CHAIN_ID: u64 = 7;

/// What a node is spoken to by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Speaks {
    Http,
    WebSocket,
}

/// A node on a port of its own.
pub(crate) struct FakeNode {
    address: String,
    part: Arc<Mutex<Part>>,
    server: Option<JoinHandle<()>>,
    speaks: Speaks,
    tls: Option<TlsAcceptor>,
}

impl FakeNode {
    /// One over HTTP.
    pub(crate) async fn start(name: u64) -> Self {
        Self::start_with(name, Speaks::Http, None).await
    }

    /// One that speaks TLS, if it is given what that takes.
    pub(crate) async fn start_with(name: u64, speaks: Speaks, tls: Option<TlsAcceptor>) -> Self {
        let part = Arc::new(Mutex::new(Part::new(name)));
        let mut fake = Self { address: "127.0.0.1:0".to_owned(), part, server: None, speaks, tls };
        fake.listen().await;
        fake
    }

    /// Takes connections, on the port that it had before.
    pub(crate) async fn listen(&mut self) {
        let listener = TcpListener::bind(&self.address).await.unwrap();
        self.address = listener.local_addr().unwrap().to_string();
        let (part, speaks, tls) = (Arc::clone(&self.part), self.speaks, self.tls.clone());
        self.server = Some(tokio::spawn(async move {
            let mut connections = JoinSet::new();
            while let Ok((stream, _)) = listener.accept().await {
                while connections.try_join_next().is_some() {}
                let (open, tls) = (Open::new(&part), tls.clone());
                connections.spawn(async move {
                    let Some(tls) = tls else { return serve(speaks, stream, &open.0).await };
                    // Who does not trust the certificate hangs up.
                    if let Ok(stream) = tls.accept(stream).await {
                        serve(speaks, stream, &open.0).await;
                    }
                });
            }
        }));
    }

    /// Closes every connection and takes no more.
    pub(crate) async fn end(&mut self) {
        let server = self.server.take().unwrap();
        server.abort();
        assert!(server.await.is_err());
    }

    pub(crate) fn url(&self) -> String {
        let scheme = match (self.speaks, &self.tls) {
            (Speaks::Http, None) => "http",
            (Speaks::Http, Some(_)) => "https",
            (Speaks::WebSocket, None) => "ws",
            (Speaks::WebSocket, Some(_)) => "wss",
        };
        format!("{scheme}://{}", self.host())
    }

    /// Host and port.
    pub(crate) fn host(&self) -> String {
        match self.tls {
            Some(_) => self.address.replace("127.0.0.1", "localhost"),
            None => self.address.clone(),
        }
    }

    pub(crate) fn part(&self) -> MutexGuard<'_, Part> {
        self.part.lock().unwrap()
    }

    /// Answers every question with `reply`.
    pub(crate) fn fail(&self, reply: Reply) {
        self.part().fault = Some(Box::new(move |_| Some(reply.clone())));
    }

    /// Answers questions by one method with `reply`.
    pub(crate) fn fail_at(&self, method: &'static str, reply: Reply) {
        self.part().fault = Some(Box::new(move |asked| (asked == method).then(|| reply.clone())));
    }

    /// How many connections are open, and how many were ever taken.
    pub(crate) fn connections(&self) -> (usize, usize) {
        let part = self.part();
        (part.open, part.taken)
    }

    pub(crate) fn asked(&self, method: &str) -> usize {
        self.part().asked.iter().filter(|asked| *asked == method).count()
    }
}

impl Drop for FakeNode {
    fn drop(&mut self) {
        if let Some(server) = &self.server {
            server.abort();
        }
    }
}

/// A connection that counts as open until this value is gone.
struct Open(Arc<Mutex<Part>>);

impl Open {
    fn new(part: &Arc<Mutex<Part>>) -> Self {
        let mut counted = part.lock().unwrap();
        counted.open += 1;
        counted.taken += 1;
        Self(Arc::clone(part))
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.0.lock().unwrap().open -= 1;
    }
}

async fn serve<S: AsyncRead + AsyncWrite + Unpin>(speaks: Speaks, stream: S, part: &Mutex<Part>) {
    match speaks {
        Speaks::Http => http::serve(stream, part).await,
        Speaks::WebSocket => web_socket::serve(stream, part).await,
    }
}

//! A listening server whose connections a test accepts one by one.

use std::net::SocketAddr;

use firmquote_domain::Symbol;
use tokio::{
    net::{TcpListener, TcpStream},
    time::timeout,
};

use crate::source_run::TEST_TIMEOUT;

pub(crate) struct TestServer(TcpListener);

impl TestServer {
    pub(crate) async fn start() -> Self {
        Self::start_at(SocketAddr::from(([127, 0, 0, 1], 0))).await
    }

    /// Starts a server at the address of an earlier one.
    pub(crate) async fn start_at(address: SocketAddr) -> Self {
        Self(TcpListener::bind(address).await.expect("a free port"))
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.0.local_addr().expect("bound")
    }

    /// Accepts the next connection without reading from it.
    pub(crate) async fn connection(&self) -> TcpStream {
        timeout(TEST_TIMEOUT, self.0.accept()).await.expect("a client connects").expect("a connection").0
    }
}

pub(crate) fn symbol(text: &str) -> Symbol {
    Symbol::new(text).expect("a symbol")
}

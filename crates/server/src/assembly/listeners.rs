//! Opens the listening sockets.

use std::net::{SocketAddr, TcpListener};

use firmquote_config::ServerConfig;
use firmquote_http::{Listeners, TlsIdentity};
use tokio::net::TcpSocket;

use crate::{Error, error::Context as _};

/// The listening addresses, ports included.
#[derive(Clone, Copy, Debug)]
pub struct Addresses {
    /// Version 1 of the API, and version 2 unless it has its own address.
    pub public: SocketAddr,
    /// Version 2 of the API, if it has its own address.
    pub version_2: Option<SocketAddr>,
    /// Health, readiness and metrics.
    pub admin: SocketAddr,
}

impl Addresses {
    /// Returns the address of version 2.
    pub fn version_2(&self) -> SocketAddr {
        self.version_2.unwrap_or(self.public)
    }
}

/// Opens every socket; with `tls`, the public ones use TLS. Must be called inside a Tokio runtime.
///
/// # Errors
/// When an address cannot be bound; names the key, the address and the cause.
pub(crate) fn open(config: &ServerConfig, tls: Option<TlsIdentity>) -> Result<(Listeners, Addresses), Error> {
    let open = |key: &str, address: SocketAddr| {
        let opened = bind(address, config.connections.backlog);
        opened.with_context(|| format!("server.{key}: cannot listen on {address}"))
    };
    let public = open("bind", config.bind)?;
    let version_2 = config.bind_v2.map(|address| open("bind_v2", address)).transpose()?;
    let admin = open("admin_bind", config.admin_bind)?;
    let addresses = Addresses {
        public: public.local_addr().map_err(Error::Listener)?,
        version_2: version_2.as_ref().map(TcpListener::local_addr).transpose().map_err(Error::Listener)?,
        admin: admin.local_addr().map_err(Error::Listener)?,
    };
    Ok((Listeners { public, version_2, admin, tls }, addresses))
}

fn bind(address: SocketAddr, backlog: u32) -> std::io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // Connections of a service that was just stopped would otherwise delay its successor.
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(backlog)?.into_std()
}

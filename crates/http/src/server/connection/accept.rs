//! Makes connections of accepted sockets.

use std::{
    future::ready,
    io,
    net::SocketAddr,
    pin::Pin,
    rc::Rc,
    task::{Context, Poll},
};

use actix_http::Protocol;
use actix_web::{
    dev::Service as Endpoint,
    rt::{
        net::TcpStream,
        time::{Instant, timeout},
    },
};

use super::{
    admission::ConnectionPermit,
    config::ConnectionConfig,
    deadlines::{ConnectionDeadlines, enforce_deadlines},
    stream::Stream,
    transport::Transport,
};

/// What TLS holds of what is to be written, in bytes.
const TLS_BUFFER: usize = 16 * 1_024;

/// What HTTP is given of a connection.
type Connected = (Stream, Protocol, Option<SocketAddr>);

/// Takes sockets over and serves each with `http` until it ends.
pub(super) struct Accept<H> {
    http: Rc<H>,
    config: Rc<ConnectionConfig>,
}

impl<H> Accept<H> {
    /// Serves with `http`.
    pub(super) fn new(http: H, config: ConnectionConfig) -> Self {
        Self { http: Rc::new(http), config: Rc::new(config) }
    }

    /// Whether a socket may become a connection; the permit is held for as long as it is one.
    fn admit(&self, socket: &TcpStream) -> Result<Option<ConnectionPermit>, Refused> {
        let Some(admission) = &self.config.admission else { return Ok(None) };
        // A client that is gone already has no address.
        let peer = socket.peer_addr().map_err(|_| Refused)?.ip().to_canonical();
        let is_proxy = self.config.service.load().settings.trusted_proxies.iter().any(|network| network.contains(peer));
        admission.admit(peer, is_proxy).map(Some).ok_or(Refused)
    }
}

/// There are too many connections.
struct Refused;

impl<H> Endpoint<TcpStream> for Accept<H>
where
    H: Endpoint<Connected, Response = ()> + 'static,
{
    type Response = ();
    type Error = H::Error;
    type Future = Pin<Box<dyn Future<Output = Result<(), H::Error>>>>;

    fn poll_ready(&self, context: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.http.poll_ready(context)
    }

    fn call(&self, socket: TcpStream) -> Self::Future {
        let Ok(permit) = self.admit(&socket) else {
            // At once and without a word: what is refused costs as little as can be. If a reset cannot be had, it is a close.
            let _ = socket.set_zero_linger();
            return Box::pin(ready(Ok(())));
        };
        let (http, config) = (Rc::clone(&self.http), Rc::clone(&self.config));
        Box::pin(async move {
            let _permit = permit;
            let client = socket.peer_addr().ok();
            let transport = match open(socket, &config).await {
                Ok(transport) => transport,
                Err(error) => {
                    // Anybody can send what is no handshake; the operator has nothing to do about it.
                    tracing::debug!(client = client.map(tracing::field::display), %error, "no connection");
                    return Ok(());
                }
            };
            let deadlines = Rc::new(ConnectionDeadlines::new(Instant::now()));
            let stream = Stream::new(transport, Rc::clone(&deadlines));
            let serving = http.call((stream, Protocol::Http1, client));
            enforce_deadlines(serving, &deadlines, &config.settings).await.unwrap_or(Ok(()))
        })
    }
}

/// The transport of a connection, after the handshake if TLS is spoken here.
async fn open(socket: TcpStream, config: &ConnectionConfig) -> io::Result<Transport> {
    socket.set_nodelay(true)?;
    let Some(tls) = &config.tls else { return Ok(Transport::Plain(socket)) };
    let mut stream = timeout(config.settings.head_timeout, tls.accept(socket)).await??;
    stream.get_mut().1.set_buffer_limit(Some(TLS_BUFFER));
    Ok(Transport::Tls(Box::new(stream)))
}

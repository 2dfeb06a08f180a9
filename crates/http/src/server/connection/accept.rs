//! Turns accepted sockets into served connections.

use std::{
    future::{poll_fn, ready},
    io,
    net::SocketAddr,
    pin::{Pin, pin},
    rc::Rc,
    task::{Context, Poll},
};

use actix_http::Protocol;
use actix_web::{
    dev::Service as Endpoint,
    rt::{
        net::TcpStream,
        time::{Instant, sleep_until, timeout},
    },
};

use super::{
    admission::ConnectionPermit, config::ConnectionConfig, deadlines::ConnectionDeadlines, stream::Stream,
    transport::Transport,
};
use crate::service::ConnectionSettings;

/// The limit of the TLS write buffer, in bytes.
const TLS_BUFFER: usize = 16 * 1_024;

/// The parts of a connection that are passed to HTTP.
type Connected = (Stream, Protocol, Option<SocketAddr>);

/// Serves each accepted socket with `http` until the connection ends.
pub(super) struct Accept<H> {
    http: Rc<H>,
    config: Rc<ConnectionConfig>,
}

impl<H> Accept<H> {
    /// Creates a service that serves connections with `http`.
    pub(super) fn new(http: H, config: ConnectionConfig) -> Self {
        Self { http: Rc::new(http), config: Rc::new(config) }
    }

    /// Admits or refuses a socket; the permit is held for the lifetime of the connection.
    fn admit(&self, socket: &TcpStream) -> Result<Option<ConnectionPermit>, ConnectionRefused> {
        let Some(admission) = &self.config.admission else { return Ok(None) };
        // A client that has already disconnected has no address.
        let peer = socket.peer_addr().map_err(|_| ConnectionRefused)?.ip().to_canonical();
        let is_proxy = self.config.service.load().settings.trusted_proxies.iter().any(|network| network.contains(peer));
        admission.admit(peer, is_proxy).map(Some).ok_or(ConnectionRefused)
    }
}

/// The connection exceeds a limit, or its client is gone.
struct ConnectionRefused;

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
            // Reset immediately and without a response, so that refusing costs as little as possible. If linger cannot
            // be set, the socket is closed normally.
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
                    // Any client can cause a failed handshake, so this is not actionable for the operator.
                    tracing::debug!(client = client.map(tracing::field::display), %error, "connection setup failed");
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

/// Returns the transport of a connection, after the handshake if TLS is configured.
async fn open(socket: TcpStream, config: &ConnectionConfig) -> io::Result<Transport> {
    socket.set_nodelay(true)?;
    let Some(tls) = &config.tls else { return Ok(Transport::Plain(socket)) };
    let mut stream = timeout(config.settings.head_timeout, tls.accept(socket)).await??;
    stream.get_mut().1.set_buffer_limit(Some(TLS_BUFFER));
    Ok(Transport::Tls(Box::new(stream)))
}

/// Drives `serving` to completion; returns `None` if the client misses its deadline.
///
/// The timer is reset only when it fired or would fire too late, so a busy connection costs next to nothing.
async fn enforce_deadlines<F: Future>(
    serving: F,
    deadlines: &ConnectionDeadlines,
    settings: &ConnectionSettings,
) -> Option<F::Output> {
    let mut serving = pin!(serving);
    let mut timer = pin!(sleep_until(deadlines.deadline(settings).unwrap_or_else(Instant::now)));
    poll_fn(|context| {
        if let Poll::Ready(ended) = serving.as_mut().poll(context) {
            return Poll::Ready(Some(ended));
        }
        // Without a deadline there is nothing to wait for: deadlines change only when `serving` is polled.
        while let Some(due) = deadlines.deadline(settings) {
            let mut timer = Pin::as_mut(&mut timer);
            if timer.is_elapsed() || timer.deadline() > due {
                if due <= Instant::now() {
                    return Poll::Ready(None);
                }
                timer.as_mut().reset(due);
            }
            if timer.poll(context).is_pending() {
                break;
            }
        }
        Poll::Pending
    })
    .await
}

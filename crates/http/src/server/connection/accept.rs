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

/// How much longer than the write timeout sent bytes may stay unacknowledged: a client that is connected but does not
/// read is disconnected by its deadline.
#[cfg(target_os = "linux")]
const ACKNOWLEDGEMENT_GRACE: std::time::Duration = std::time::Duration::from_secs(5);

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
    #[cfg(target_os = "linux")]
    set_user_timeout(&socket, config.settings.write_timeout)?;
    let Some(tls) = &config.tls else { return Ok(Transport::Left(socket)) };
    let mut stream = timeout(config.settings.head_timeout, tls.accept(socket)).await??;
    stream.get_mut().1.set_buffer_limit(Some(TLS_BUFFER));
    Ok(Transport::Right(Box::new(stream)))
}

/// Bounds how long sent bytes may stay unacknowledged. Otherwise a peer that vanished in the middle of a stream would
/// keep its connection, and its share of streams, for as long as the kernel repeats the last bytes: about 15 minutes.
#[cfg(target_os = "linux")]
fn set_user_timeout(socket: &TcpStream, write_timeout: std::time::Duration) -> io::Result<()> {
    let millis = write_timeout.saturating_add(ACKNOWLEDGEMENT_GRACE).as_millis();
    // The kernel takes a signed number.
    let millis = i32::try_from(millis).unwrap_or(i32::MAX).unsigned_abs();
    Ok(rustix::net::sockopt::set_tcp_user_timeout(socket, millis)?)
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

#[cfg(test)]
mod tests {
    #[cfg(target_os = "linux")]
    #[actix_web::test]
    async fn vanished_peers_are_disconnected_soon_after_the_write_timeout() {
        use std::time::Duration;

        use actix_web::rt::net::{TcpListener, TcpStream};
        use rustix::net::sockopt::tcp_user_timeout;

        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap());
        let (_client, (socket, _)) = tokio::try_join!(client, listener.accept()).unwrap();
        for (write_timeout, millis) in [(Duration::from_secs(10), 15_000), (Duration::MAX, 2_147_483_647)] {
            super::set_user_timeout(&socket, write_timeout).unwrap();
            assert_eq!(tcp_user_timeout(&socket).unwrap(), millis);
        }
    }
}

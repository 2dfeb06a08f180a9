//! Makes connections of accepted sockets.

use std::{
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

use super::{Terms, stream::Stream, transport::Transport, turn::Turn, watch::watched};

/// What HTTP is given of a connection.
type Connected = (Stream, Protocol, Option<SocketAddr>);

/// Takes sockets over and serves each with `http` until it ends.
pub(super) struct Accept<H> {
    http: Rc<H>,
    terms: Rc<Terms>,
}

impl<H> Accept<H> {
    /// What serves with `http` on these terms.
    pub(super) fn new(http: H, terms: Terms) -> Self {
        Self { http: Rc::new(http), terms: Rc::new(terms) }
    }
}

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
        let (http, terms) = (Rc::clone(&self.http), Rc::clone(&self.terms));
        Box::pin(async move {
            let client = socket.peer_addr().ok();
            let transport = match open(socket, &terms).await {
                Ok(transport) => transport,
                Err(error) => {
                    // Anybody can send what is no handshake; the operator has nothing to do about it.
                    tracing::debug!(client = client.map(tracing::field::display), %error, "no connection");
                    return Ok(());
                }
            };
            let turn = Rc::new(Turn::new(Instant::now()));
            let stream = Stream::new(transport, Rc::clone(&turn));
            let serving = http.call((stream, Protocol::Http1, client));
            watched(serving, &turn, &terms.settings).await.unwrap_or(Ok(()))
        })
    }
}

/// The transport of a connection, after the handshake if TLS is spoken here.
async fn open(socket: TcpStream, terms: &Terms) -> io::Result<Transport> {
    socket.set_nodelay(true)?;
    let Some(tls) = &terms.tls else { return Ok(Transport::Plain(socket)) };
    let stream = timeout(terms.settings.head_timeout, tls.accept(socket)).await??;
    Ok(Transport::Tls(Box::new(stream)))
}

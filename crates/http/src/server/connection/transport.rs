//! The transport of a connection: a plain socket, or TLS over one.

use actix_web::rt::net::TcpStream;
use tokio_rustls::server::TlsStream;
use tokio_util::either::Either;

/// A plain socket, or TLS after its handshake.
pub(super) type Transport = Either<TcpStream, Box<TlsStream<TcpStream>>>;

/// Returns the socket under `transport`.
pub(super) fn socket(transport: &Transport) -> &TcpStream {
    match transport {
        Either::Left(socket) => socket,
        Either::Right(stream) => stream.get_ref().0,
    }
}

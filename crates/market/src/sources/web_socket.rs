//! WebSocket connections, and the mapping of their errors.

use std::sync::Arc;

use firmquote_outbound::{InvalidTls, client_tls, retry_after_seconds};
use tokio::net::TcpStream;
use tokio_tungstenite::{
    Connector, MaybeTlsStream, WebSocketStream, connect_async_tls_with_config,
    tungstenite::{
        self,
        error::ProtocolError,
        handshake::client::Response,
        http::{StatusCode, Uri},
    },
};

use super::connection::DEFAULT_RETRY_AFTER_SECONDS;
use crate::{SourceError, web_socket_config};

pub(crate) type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// Creates a connector with TLS or without.
///
/// # Errors
/// [`InvalidTls`] if there is no certificate authority to trust.
pub(crate) fn connector(is_tls: bool, authorities: Option<&[u8]>) -> Result<Connector, InvalidTls> {
    if is_tls { Ok(Connector::Rustls(Arc::new(client_tls(authorities, None)?))) } else { Ok(Connector::Plain) }
}

/// Connects to `address` and performs the handshake. Redirects are not followed, and messages longer than
/// `max_message_bytes` bytes are rejected.
///
/// # Errors
/// Those of [`source_error`].
pub(crate) async fn connect(
    address: &Uri,
    connector: Connector,
    max_message_bytes: usize,
) -> Result<Socket, SourceError> {
    let config = Some(web_socket_config::with_max_message_bytes(max_message_bytes));
    let connected = connect_async_tls_with_config(address.clone(), config, true, Some(connector)).await;
    connected.map(|(socket, _)| socket).map_err(source_error)
}

/// Maps an error of the connection: [`SourceError::Disconnected`] for a connection that is lost or accepts no more
/// data, [`SourceError::RateLimited`] for a server that rate limits, [`SourceError::Protocol`] for anything but a
/// WebSocket and for messages that are too long.
pub(crate) fn source_error(error: tungstenite::Error) -> SourceError {
    use tungstenite::Error;
    match error {
        Error::Http(response) => handshake_error(&response),
        Error::ConnectionClosed
        | Error::AlreadyClosed
        | Error::Io(_)
        | Error::Tls(_)
        | Error::WriteBufferFull(_)
        | Error::Protocol(ProtocolError::HandshakeIncomplete | ProtocolError::ResetWithoutClosingHandshake) => {
            SourceError::disconnected(error)
        }
        error => SourceError::protocol(&error.to_string()),
    }
}

/// Maps a response other than a successful handshake.
fn handshake_error(response: &Response) -> SourceError {
    match response.status() {
        // Binance responds with 418 to clients that continue after a 429. It bans an address for up to three days, and
        // repeats that on the next attempt.
        StatusCode::TOO_MANY_REQUESTS | StatusCode::IM_A_TEAPOT => {
            SourceError::RateLimited { seconds: retry_after_seconds(response.headers(), DEFAULT_RETRY_AFTER_SECONDS) }
        }
        status if status.is_server_error() => SourceError::disconnected(status.to_string()),
        status => SourceError::protocol(&format!("{status}: handshake refused")),
    }
}

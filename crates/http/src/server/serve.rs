//! Serves any actix-web application with the connection handling of this crate.

use std::{io, net::TcpListener};

use actix_http::Request;
use actix_service::{IntoServiceFactory, ServiceFactory};
use actix_web::{
    Error,
    body::MessageBody,
    dev::{AppConfig, Server, ServiceResponse},
};
use rustix::net::sockopt::{set_socket_recv_buffer_size, set_socket_send_buffer_size};

use super::connection::{ConnectionConfig, connections};

/// The size of the kernel's receive and send buffers of a socket, in bytes.
const SOCKET_BUFFER: usize = 16 * 1_024;

/// The maximum number of worker threads per listener.
const MAX_WORKERS: usize = 512;

/// Serves an actix-web application on `listener` with this crate's connection handling: clients that are too slow to
/// send a head, to read responses or to complete a TLS handshake are disconnected, and connections are limited by
/// address and in total.
///
/// `app` is called once by every worker, which is a thread with its own runtime; connections stay with their worker.
/// Socket buffers are 16 KiB in each direction: right for quotes, slow for large downloads. Connections are HTTP/1.1;
/// a handler may upgrade one to a WebSocket. Behind TLS a handler finds [`Scheme`](crate::Scheme) in the
/// connection data (`HttpRequest::conn_data`); `connection_info` does not report it. Nothing is served until the
/// returned server is awaited, inside a Tokio runtime.
///
/// # Errors
/// [`io::Error`] when the listener cannot be configured.
pub fn serve<A, S, B>(
    app: impl Fn() -> A + Send + Clone + 'static,
    listener: TcpListener,
    config: ConnectionConfig,
) -> io::Result<Server>
where
    A: IntoServiceFactory<S, Request> + 'static,
    S: ServiceFactory<Request, Config = AppConfig, Response = ServiceResponse<B>, Error = Error, InitError = ()>
        + 'static,
    B: MessageBody + 'static,
{
    let settings = config.settings;
    // Accepted sockets inherit the buffer sizes of the listener. The kernel doubles them; its defaults would grow to
    // megabytes per socket.
    set_socket_send_buffer_size(&listener, SOCKET_BUFFER)?;
    set_socket_recv_buffer_size(&listener, SOCKET_BUFFER)?;
    let server = Server::build();
    let stopping = server.graceful_shutdown_signal();
    let connections = move || {
        let stopping = stopping.clone();
        let stopping = move || {
            let stopping = stopping.clone();
            async move { stopping.notified().await }
        };
        connections(app.clone(), config.clone(), stopping)
    };
    let server = server
        .workers(settings.workers.clamp(1, MAX_WORKERS))
        .max_concurrent_connections(settings.connections_per_worker)
        .backlog(settings.backlog)
        .shutdown_timeout(settings.shutdown_timeout_seconds)
        .disable_signals()
        .listen(listener.local_addr()?.to_string(), listener, connections)?;
    Ok(server.run())
}

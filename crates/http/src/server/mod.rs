//! The server: the listeners, each with the actix-web application of its routes.

mod certificate_expiry;
mod connection;
mod tls;

use std::{io, net::TcpListener, sync::Arc, time::Duration};

use actix_http::Request;
use actix_service::{IntoServiceFactory, ServiceFactory};
use actix_web::{
    App, Error,
    body::MessageBody,
    dev::{AppConfig, Server as ActixServer, ServerHandle, ServiceRequest, ServiceResponse},
};
use rustix::net::sockopt::{set_socket_recv_buffer_size, set_socket_send_buffer_size};
use tokio::time::{MissedTickBehavior, interval};

pub(crate) use self::connection::AdmissionMetrics;
use self::connection::connections;
pub use self::{
    connection::ConnectionConfig,
    tls::{InvalidTlsCertificate, TlsCertificate, TlsIdentity},
};
use crate::{
    ConnectionSettings, LiveService,
    request::ListenerContext,
    routes::{Route, Routes, endpoint, mount},
};

/// What the kernel keeps of what a client sent and of what it has yet to read, in bytes.
const SOCKET_BUFFER: usize = 16 * 1_024;

/// As many threads as a listener can have.
const MAX_WORKERS: usize = 512;

/// Where it is served.
pub struct Listeners {
    /// Version 1, and version 2 unless that has its own.
    pub public: TcpListener,
    /// Version 2, if it has a listener of its own.
    pub version_2: Option<TcpListener>,
    /// Health, readiness, metrics and the operator's prices; never public, and never with TLS.
    pub admin: TcpListener,
    /// With what TLS is spoken on the public listeners. Without it they speak plain HTTP.
    pub tls: Option<TlsIdentity>,
}

/// A server that is bound and does nothing until [`Self::run`] is awaited.
#[must_use = "a server does nothing until it runs"]
pub struct Server {
    public: ActixServer,
    version_2: Option<ActixServer>,
    admin: ActixServer,
    live: Arc<LiveService>,
}

impl Server {
    /// Binds `live` to its listeners; `connections` hold for as long as the server runs.
    ///
    /// # Errors
    /// [`io::Error`] when a listener cannot be taken over.
    pub fn new(live: Arc<LiveService>, listeners: Listeners, connections: ConnectionSettings) -> io::Result<Self> {
        live.end_draining();
        let Listeners { public, version_2, admin, tls } = listeners;
        let mut config = ConnectionConfig::new(connections, Arc::clone(&live));
        if let Some(identity) = &tls {
            config = config.with_tls(identity)?;
        }
        // Metrics and readiness are within reach however many clients there are.
        let admin_config = ConnectionConfig {
            settings: ConnectionSettings { workers: 1, ..connections },
            tls: None,
            admission: None,
            ..config.clone()
        };
        let routes = if version_2.is_some() { Routes::Version1 } else { Routes::Both };
        let listen = |listener, config: &ConnectionConfig, routes| {
            let context = ListenerContext { live: Arc::clone(&live), routes };
            serve(move || app(&context), listener, config.clone())
        };
        Ok(Self {
            public: listen(public, &config, routes)?,
            version_2: version_2.map(|listener| listen(listener, &config, Routes::Version2)).transpose()?,
            admin: listen(admin, &admin_config, Routes::Admin)?,
            live,
        })
    }

    /// What stops this server.
    pub fn stop_handle(&self) -> StopHandle {
        StopHandle {
            public: std::iter::once(&self.public).chain(&self.version_2).map(ActixServer::handle).collect(),
            admin: self.admin.handle(),
            live: Arc::clone(&self.live),
        }
    }

    /// Looks at readiness every second, so that the log reports a change when it happens. Never ends.
    pub fn watch_readiness(&self) -> impl Future<Output = ()> + Send + use<> {
        let live = Arc::clone(&self.live);
        async move {
            let mut seconds = interval(Duration::from_secs(1));
            seconds.set_missed_tick_behavior(MissedTickBehavior::Skip);
            loop {
                seconds.tick().await;
                live.load().readiness(live.is_draining()).await;
            }
        }
    }

    /// Serves until it is stopped, inside a Tokio runtime. When one listener fails the others are closed as well.
    ///
    /// Every worker is a thread with a runtime of its own; connections stay with their worker.
    ///
    /// # Errors
    /// [`io::Error`] when the threads of a listener cannot be started.
    pub async fn run(self) -> io::Result<()> {
        let Self { public, version_2, admin, .. } = self;
        let second = async {
            match version_2 {
                Some(server) => server.await,
                None => Ok(()),
            }
        };
        tokio::try_join!(public, second, admin).map(drop)
    }
}

/// Stops a server. Reads no signals: whoever holds it decides when.
#[derive(Clone)]
pub struct StopHandle {
    public: Vec<ServerHandle>,
    admin: ServerHandle,
    live: Arc<LiveService>,
}

impl StopHandle {
    /// Makes `/readyz` say no, and nothing else, so that a load balancer looks elsewhere before connections end.
    pub fn begin_draining(&self) {
        self.live.begin_draining();
    }

    /// Closes the listeners and every connection now, whatever is under way.
    pub async fn stop_now(&self) {
        self.begin_draining();
        for server in self.public.iter().chain([&self.admin]) {
            server.stop(false).await;
        }
    }

    /// Takes no more connections, lets requests under way finish within the shutdown timeout, and ends
    /// [`Server::run`]. Health and metrics are answered until the public listeners are done.
    pub async fn stop(&self) {
        self.begin_draining();
        let stopping: Vec<_> = self.public.iter().map(|server| server.stop(true)).collect();
        for stopped in stopping {
            stopped.await;
        }
        self.admin.stop(true).await;
    }
}

/// The application of a listener; every worker has its own.
fn app(
    context: &ListenerContext,
) -> App<
    impl ServiceFactory<ServiceRequest, Config = (), Response = ServiceResponse, Error = Error, InitError = ()> + use<>,
> {
    App::new().configure(mount(context.clone())).default_service(endpoint(context, Route::Unmatched))
}

/// Serves an actix-web application on `listener` with this crate's connections: clients that are late with a head, with
/// reading responses or with a TLS handshake are disconnected, and connections are limited by address and altogether.
///
/// `app` is called once by every worker, which is a thread with a runtime of its own; connections stay with their worker.
/// Socket buffers are 16 KiB each way: right for quotes, slow for large downloads. Connections are HTTP/1.1 without upgrades,
/// so WebSockets are not served. Behind TLS a handler finds [`Scheme`](crate::Scheme) in the data of its connection
/// (`HttpRequest::conn_data`); `connection_info` knows nothing of it.
/// Nothing is served until the returned server is awaited, inside a Tokio runtime.
///
/// # Errors
/// [`io::Error`] when the listener cannot be taken over.
pub fn serve<A, S, B>(
    app: impl Fn() -> A + Send + Clone + 'static,
    listener: TcpListener,
    config: ConnectionConfig,
) -> io::Result<ActixServer>
where
    A: IntoServiceFactory<S, Request> + 'static,
    S: ServiceFactory<Request, Config = AppConfig, Response = ServiceResponse<B>, Error = Error, InitError = ()>
        + 'static,
    B: MessageBody + 'static,
{
    let settings = config.settings;
    // Accepted sockets have those of the listener. The kernel takes twice as much, and would take megabytes for each.
    set_socket_send_buffer_size(&listener, SOCKET_BUFFER)?;
    set_socket_recv_buffer_size(&listener, SOCKET_BUFFER)?;
    let server = ActixServer::build();
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

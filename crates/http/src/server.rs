//! Puts the parts together and serves them on listeners that somebody else opened.

use std::{
    io,
    net::TcpListener,
    rc::Rc,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use actix_web::dev::{Server as Listening, ServerHandle};
use rustix::net::sockopt::{set_socket_recv_buffer_size, set_socket_send_buffer_size};
use tokio::time::{MissedTickBehavior, interval};

use crate::{
    ConnectionSettings, LiveService, TlsIdentity,
    connection::{self, Terms, admission::Admission},
    links::Scheme,
    routes::Routes,
    site::Site,
};

/// What the kernel keeps of what a client sent and of what it has yet to read, in bytes.
const SOCKET_BUFFER: usize = 16 * 1_024;

/// As many threads as a listener can have.
const MOST_WORKERS: usize = 512;

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
    public: Listening,
    version_2: Option<Listening>,
    admin: Listening,
    live: Arc<LiveService>,
    draining: Arc<AtomicBool>,
}

impl Server {
    /// Binds `live` to its listeners; `connections` hold for as long as the server runs.
    ///
    /// # Errors
    /// [`io::Error`] when a listener cannot be taken over.
    pub fn new(live: Arc<LiveService>, listeners: Listeners, connections: ConnectionSettings) -> io::Result<Self> {
        let draining = Arc::new(AtomicBool::new(false));
        let shared = Shared { live, draining: Arc::clone(&draining) };
        let Listeners { public, version_2, admin, tls } = listeners;
        let tls = tls.as_ref().map(TlsIdentity::acceptor).transpose().map_err(io::Error::other)?;
        let admission = Arc::new(Admission::new(
            connections.max_connections,
            connections.max_connections_per_address,
            shared.live.load().metrics().admission.clone(),
        ));
        let terms = Terms { settings: connections, tls, admission: Some(admission) };
        // Metrics and readiness are within reach however many clients there are.
        let admin_settings = ConnectionSettings { workers: 1, ..connections };
        let admin_terms = Terms { settings: admin_settings, tls: None, admission: None };
        let routes = if version_2.is_some() { Routes::Version1 } else { Routes::Both };
        let second = version_2.map(|listener| shared.listen(listener, &terms, Routes::Version2)).transpose()?;
        Ok(Self {
            public: shared.listen(public, &terms, routes)?,
            version_2: second,
            admin: shared.listen(admin, &admin_terms, Routes::Admin)?,
            live: shared.live,
            draining,
        })
    }

    /// What stops this server.
    pub fn stop_handle(&self) -> StopHandle {
        StopHandle {
            public: std::iter::once(&self.public).chain(&self.version_2).map(Listening::handle).collect(),
            admin: self.admin.handle(),
            draining: Arc::clone(&self.draining),
        }
    }

    /// Looks at readiness every second, so that the log reports a change when it happens. Never ends.
    pub fn watch_readiness(&self) -> impl Future<Output = ()> + Send + use<> {
        let (live, draining) = (Arc::clone(&self.live), Arc::clone(&self.draining));
        async move {
            let mut seconds = interval(Duration::from_secs(1));
            seconds.set_missed_tick_behavior(MissedTickBehavior::Skip);
            loop {
                seconds.tick().await;
                live.load().readiness(draining.load(Ordering::SeqCst)).await;
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
    draining: Arc<AtomicBool>,
}

impl StopHandle {
    /// Makes `/readyz` say no, and nothing else, so that a load balancer looks elsewhere before connections end.
    pub fn begin_draining(&self) {
        self.draining.store(true, Ordering::SeqCst);
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

/// What every worker of every listener shares.
#[derive(Clone)]
struct Shared {
    live: Arc<LiveService>,
    draining: Arc<AtomicBool>,
}

impl Shared {
    fn listen(&self, listener: TcpListener, terms: &Terms, routes: Routes) -> io::Result<Listening> {
        let (shared, terms, settings) = (self.clone(), terms.clone(), terms.settings);
        // Accepted sockets have those of the listener. The kernel takes twice as much, and would take megabytes for each.
        set_socket_send_buffer_size(&listener, SOCKET_BUFFER)?;
        set_socket_recv_buffer_size(&listener, SOCKET_BUFFER)?;
        let server = Listening::build();
        let stopping = server.graceful_shutdown_signal();
        let connections = move || {
            let stopping = stopping.clone();
            let stopping = move || {
                let stopping = stopping.clone();
                async move { stopping.notified().await }
            };
            connection::serve(Rc::new(shared.site(routes, &terms)), terms.clone(), stopping)
        };
        let server = server
            .workers(settings.workers.clamp(1, MOST_WORKERS))
            .max_concurrent_connections(settings.connections_per_worker)
            .backlog(settings.backlog)
            .shutdown_timeout(settings.shutdown_timeout_seconds)
            .disable_signals()
            .listen(listener.local_addr()?.to_string(), listener, connections)?;
        Ok(server.run())
    }

    fn site(&self, routes: Routes, terms: &Terms) -> Site {
        let Self { live, draining } = self.clone();
        let scheme = if terms.tls.is_some() { Scheme::Https } else { Scheme::Http };
        Site { live, routes, scheme, body_timeout: terms.settings.body_timeout, draining }
    }
}

//! The HTTP server: listeners, each with an actix-web application for its routes.

mod certificate_expiry;
mod connection;
mod serve;
mod tls;

use std::{io, net::TcpListener, sync::Arc, time::Duration};

use actix_service::ServiceFactory;
use actix_web::{
    App, Error,
    dev::{Server as ActixServer, ServerHandle, ServiceRequest, ServiceResponse},
    web::ServiceConfig,
};
use tokio::time::{MissedTickBehavior, interval};

pub(crate) use self::connection::AdmissionMetrics;
pub use self::{
    connection::ConnectionConfig,
    serve::serve,
    tls::{InvalidTlsCertificate, TlsCertificate, TlsIdentity},
};
use crate::{
    ConnectionSettings, LiveService,
    endpoints::{ENDPOINTS, ListenerRole, UNMATCHED},
    request::ListenerContext,
    routes::{mount, wrapped_handler},
};

/// The listeners of a server.
pub struct Listeners {
    /// Version 1, and version 2 unless it has its own listener.
    pub public: TcpListener,
    /// Version 2, if it has a listener of its own.
    pub version_2: Option<TcpListener>,
    /// Health, readiness, metrics and operator prices; never public, and never with TLS.
    pub admin: TcpListener,
    /// The TLS identity of the public listeners; without one they serve plain HTTP.
    pub tls: Option<TlsIdentity>,
}

/// The routes of a host in place of those of this crate, configured anew by every worker.
type HostRoutes = Arc<dyn Fn(&mut ServiceConfig) + Send + Sync>;

/// A bound server, which does nothing until [`Self::run`] is awaited.
#[must_use = "a server does nothing until it runs"]
pub struct Server {
    public: ActixServer,
    version_2: Option<ActixServer>,
    admin: ActixServer,
    live: Arc<LiveService>,
}

impl Server {
    /// Binds `live` to its listeners; `connections` apply for the lifetime of the server.
    ///
    /// # Errors
    /// [`io::Error`] when a listener cannot be configured or TLS cannot be set up.
    pub fn new(live: Arc<LiveService>, listeners: Listeners, connections: ConnectionSettings) -> io::Result<Self> {
        Self::bind(live, listeners, connections, None)
    }

    /// Like [`Self::new`], but the public listeners serve `routes`, in which the host mounts
    /// [`public_routes`](crate::public_routes) beside its own.
    ///
    /// # Errors
    /// Those of [`Self::new`].
    pub fn hosting(
        live: Arc<LiveService>,
        listeners: Listeners,
        connections: ConnectionSettings,
        routes: impl Fn(&mut ServiceConfig) + Send + Sync + 'static,
    ) -> io::Result<Self> {
        Self::bind(live, listeners, connections, Some(Arc::new(routes)))
    }

    fn bind(
        live: Arc<LiveService>,
        listeners: Listeners,
        connections: ConnectionSettings,
        host: Option<HostRoutes>,
    ) -> io::Result<Self> {
        live.end_draining();
        let Listeners { public, version_2, admin, tls } = listeners;
        let mut config = ConnectionConfig::new(connections, Arc::clone(&live));
        if let Some(identity) = &tls {
            config = config.with_tls(identity)?;
        }
        // Metrics and readiness stay reachable regardless of the number of clients.
        let admin_config = ConnectionConfig {
            settings: ConnectionSettings { workers: 1, ..connections },
            tls: None,
            admission: None,
            ..config.clone()
        };
        let role = if version_2.is_some() { ListenerRole::Version1 } else { ListenerRole::BothVersions };
        let listen = |listener, config: &ConnectionConfig, role| {
            let context = ListenerContext { live: Arc::clone(&live), role, endpoints: ENDPOINTS };
            let host = host.clone().filter(|_| role != ListenerRole::Admin);
            serve(move || app(&context, host.clone()), listener, config.clone())
        };
        Ok(Self {
            public: listen(public, &config, role)?,
            version_2: version_2.map(|listener| listen(listener, &config, ListenerRole::Version2)).transpose()?,
            admin: listen(admin, &admin_config, ListenerRole::Admin)?,
            live,
        })
    }

    /// Returns a handle that stops this server.
    pub fn stop_handle(&self) -> StopHandle {
        StopHandle {
            public: std::iter::once(&self.public).chain(&self.version_2).map(ActixServer::handle).collect(),
            admin: self.admin.handle(),
            live: Arc::clone(&self.live),
        }
    }

    /// Checks readiness every second, so that changes are logged when they happen. Never completes.
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

    /// Serves until stopped, inside a Tokio runtime. If one listener fails, the others are closed too.
    ///
    /// Every worker is a thread with its own runtime; connections stay with their worker.
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

/// Stops a server. Does not handle signals; the caller decides when to stop.
#[derive(Clone)]
pub struct StopHandle {
    public: Vec<ServerHandle>,
    admin: ServerHandle,
    live: Arc<LiveService>,
}

impl StopHandle {
    /// Makes `/readyz` report not ready, and changes nothing else, so that a load balancer routes elsewhere before
    /// connections close.
    pub fn begin_draining(&self) {
        self.live.begin_draining();
    }

    /// Closes the listeners and all connections immediately, including requests in flight.
    pub async fn stop_now(&self) {
        self.begin_draining();
        for server in self.public.iter().chain([&self.admin]) {
            server.stop(false).await;
        }
    }

    /// Accepts no more connections, lets requests in flight finish within the shutdown timeout, and ends
    /// [`Server::run`]. Health and metrics are served until the public listeners are closed.
    pub async fn stop(&self) {
        self.begin_draining();
        let stopping: Vec<_> = self.public.iter().map(|server| server.stop(true)).collect();
        for stopped in stopping {
            stopped.await;
        }
        self.admin.stop(true).await;
    }
}

/// Builds the application of a listener; each worker has its own.
fn app(
    context: &ListenerContext,
    host: Option<HostRoutes>,
) -> App<
    impl ServiceFactory<ServiceRequest, Config = (), Response = ServiceResponse, Error = Error, InitError = ()> + use<>,
> {
    let routes = |config: &mut ServiceConfig| match host {
        Some(routes) => routes(config),
        None => mount(context.clone())(config),
    };
    App::new().configure(routes).default_service(wrapped_handler(context, &UNMATCHED))
}

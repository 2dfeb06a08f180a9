//! The whole server: built from a configuration, run until it is told to stop.

use std::{pin::pin, sync::Arc};

use firmquote_config::Config;
use firmquote_desk::Desk;
use firmquote_domain::Clock;
use firmquote_http::{LiveService, Metrics, Server};
use prometheus::Registry;
use tokio::{signal::unix::Signal, task::JoinSet, time::sleep};

use crate::{
    Addresses, ConfigFile, Error, PriceOrigin, Telemetry,
    assembly::{ServerState, open_listeners},
    inspection::price_origins,
    pauses::PauseReader,
    reload,
    telemetry::SpanExport,
};

/// A server whose listeners are open and which answers nobody yet.
///
/// Built inside a Tokio runtime, and run in the same one: connections to Redis, nodes and price sources live there.
#[must_use = "a server does nothing until it runs"]
pub struct Application {
    state: ServerState,
    metrics: Arc<Metrics>,
    pauses: PauseReader,
    server: Server,
    addresses: Addresses,
    reload: Option<(Option<ConfigFile>, Signal)>,
    telemetry: Option<Telemetry>,
}

impl Application {
    /// Opens everything that `config` names: store, signers, nodes, price sources, listeners. `clock` is what quotes and
    /// signatures are timed by; in production a [`SystemClock`](crate::SystemClock).
    ///
    /// Waits for nodes that are asked about their pools, for as long as the configuration lets them take. Starts without a
    /// store, a signing service or a node that does not answer now; it is not ready until they do.
    ///
    /// # Errors
    /// [`Error`] for what cannot be opened, and for pools that are not as they are configured.
    pub async fn build(config: Config, clock: Arc<dyn Clock>) -> Result<Self, Error> {
        let metrics = Arc::new(Metrics::new(env!("CARGO_PKG_VERSION"))?);
        let (state, pauses) = ServerState::open(config, clock, Arc::clone(&metrics)).await?;
        let config = &state.config.server;
        let (listeners, addresses) = open_listeners(config, state.tls.clone())?;
        let server = Server::new(Arc::clone(&state.live), listeners, config.connections).map_err(Error::Listener)?;
        Ok(Self { state, metrics, pauses, server, addresses, reload: None, telemetry: None })
    }

    /// Has a changed `file` come into force while the server runs: by itself, and at each of `hangups`. The configuration was
    /// read from it; without a file a hang-up is logged and no more.
    pub fn with_reload(mut self, file: Option<ConfigFile>, hangups: Signal) -> Self {
        self.reload = Some((file, hangups));
        self
    }

    /// Sends the spans that `telemetry` collects, and counts them in the server's metrics.
    ///
    /// # Errors
    /// [`Error::Metrics`] when it is another server's already.
    pub fn with_telemetry(mut self, telemetry: Telemetry) -> Result<Self, Error> {
        telemetry.register(self.registry())?;
        self.telemetry = Some(telemetry);
        Ok(self)
    }

    /// Where it listens, with the ports that the system chose.
    pub const fn addresses(&self) -> &Addresses {
        &self.addresses
    }

    /// The configuration it was built from.
    pub const fn config(&self) -> &Config {
        &self.state.config
    }

    /// Quotes and signs without HTTP. A reloaded configuration makes another desk; this one stops quoting then.
    pub const fn desk(&self) -> &Arc<Desk> {
        &self.state.desk
    }

    /// What the HTTP interface serves, reloads included.
    pub const fn service(&self) -> &Arc<LiveService> {
        &self.state.live
    }

    /// The metrics behind `/metrics`, to which a host may add its own.
    pub fn registry(&self) -> &Registry {
        self.metrics.registry()
    }

    /// The price of each asset now, and where it comes from.
    pub fn price_origins(&self) -> Vec<PriceOrigin> {
        let sources = self.state.desk.watch.sources.as_ref();
        sources.map_or_else(Vec::new, |sources| price_origins::list(self.config(), sources, self.state.clock.now()))
    }

    /// Serves until `shutdown` completes; then reports itself not ready, leaves load balancers the time that `drain_seconds`
    /// gives them, and lets requests under way finish. To be dropped where they are not waited for.
    ///
    /// # Errors
    /// [`Error::Listener`], and [`Error::TaskEnded`] for a task without which the server would go on with old prices, pauses
    /// or files.
    pub async fn run(self, shutdown: impl Future<Output = ()>) -> Result<(), Error> {
        let (server, drain) = (self.server, self.state.config.server.drain);
        let readiness = server.watch_readiness();
        let mut background = Background::start(self.state, self.pauses, self.reload, self.telemetry, readiness);
        let handle = server.stop_handle();
        let mut serving = pin!(server.run());
        let served = tokio::select! {
            ended = &mut serving => ended.map_err(Error::Listener),
            error = background.task_ended() => Err(error),
            () = shutdown => {
                handle.begin_draining();
                let stopping = async {
                    sleep(drain).await;
                    handle.stop().await;
                };
                tokio::join!(stopping, serving).1.map_err(Error::Listener)
            }
        };
        background.finish().await;
        served
    }

    /// The same without the listeners, which are closed: for a host that serves [`Self::service`] itself. Prices, reserves,
    /// pauses and a changed file are kept up to date until `shutdown` completes.
    ///
    /// # Errors
    /// [`Error::TaskEnded`].
    pub async fn run_background(self, shutdown: impl Future<Output = ()>) -> Result<(), Error> {
        let readiness = self.server.watch_readiness();
        drop(self.server);
        let mut background = Background::start(self.state, self.pauses, self.reload, self.telemetry, readiness);
        let ended = tokio::select! {
            error = background.task_ended() => Err(error),
            () = shutdown => Ok(()),
        };
        background.finish().await;
        ended
    }
}

/// The tasks beside the listeners, none of which ends by itself.
struct Background {
    tasks: JoinSet<()>,
    export: Option<SpanExport>,
}

impl Background {
    fn start(
        state: ServerState,
        pauses: PauseReader,
        reload: Option<(Option<ConfigFile>, Signal)>,
        telemetry: Option<Telemetry>,
        readiness: impl Future<Output = ()> + Send + 'static,
    ) -> Self {
        let mut tasks = JoinSet::new();
        tasks.spawn(pauses.keep());
        tasks.spawn(readiness);
        tasks.spawn(reload::keep(state, reload));
        Self { tasks, export: telemetry.and_then(Telemetry::start) }
    }

    /// The first task that ends.
    async fn task_ended(&mut self) -> Error {
        match self.tasks.join_next().await {
            Some(ended) => Error::TaskEnded(format!("{ended:?}")),
            None => std::future::pending().await,
        }
    }

    /// Sends the last spans.
    async fn finish(self) {
        if let Some(export) = self.export {
            export.finish().await;
        }
    }
}

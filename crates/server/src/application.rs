//! The whole server: built from a configuration, run until it is told to stop.

use std::{io, sync::Arc};

use firmquote_config::Config;
use firmquote_desk::{Desk, Pauses};
use firmquote_domain::Clock;
use firmquote_http::{LiveService, Metrics, Server, StopHandle};
use prometheus::Registry;
use tokio::{
    runtime::Handle,
    sync::mpsc::Receiver,
    task::{JoinHandle, JoinSet},
    time::sleep,
};

use crate::{
    Addresses, ConfigFile, Error, PriceOrigin,
    assembly::{ServerState, open_listeners},
    inspection::price_origins,
    pauses::PauseReader,
    reload,
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
    reload: Option<(Option<ConfigFile>, Receiver<()>)>,
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
        Ok(Self { state, metrics, pauses, server, addresses, reload: None })
    }

    /// Has a changed `file` come into force while the server runs: by itself, and at each of `requests`, as a SIGHUP makes one.
    /// The configuration was read from it; without a file a request is logged and no more.
    pub fn with_reload(mut self, file: Option<ConfigFile>, requests: Receiver<()>) -> Self {
        self.reload = Some((file, requests));
        self
    }

    /// Where it listens, with the ports that the system chose.
    pub const fn addresses(&self) -> &Addresses {
        &self.addresses
    }

    /// The configuration it was built from.
    pub const fn config(&self) -> &Config {
        &self.state.config
    }

    /// Quotes and signs without HTTP. A reloaded configuration makes another desk, and this one stops quoting:
    /// [`LiveService::desk`] is the one in force. It quotes and signs while the server runs, or its background does; pauses and
    /// prices are not kept up to date before and after.
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
        let sources = self.state.desk.operator_view.sources.as_ref();
        sources.map_or_else(Vec::new, |sources| price_origins::list(self.config(), sources, self.state.clock.now()))
    }

    /// Serves until `shutdown` completes; then reports itself not ready, leaves load balancers the time that `drain_seconds`
    /// gives them, and lets requests under way finish. Dropping the future closes the listeners and every connection at once.
    ///
    /// However it ends, nothing is quoted or signed any more: pauses, prices and files are no longer followed.
    ///
    /// # Errors
    /// [`Error::Listener`], and [`Error::TaskEnded`] when a task ended without which the server would go on with old prices,
    /// pauses or files.
    pub async fn run(self, shutdown: impl Future<Output = ()>) -> Result<(), Error> {
        let (server, drain) = (self.server, self.state.config.server.drain);
        let readiness = server.watch_readiness();
        let mut background = Background::start(self.state, self.pauses, self.reload, readiness);
        let handle = server.stop_handle();
        let mut listeners = ListenerTask { task: tokio::spawn(server.run()), handle: handle.clone() };
        tokio::select! {
            ended = &mut listeners.task => ended?.map_err(Error::Listener),
            error = background.task_ended() => Err(error),
            () = shutdown => {
                handle.begin_draining();
                let stopping = async {
                    sleep(drain).await;
                    handle.stop().await;
                };
                tokio::join!(stopping, &mut listeners.task).1?.map_err(Error::Listener)
            }
        }
    }

    /// Keeps prices, reserves, pauses and a changed file up to date until `shutdown` completes, for a host that serves
    /// [`Self::service`] itself. The listeners of the configuration are closed: a host's own port cannot be one of them, and
    /// port 0 is none.
    ///
    /// However it ends, nothing is quoted or signed any more, and readiness says that the service is stopping.
    ///
    /// # Errors
    /// [`Error::TaskEnded`], as [`Self::run`].
    pub async fn run_background(self, shutdown: impl Future<Output = ()>) -> Result<(), Error> {
        let readiness = self.server.watch_readiness();
        drop(self.server);
        let mut background = Background::start(self.state, self.pauses, self.reload, readiness);
        tokio::select! {
            error = background.task_ended() => Err(error),
            () = shutdown => Ok(()),
        }
    }
}

/// The listeners while they serve; they close with this value.
struct ListenerTask {
    task: JoinHandle<io::Result<()>>,
    handle: StopHandle,
}

impl Drop for ListenerTask {
    fn drop(&mut self) {
        // Without a runtime the listeners have ended with it.
        if let (false, Ok(runtime)) = (self.task.is_finished(), Handle::try_current()) {
            let handle = self.handle.clone();
            runtime.spawn(async move { handle.stop_now().await });
        }
    }
}

/// The tasks beside the listeners, none of which ends by itself.
struct Background {
    tasks: JoinSet<()>,
    pauses: Arc<Pauses>,
    live: Arc<LiveService>,
}

impl Background {
    fn start(
        state: ServerState,
        pauses: PauseReader,
        reload: Option<(Option<ConfigFile>, Receiver<()>)>,
        readiness: impl Future<Output = ()> + Send + 'static,
    ) -> Self {
        let (known_pauses, live) = (Arc::clone(&state.pauses), Arc::clone(&state.live));
        let mut tasks = JoinSet::new();
        tasks.spawn(pauses.run());
        tasks.spawn(readiness);
        tasks.spawn(reload::run(state, reload));
        Self { tasks, pauses: known_pauses, live }
    }

    /// The first task that ends.
    async fn task_ended(&mut self) -> Error {
        match self.tasks.join_next().await {
            Some(ended) => Error::TaskEnded(format!("{ended:?}")),
            None => std::future::pending().await,
        }
    }
}

impl Drop for Background {
    /// Pauses are no longer followed: without them nothing is quoted or signed.
    fn drop(&mut self) {
        self.live.begin_draining();
        self.tasks.abort_all();
        self.pauses.forget();
    }
}

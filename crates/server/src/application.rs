//! The complete server: built from a configuration, run until shutdown.

use std::{io, sync::Arc};

use firmquote_config::Config;
use firmquote_desk::{Desk, DeskError, Pauses};
use firmquote_domain::{Clock, Price, Symbol};
use firmquote_http::{LiveService, Metrics, Server, StopHandle};
use firmquote_market::PriceSource;
use firmquote_signer::Signer;
use firmquote_store::Store;
use futures_util::FutureExt as _;
use prometheus::Registry;
use tokio::{
    runtime::Handle,
    sync::mpsc::Receiver,
    task::{JoinError, JoinHandle, JoinSet},
    time::sleep,
};

use crate::{
    Addresses, ConfigFile, Error, PriceReport,
    assembly::{ServerState, open_listeners},
    books::BookFollower,
    features,
    host::HostParts,
    inspection::price_reports,
    pauses::PauseReader,
    reload,
};

/// A server whose listeners are open but not served yet.
///
/// Must be built and run in the same Tokio runtime: the connections to Redis, nodes and price sources belong to it.
#[must_use = "a server does nothing until it runs"]
pub struct Application {
    state: ServerState,
    metrics: Arc<Metrics>,
    pauses: PauseReader,
    books: BookFollower,
    server: Server,
    addresses: Addresses,
    reload: Option<(Option<ConfigFile>, Receiver<()>)>,
}

impl Application {
    /// Opens every resource that `config` names: store, signers, nodes, price sources, listeners. Quotes and signatures
    /// use the time of `clock`; in production a [`SystemClock`](crate::SystemClock).
    ///
    /// Waits for the nodes that verify the pools, up to the configured timeouts. Starts without a store, signing
    /// service or node that does not respond at the moment; the server is not ready until they do.
    ///
    /// # Errors
    /// [`Error`] for a resource that cannot be opened, and for a pool that does not match its configuration.
    pub async fn build(config: Config, clock: Arc<dyn Clock>) -> Result<Self, Error> {
        Self::builder(config, clock).build().await
    }

    /// Starts building an application with parts of the host's own.
    pub fn builder(config: Config, clock: Arc<dyn Clock>) -> ApplicationBuilder {
        ApplicationBuilder { config, clock, parts: HostParts::default() }
    }

    async fn assemble(ApplicationBuilder { config, clock, parts }: ApplicationBuilder) -> Result<Self, Error> {
        features::check(&config)?;
        let metrics = Arc::new(Metrics::new(env!("CARGO_PKG_VERSION"))?);
        let (state, pauses, books) = ServerState::open(config, parts, clock, Arc::clone(&metrics)).await?;
        let config = &state.config.server;
        let (listeners, addresses) = open_listeners(config, state.tls.clone())?;
        let live = Arc::clone(&state.live);
        let server = match &state.sandbox {
            None => Server::new(live, listeners, config.connections),
            Some(sandbox) => {
                let sandbox = Arc::clone(sandbox);
                Server::hosting(live, listeners, config.connections, move |routes| sandbox.configure(routes))
            }
        };
        let server = server.map_err(Error::Listener)?;
        Ok(Self { state, metrics, pauses, books, server, addresses, reload: None })
    }

    /// Reloads `file` while the server runs: automatically after a change, and on each of `requests`, such as one per
    /// SIGHUP. `file` is the one that the configuration was read from; without a file, a request is only logged.
    pub fn with_reload(mut self, file: Option<ConfigFile>, requests: Receiver<()>) -> Self {
        self.reload = Some((file, requests));
        self
    }

    /// Returns the listening addresses, with the ports that the system assigned.
    pub const fn addresses(&self) -> &Addresses {
        &self.addresses
    }

    /// Returns the configuration that the server was built from.
    pub const fn config(&self) -> &Config {
        &self.state.config
    }

    /// Returns the desk, which quotes and signs without HTTP. A reload creates a new desk, and this one stops quoting:
    /// [`LiveService::desk`] is the active one. It quotes and signs only while [`Self::run`] or
    /// [`Self::run_background`] is running; before and after, pauses and prices are not kept up to date.
    pub const fn desk(&self) -> &Arc<Desk> {
        &self.state.desk
    }

    /// Returns the service behind the HTTP interface, reloads included.
    pub const fn service(&self) -> &Arc<LiveService> {
        &self.state.live
    }

    /// Returns where the host posts prices in this process, for the assets of a price source of the kind `push`.
    pub fn prices(&self) -> PushClient {
        PushClient { live: Arc::clone(&self.state.live) }
    }

    /// Returns the registry behind `/metrics`, to which a host may add its own metrics.
    pub fn registry(&self) -> &Registry {
        self.metrics.registry()
    }

    /// Returns the current price of each asset and its source.
    pub fn price_reports(&self) -> Vec<PriceReport> {
        let now = self.state.clock.now();
        price_reports::list(self.config(), &self.state.prices.writer().status(now), now)
    }

    /// Serves until `shutdown` completes; then reports not ready, waits `drain_seconds` for load balancers to notice,
    /// and lets requests in flight finish. Dropping the future closes the listeners and every connection at once.
    ///
    /// However it ends, the desk quotes and signs nothing afterwards: pauses, prices and files are no longer tracked.
    ///
    /// # Errors
    /// [`Error::Listener`], and [`Error::TaskEnded`] when a background task ended, without which the server would
    /// continue with stale prices, pauses or files.
    pub async fn run(self, shutdown: impl Future<Output = ()>) -> Result<(), Error> {
        let (server, drain) = (self.server, self.state.config.server.drain);
        let readiness = server.watch_readiness();
        let mut background = Background::start(self.state, (self.pauses, self.books), self.reload, readiness);
        let handle = server.stop_handle();
        let mut listeners = ListenerTask { task: tokio::spawn(server.run()), handle: handle.clone() };
        let ended = tokio::select! {
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
        };
        background.stop().await;
        ended
    }

    /// Keeps prices, reserves, pauses and the configuration files up to date until `shutdown` completes, for a host
    /// that serves [`Self::service`] itself. The configured listeners are closed; they were open since [`Self::build`],
    /// so the host's own port cannot be one of theirs, unless they use port 0.
    ///
    /// However it ends, the desk quotes and signs nothing afterwards, and readiness reports that the service is
    /// stopping.
    ///
    /// # Errors
    /// [`Error::TaskEnded`], as for [`Self::run`].
    pub async fn run_background(self, shutdown: impl Future<Output = ()>) -> Result<(), Error> {
        let readiness = self.server.watch_readiness();
        drop(self.server);
        let mut background = Background::start(self.state, (self.pauses, self.books), self.reload, readiness);
        let ended = tokio::select! {
            error = background.task_ended() => Err(error),
            () = shutdown => Ok(()),
        };
        background.stop().await;
        ended
    }
}

/// An application whose resources are not opened yet.
#[must_use = "nothing is opened before `build`"]
pub struct ApplicationBuilder {
    config: Config,
    clock: Arc<dyn Clock>,
    parts: HostParts,
}

impl ApplicationBuilder {
    /// Uses `store` in place of the configured one. It must conform to the rules that
    /// [`firmquote_store::conformance`](https://docs.rs/firmquote-store/latest/firmquote_store/conformance/index.html)
    /// tests.
    pub fn with_store(mut self, store: Arc<dyn Store>) -> Self {
        self.parts.store = Some(store);
        self
    }

    /// Signs with `signer` for the pools whose configured signer has this name, after every reload as well. The
    /// configured key of that name is not used.
    pub fn with_signer(mut self, name: impl Into<String>, signer: Arc<dyn Signer>) -> Self {
        self.parts.signers.insert(name.into(), signer);
        self
    }

    /// Reads the prices of the `[[price_source]]` of the kind `host` with this name from `source`. It is run again
    /// whenever it fails, and after a reload that changes its table, when the future of the previous run may not be
    /// dropped yet. A panic in it ends the service.
    pub fn with_price_source(mut self, name: impl Into<String>, source: Arc<dyn PriceSource>) -> Self {
        self.parts.price_sources.insert(name.into(), source);
        self
    }

    /// Opens every resource: see [`Application::build`].
    ///
    /// # Errors
    /// Those of [`Application::build`].
    pub async fn build(self) -> Result<Application, Error> {
        Application::assemble(self).await
    }
}

/// Posts prices of the host, as `PUT /prices` does. Clones post to the same service.
#[derive(Clone)]
pub struct PushClient {
    live: Arc<LiveService>,
}

impl PushClient {
    /// Posts prices observed now, all or none of them.
    ///
    /// # Errors
    /// [`DeskError::Unsupported`] for an asset without a price source of the kind `push`, [`DeskError::Publish`] if they
    /// could not be shared with other replicas.
    pub async fn post(&self, prices: &[(Symbol, Price)]) -> Result<(), DeskError> {
        self.live.prices().publish_now(prices).await
    }
}

/// The task that serves the listeners; dropping it closes them.
struct ListenerTask {
    task: JoinHandle<io::Result<()>>,
    handle: StopHandle,
}

impl Drop for ListenerTask {
    fn drop(&mut self) {
        // Without a runtime, the listeners have already ended with it.
        if let (false, Ok(runtime)) = (self.task.is_finished(), Handle::try_current()) {
            let handle = self.handle.clone();
            runtime.spawn(async move { handle.stop_now().await });
        }
    }
}

/// The background tasks besides the listeners; none of them ends on its own.
struct Background {
    tasks: JoinSet<Result<(), JoinError>>,
    pauses: Arc<Pauses>,
    live: Arc<LiveService>,
}

impl Background {
    fn start(
        state: ServerState,
        (pauses, books): (PauseReader, BookFollower),
        reload: Option<(Option<ConfigFile>, Receiver<()>)>,
        readiness: impl Future<Output = ()> + Send + 'static,
    ) -> Self {
        let (known_pauses, live) = (Arc::clone(&state.pauses), Arc::clone(&state.live));
        let publishing = Arc::clone(&live);
        let mut tasks = JoinSet::new();
        tasks.spawn(async move { match publishing.publish().await {} });
        tasks.spawn(pauses.run().map(Ok));
        tasks.spawn(books.run().map(Ok));
        tasks.spawn(readiness.map(Ok));
        if let Some(sandbox) = state.sandbox.clone() {
            tasks.spawn(async move { match sandbox.run().await {} });
        }
        tasks.spawn(reload::run(state, reload));
        Self { tasks, pauses: known_pauses, live }
    }

    /// Ends all tasks, and waits until what they own is closed.
    async fn stop(&mut self) {
        self.tasks.shutdown().await;
    }

    /// Waits for the first task to end.
    async fn task_ended(&mut self) -> Error {
        match self.tasks.join_next().await {
            Some(ended) => Error::TaskEnded(format!("{:?}", ended.flatten())),
            None => std::future::pending().await,
        }
    }
}

impl Drop for Background {
    /// Forgets the pauses, because they are no longer tracked: without them nothing is quoted or signed.
    fn drop(&mut self) {
        self.live.begin_draining();
        self.tasks.abort_all();
        self.pauses.invalidate();
    }
}

#[cfg(test)]
mod tests {
    use std::{net::SocketAddr, time::Duration};

    use firmquote_domain::{Address, ChainId, PoolId};

    use super::*;
    use crate::{SystemClock, system_environment};

    #[tokio::test]
    async fn a_reader_of_reserves_that_panics_ends_the_service() {
        let free: SocketAddr = "127.0.0.1:0".parse().unwrap();
        for has_reload in [false, true] {
            let mut config = Config::demo(&[], &system_environment()).unwrap();
            (config.server.bind, config.server.admin_bind) = (free, free);
            let clock = Arc::new(SystemClock::new(Duration::from_secs(5)));
            let mut application = Application::build(config, clock).await.unwrap();
            let (_requests, receiver) = tokio::sync::mpsc::channel(1);
            if has_reload {
                application = application.with_reload(None, receiver);
            }
            let pool = PoolId { chain_id: ChainId::new(1).unwrap(), address: Address::ZERO };
            let reader = JoinSet::from_iter([async { panic!("a mistake") }]);
            application.state.readers.insert(pool, reader);
            let ended = application.run_background(std::future::pending()).await;
            assert!(matches!(&ended, Err(Error::TaskEnded(reason)) if reason.contains("a mistake")), "{ended:?}");
        }
    }
}

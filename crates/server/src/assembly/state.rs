//! The state of a running server, including everything that a reload needs.

use std::{
    collections::{BTreeSet, HashMap},
    future::poll_fn,
    sync::Arc,
    task::Poll,
};

use firmquote_config::{Config, PoolConfig, credentials_file::ReadCredentialsFile};
use firmquote_desk::{Desk, FirmLevelsState, Pauses, PoolBook};
use firmquote_domain::{Clock, PoolId, Timestamp};
use firmquote_http::{ClientCredential, Credentials, LiveService, Metrics, ReplicaStatus, TlsIdentity};
use firmquote_market::Market;
use firmquote_store::{OperatorEntry, OperatorEvent, Store};
use prometheus::{IntCounter, Registry, register_int_counter_with_registry};
use tokio::task::{JoinError, JoinSet};

use super::{
    DeskParts,
    changed_credentials::changed_credentials,
    sandbox::{self, Sandbox, SandboxedService},
    shared_revocations::SharedRevocations,
    stores::{self, OpenStore},
};
use crate::{
    Error,
    books::BookFollower,
    breakers::{self, BreakerParts, Breakers},
    chain::{
        self, Chains, Observers,
        reserves::{self, ChainPool},
    },
    environment::host_name,
    host::HostParts,
    instrumented::InstrumentedSigners,
    metrics::{
        CertificateMetrics, FirmLevelMetrics, PairNames, PoolMetrics, ProcessMetrics, ReloadMetrics, RevocationMetrics,
        ScrapeMetrics as _, SwapOutcomeMetrics, VolumeMetrics,
    },
    pauses::PauseReader,
    prices::{EstimateExchange, NewFeeds, PriceFeeds},
    records::{BlockTape, Ledger, LedgerEarnings, PriceTape, Records, Tape},
    redis::{self, RedisStore},
    telemetry::TRACING,
    webhooks::{self, Webhooks},
};

/// The active service, and everything needed to replace its configuration.
pub(crate) struct ServerState {
    /// The active configuration.
    pub(crate) config: Config,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) chains: Arc<Chains>,
    pub(crate) prices: PriceFeeds,
    pub(crate) pairs: Arc<PairNames>,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) host: HostParts,
    pub(crate) signers: InstrumentedSigners,
    pub(crate) pauses: Arc<Pauses>,
    pub(crate) desk: Arc<Desk>,
    /// The copies of the books of all pools that were ever replaced or removed: what one shows may be lost otherwise.
    pub(crate) books: HashMap<PoolId, Arc<PoolBook>>,
    /// The task that reads the reserves of each pool with on-chain reserves.
    pub(crate) readers: HashMap<PoolId, JoinSet<()>>,
    /// The tasks that exchange volatility estimates, follow the archive of the ledger and record prices.
    tasks: JoinSet<()>,
    /// The tape, which is closed with the state.
    pub(crate) tape: Option<Tape>,
    pub(crate) live: Arc<LiveService>,
    revocations: SharedRevocations,
    /// The revoked credentials whose streams have ended.
    revoked: BTreeSet<String>,
    /// The sandbox around the service, if it is one.
    pub(crate) sandbox: Option<Arc<Sandbox>>,
    /// The TLS identity of the public listeners, if they use TLS.
    pub(crate) tls: Option<TlsIdentity>,
    pub(crate) metrics: ReloadMetrics,
    settlements: SwapOutcomeMetrics,
    blocks: BlockTape,
    pub(crate) breakers: Arc<Breakers>,
    pub(crate) webhooks: Arc<Webhooks>,
    /// `None` for a store that keeps none.
    ledger: Option<Arc<Ledger>>,
    /// The credentials that are in effect.
    pub(crate) credentials: Vec<ClientCredential>,
}

impl ServerState {
    /// Opens every resource that `config` names. Prices and reserves are read from now on, until the state is dropped;
    /// the readers of pauses and books are returned for the caller to run. Waits for the nodes that verify the pools,
    /// not for a store that does not respond.
    ///
    /// # Errors
    /// For a resource that cannot be opened, and for a pool that does not match its configuration.
    pub(crate) async fn open(
        mut config: Config,
        host: HostParts,
        clock: Arc<dyn Clock>,
        http_metrics: Arc<Metrics>,
    ) -> Result<(Self, PauseReader, BookFollower), Error> {
        let registry = http_metrics.registry();
        host.check_names(&config)?;
        host.replace_signers(&mut config)?;
        let ReadCredentialsFile { credentials, file_id } = super::credentials(&config)?;
        let without_duplicates = Credentials::with_terms(credentials.clone())?;
        let OpenStore { store, redis } = match &host.store {
            Some(store) => Arc::clone(store).into(),
            None => open_store(&config, clock.now()).await?,
        };
        let store = stores::instrument(store, registry)?;
        log_warnings(&config).await?;
        let chains = Arc::new(chain::open(&config, &clock)?);
        let on_chain = reserves::verify_all(reserves::open(&config, &chains)?).await?;
        chain::verify_static(&config, &chains, &[]).await?;
        let new_feeds = NewFeeds::create(&config, &[], &chains, None, &host, &clock).await?;
        let (mut prices, market) = (PriceFeeds::new(Arc::clone(&clock)), Arc::default());
        prices.replace(&config, new_feeds, &market);
        let estimates =
            EstimateExchange::start(Arc::clone(prices.writer()), Arc::clone(&store), Arc::clone(&clock)).await;
        let mut tasks = JoinSet::from_iter([estimates.run()]);
        let ledger = ledger(&config, redis.as_ref()).map(Arc::new);
        if let Some(redis) = redis {
            tasks.spawn(redis::follow_archive(redis, Arc::clone(&clock), registry)?);
        }
        let signers = InstrumentedSigners::new(registry)?;
        let parts = desk_parts(&store, market, &prices, &clock);
        let tape = config.tape.as_ref().map(|tape| Tape::open(tape, &clock, registry)).transpose()?;
        let desk = Arc::new(super::desk(&config, signers.instrument(&config), parts, tape.as_ref()));
        let service = super::service(&config, without_duplicates, Arc::clone(&desk), Arc::clone(prices.desk()));
        let tls = config.server.tls.as_ref().map(|files| files.load().map(TlsIdentity::new)).transpose()?;
        let tracing = config.otlp.as_ref().and(TRACING);
        let live = Arc::new(LiveService::with_tracing(service, Arc::clone(&http_metrics), tracing)?);
        live.report_earnings(Arc::new(LedgerEarnings::new(Records {
            ledger: ledger.clone(),
            tape: config.tape.as_ref().map(|tape| tape.directory.clone()),
            live: Arc::downgrade(&live),
            clock: Arc::clone(&clock),
        })));
        live.report_replica(ReplicaStatus { name: host_name(), rejected_files: Vec::new() });
        let webhooks = webhooks::open(&config.webhooks)?;
        let webhooks = Webhooks::new(webhooks, Arc::clone(&live), Arc::clone(&store), registry)?;
        let breaker_parts = BreakerParts {
            live: Arc::clone(&live),
            pauses: Arc::clone(&desk.pauses),
            market: Arc::clone(prices.writer()),
            store: Arc::clone(&store),
            clock: Arc::clone(&clock),
        };
        let breakers = Arc::new(Breakers::new(breakers::policies(&config), breaker_parts, registry)?);
        let (revocations, revoking) = SharedRevocations::new(Arc::clone(&desk.pauses), Arc::clone(&clock));
        tasks.spawn(revoking);
        let pools: Vec<PoolId> = config.pools.iter().map(PoolConfig::id).collect();
        let mut state = Self {
            sandbox: None,
            metrics: ReloadMetrics::new(registry, &file_id)?,
            settlements: SwapOutcomeMetrics::new(registry, &pools)?,
            blocks: BlockTape::new(tape.as_ref(), registry, &pools)?,
            breakers,
            webhooks: Arc::new(webhooks),
            ledger,
            credentials: credentials.clone(),
            revocations,
            revoked: BTreeSet::new(),
            live,
            tls,
            prices,
            books: HashMap::new(),
            readers: HashMap::new(),
            tasks,
            tape,
            pairs: Arc::new(PairNames::new(&config)),
            pauses: Arc::clone(&desk.pauses),
            config,
            clock,
            chains,
            store,
            host,
            signers,
            desk,
        };
        let quoting = SandboxedService { live: &state.live, desk: &state.desk, prices: state.prices.desk() };
        state.sandbox = sandbox::open(&state.config, quoting, credentials, Arc::clone(&http_metrics))?;
        state.record_prices();
        state.tasks.spawn(Arc::clone(&state.breakers).run());
        state.tasks.spawn(Arc::clone(&state.webhooks).run());
        state.register_metrics(registry)?;
        let lost_pauses = register_int_counter_with_registry!(
            "firmquote_lost_pauses_total",
            "Pauses that the store lost, and that this replica put back.",
            registry
        )?;
        let (pauses, books) = state.start_readers(on_chain, lost_pauses).await;
        Ok((state, pauses, books))
    }

    /// Reads pauses and books once, and the reserves of these pools from now on.
    async fn start_readers(
        &mut self,
        on_chain: Vec<ChainPool>,
        lost_pauses: IntCounter,
    ) -> (PauseReader, BookFollower) {
        // Waits for the first read: before it nothing is quoted.
        let pauses = PauseReader::start(Arc::clone(&self.pauses), Arc::clone(&self.clock), lost_pauses).await;
        // No stream is open yet.
        self.revoked = self.pauses.revoked();
        self.share_revocations(&self.credentials);
        let (live, books) = (Arc::clone(&self.live), Arc::clone(&self.store));
        let books = BookFollower::start(live, books, Arc::clone(&self.clock)).await;
        // Now that the books are read, the first reserves are read with the events of their swaps.
        self.read_reserves(on_chain, &[]);
        (pauses, books)
    }

    /// Records prices from now on, if a tape is configured.
    fn record_prices(&mut self) {
        if let Some(tape) = &self.tape {
            let (live, market) = (Arc::clone(&self.live), Arc::clone(self.prices.writer()));
            self.tasks.spawn(PriceTape::new(tape, live, market, Arc::clone(&self.clock)).run());
        }
    }

    /// Registers the metrics that each scrape reads from this state.
    ///
    /// # Errors
    /// When a metric of the same name is already registered; a bug.
    fn register_metrics(&self, registry: &Registry) -> prometheus::Result<()> {
        VolumeMetrics(Arc::clone(&self.desk.operator_view)).register(registry)?;
        FirmLevelMetrics(Arc::clone(&self.desk.firm_levels)).register(registry)?;
        RevocationMetrics(Arc::clone(&self.pauses)).register(registry)?;
        PoolMetrics { live: Arc::clone(&self.live), clock: Arc::clone(&self.clock) }.register(registry)?;
        self.prices.metrics(Arc::clone(&self.pairs)).register(registry)?;
        Arc::clone(&self.breakers).register(registry)?;
        if let Some(tls) = &self.tls {
            CertificateMetrics(tls.clone()).register(registry)?;
        }
        ProcessMetrics.register(registry)
    }

    /// Reloads the credentials file and leaves everything else unchanged. Of duplicate credentials the first one
    /// counts, so that revoked credentials stop working all the same; returns the first duplicate.
    ///
    /// # Errors
    /// For a file that cannot be read, in which case nothing changes.
    pub(crate) fn apply_credentials(&mut self) -> Result<Option<Error>, Error> {
        self.replace_credentials(super::credentials(&self.config)?);
        Ok(self.replace_service())
    }

    /// Replaces the service by one with the current credentials, which ends all streams; returns the first credential that
    /// is not accepted.
    fn replace_service(&self) -> Option<Error> {
        let (credentials, invalid) = Credentials::deduplicated(self.credentials.iter().cloned());
        let (desk, prices) = (Arc::clone(&self.desk), Arc::clone(self.prices.desk()));
        self.live.replace(super::service(&self.config, credentials, desk, prices));
        invalid.into_iter().next().map(Error::from)
    }

    /// Replaces the credentials of the files, and records what changed.
    pub(crate) fn replace_credentials(&mut self, ReadCredentialsFile { credentials, file_id }: ReadCredentialsFile) {
        let changes = changed_credentials(&self.credentials, &credentials);
        self.share_revocations(&credentials);
        self.credentials = credentials;
        self.metrics.show_credentials_file(&file_id);
        if !changes.is_empty() {
            self.record(OperatorEvent::Credentials { replica: host_name(), changes });
        }
    }

    /// Revokes what the files of this replica disable, on every replica, and ends that for what they no longer disable; beside
    /// the other tasks.
    fn share_revocations(&self, credentials: &[ClientCredential]) {
        let were_disabled: BTreeSet<String> =
            self.credentials.iter().filter(|one| !one.is_enabled).map(|one| one.credential.id()).collect();
        for one in credentials {
            let id = one.credential.id();
            if !one.is_enabled && !self.pauses.is_revoked(&id) {
                self.revocations.set(id, true);
            } else if one.is_enabled && were_disabled.contains(&id) {
                self.revocations.set(id, false);
            }
        }
    }

    /// Ends the streams of all clients when a credential was revoked since the last call: they authenticate again.
    pub(crate) fn end_streams_after_revocation(&mut self) {
        let revoked = self.pauses.revoked();
        if !revoked.is_subset(&self.revoked) {
            // Credentials that are not accepted were reported when they were read.
            _ = self.replace_service();
        }
        self.revoked = revoked;
    }

    /// Appends an entry about this replica to the operator's stream, beside the other tasks.
    pub(crate) fn record(&self, event: OperatorEvent) {
        let store = Arc::clone(&self.store);
        let entry = OperatorEntry { event, actor: None, recorded_at: self.clock.now() };
        tokio::spawn(async move {
            if let Err(error) = store.append_entry(&entry).await {
                tracing::error!(%error, "a change of the configuration is not in the operator's stream");
            }
        });
    }

    /// Reloads the certificate files; new connections get the new certificate.
    ///
    /// # Errors
    /// For files that cannot be used.
    pub(crate) fn apply_certificate(&self) -> Result<(), Error> {
        if let Some((tls, files)) = self.tls.as_ref().zip(self.config.server.tls.as_ref()) {
            tls.replace(files.load()?);
        }
        Ok(())
    }

    /// Whether the reserves of the pool are currently being read.
    pub(crate) fn is_read(&self, pool: PoolId) -> bool {
        self.readers.contains_key(&pool)
    }

    /// Waits for the end of a task that reads prices or reserves; none of them ends on its own.
    pub(crate) async fn task_ended(&mut self) -> Result<(), JoinError> {
        poll_fn(|context| {
            let mut sets = self.readers.values_mut().chain(self.prices.tasks()).chain([&mut self.tasks]);
            // A set without tasks is ready, too.
            let ended = sets.find_map(|set| match set.poll_join_next(context) {
                Poll::Ready(ended) => ended,
                Poll::Pending => None,
            });
            ended.map_or(Poll::Pending, Poll::Ready)
        })
        .await
    }

    /// Reads the reserves of these pools and no others; the readers of the `unchanged` pools continue.
    pub(crate) fn read_reserves(&mut self, pools: Vec<ChainPool>, unchanged: &[PoolId]) {
        // Dropping its set ends a reader.
        self.readers.retain(|id, _| unchanged.contains(id));
        for pool in pools {
            let observers = Observers {
                market: Arc::clone(self.prices.writer()),
                live: Arc::clone(&self.live),
                clock: Arc::clone(&self.clock),
                metrics: self.settlements.clone(),
                tape: self.blocks.clone(),
                breakers: Arc::clone(&self.breakers),
                ledger: self.ledger.clone(),
            };
            self.readers.entry(pool.id()).or_insert_with(|| JoinSet::from_iter([pool.run(observers)]));
        }
    }
}

/// Returns what the desk shares with the rest of the server.
fn desk_parts(store: &Arc<dyn Store>, market: Arc<Market>, prices: &PriceFeeds, clock: &Arc<dyn Clock>) -> DeskParts {
    DeskParts {
        market,
        store: Arc::clone(store),
        firm_levels: Arc::new(FirmLevelsState::new(clock.now())),
        pauses: Arc::new(Pauses::new(Arc::clone(store))),
        clock: Arc::clone(clock),
        operator_view: Arc::new(prices.operator_view()),
    }
}

/// Returns where the ledger of the store is; `None` for one that keeps none, and for that of a host.
fn ledger(config: &Config, redis: Option<&Arc<RedisStore>>) -> Option<Ledger> {
    match redis {
        Some(redis) => Some(Ledger::Redis(Arc::clone(redis))),
        None => config.store.memory()?.ledger_file.clone().map(Ledger::File),
    }
}

/// Opens the store of the configured pools.
async fn open_store(config: &Config, now: Timestamp) -> Result<OpenStore, Error> {
    // A simulated chain begins with the process, so nothing is outstanding on it.
    let is_simulated = config.sandbox.is_some() && !sandbox::has_node(config);
    let since = if is_simulated { Timestamp::from_micros(0) } else { now };
    stores::open(&config.store, &config.pools, since, now).await
}

/// Logs the signers that do not respond and the pools whose signatures can be executed repeatedly.
///
/// # Errors
/// For a signing service that has no key of the configured account.
async fn log_warnings(config: &Config) -> Result<(), Error> {
    for warning in super::unavailable_signers(config).await? {
        tracing::warn!("{warning}");
    }
    for pool in config.pools.iter().filter(|pool| pool.pool.spec().is_replayable()) {
        tracing::warn!(pool = %pool.id(), "{}", super::REPLAYABLE);
    }
    Ok(())
}

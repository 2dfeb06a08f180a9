//! The state of a running server: all that is needed to serve another configuration instead.

use std::{collections::HashMap, sync::Arc};

use firmquote_config::{Config, PoolConfig};
use firmquote_desk::{Desk, Pauses, PriceDesk};
use firmquote_domain::{Clock, PoolId};
use firmquote_http::{Credentials, LiveService, Metrics, TlsIdentity};
use firmquote_market::MarketWriter;
use tokio::task::JoinSet;

use super::{
    DeskParts,
    stores::{self, Stores},
};
use crate::{
    Error, assembly,
    chain::{
        self, Chains,
        reserves::{self, PoolOnChain},
    },
    instrumented::InstrumentedSigners,
    metrics::{self, PairNames, ReloadMetrics, VolumeMetrics},
    pauses::PauseReader,
    prices,
    telemetry::TRACING,
};

/// What is served, and all that is needed to serve another configuration instead.
pub(crate) struct ServerState {
    /// What is in force.
    pub(crate) config: Config,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) chains: Arc<Chains>,
    pub(crate) market: Arc<MarketWriter>,
    pub(crate) prices: Arc<PriceDesk>,
    pub(crate) pairs: Arc<PairNames>,
    pub(crate) stores: Stores,
    pub(crate) signers: InstrumentedSigners,
    pub(crate) pauses: Arc<Pauses>,
    pub(crate) desk: Arc<Desk>,
    /// What reads the reserves of each pool that has them on its chain.
    pub(crate) readers: HashMap<PoolId, JoinSet<()>>,
    /// The price sources, and what has the market looked at between their prices.
    price_tasks: JoinSet<()>,
    pub(crate) live: Arc<LiveService>,
    /// With what TLS is spoken, if it is.
    pub(crate) tls: Option<TlsIdentity>,
    pub(crate) metrics: ReloadMetrics,
}

impl ServerState {
    /// Opens everything that `config` names. Prices and reserves are read from now on, and until the state is dropped; the
    /// reader of pauses is returned. Waits for nodes that verify their pools, not for a store that does not answer.
    ///
    /// # Errors
    /// For what cannot be opened, and for pools that are not as they are configured.
    pub(crate) async fn open(
        config: Config,
        clock: Arc<dyn Clock>,
        counted: Arc<Metrics>,
    ) -> Result<(Self, PauseReader), Error> {
        let credentials = Credentials::new(super::credentials(&config)?)?;
        let pools: Vec<PoolId> = config.pools.iter().map(PoolConfig::id).collect();
        let stores = stores::open(&config.store, &pools).await?.instrumented(counted.registry())?;
        for unasked in assembly::unavailable_signers(&config).await? {
            tracing::warn!("{unasked}");
        }
        let chains = Arc::new(chain::open(&config, &clock)?);
        let on_chain = reserves::verified(reserves::open(&config, &chains)?).await?;
        reserves::verify_written(&config, &chains).await?;
        let board = prices::board(&config).await?;
        let (market, prices) = prices::open(&config, &chains, board.as_ref(), &clock)?;
        let pauses = Arc::new(Pauses::new(Arc::clone(&stores.pauses)));
        let signers = InstrumentedSigners::new(counted.registry())?;
        let operator_view = Arc::new(prices.operator_view());
        counted.registry().register(Box::new(VolumeMetrics::new(Arc::clone(&operator_view))?))?;
        let parts = DeskParts {
            market,
            store: Arc::clone(&stores.quotes),
            pauses: Arc::clone(&pauses),
            clock: Arc::clone(&clock),
            operator_view,
        };
        let desk = Arc::new(super::desk(&config, signers.instrument(&config), parts));
        let service = super::service(&config, credentials, Arc::clone(&desk), Arc::clone(&prices.desk));
        let pairs = Arc::new(PairNames::new(&config));
        prices.show(Arc::clone(&pairs), counted.registry())?;
        let tls = config.server.tls.as_ref().map(|files| files.load().map(TlsIdentity::new)).transpose()?;
        metrics::show_process(tls.as_ref(), counted.registry())?;
        let mut served = Self {
            metrics: ReloadMetrics::new(counted.registry())?,
            live: Arc::new(LiveService::traced(service, counted, config.otlp.is_some().then_some(TRACING))?),
            tls,
            market: Arc::clone(prices.live()),
            prices: Arc::clone(&prices.desk),
            readers: HashMap::new(),
            price_tasks: JoinSet::new(),
            config,
            clock,
            chains,
            pairs,
            stores,
            signers,
            pauses,
            desk,
        };
        served.read_reserves(on_chain, &[]);
        served.price_tasks = prices.spawn();
        // The first reading is waited for: before it nothing is quoted.
        let pauses = PauseReader::start(Arc::clone(&served.pauses), Arc::clone(&served.clock)).await;
        Ok((served, pauses))
    }

    /// Puts what the credentials file holds in force, with everything else as it is. Of credentials that are there twice
    /// the first counts.
    ///
    /// # Errors
    /// For a file that cannot be read, and then nothing changes; and for credentials that are there twice, after the rest
    /// is in force: what was revoked opens nothing.
    pub(crate) fn apply_credentials(&self) -> Result<(), Error> {
        let (credentials, repeated) = Credentials::without_repeated(super::credentials(&self.config)?);
        let (desk, prices) = (Arc::clone(&self.desk), Arc::clone(&self.prices));
        self.live.replace(super::service(&self.config, credentials, desk, prices));
        repeated.into_iter().next().map_or(Ok(()), |error| Err(error.into()))
    }

    /// Shows the certificate that the files hold now to those who connect from now on.
    ///
    /// # Errors
    /// For files that cannot be used.
    pub(crate) fn apply_certificate(&self) -> Result<(), Error> {
        if let Some((tls, files)) = self.tls.as_ref().zip(self.config.server.tls.as_ref()) {
            tls.replace(files.load()?);
        }
        Ok(())
    }

    /// Whether reserves of the pool are being read at present.
    pub(crate) fn is_read(&self, pool: PoolId) -> bool {
        self.readers.contains_key(&pool)
    }

    /// Reads the reserves of these pools and of no others; of those in `kept` it goes on as it is.
    pub(crate) fn read_reserves(&mut self, pools: Vec<PoolOnChain>, kept: &[PoolId]) {
        // A reader ends with its set.
        self.readers.retain(|id, _| kept.contains(id));
        for pool in pools {
            let (market, clock) = (Arc::clone(&self.market), Arc::clone(&self.clock));
            self.readers.entry(pool.id()).or_insert_with(|| JoinSet::from_iter([pool.run(market, clock)]));
        }
    }
}

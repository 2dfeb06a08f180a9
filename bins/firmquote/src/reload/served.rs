//! What is served, with all that is needed to serve something else instead.

use std::{collections::HashMap, sync::Arc};

use firmquote_desk::{Desk, Pauses, PriceDesk};
use firmquote_domain::PoolId;
use firmquote_http::{Credential, LiveService, Metrics, TlsIdentity};
use firmquote_market::LiveMarket;
use tokio::task::JoinHandle;

use crate::{
    chains::{self, Chains},
    config::Config,
    metrics::{ReloadMetrics, ShownPairs},
    pauses::PauseReader,
    prices, pushed,
    reserves::{self, PoolOnChain},
    service,
    signers::{self, Unasked},
    store::{self, Stores},
};

/// What is served, and all that is needed to serve something else instead.
pub(crate) struct Served {
    /// What is in force.
    pub(crate) config: Config,
    pub(crate) chains: Arc<Chains>,
    pub(crate) market: Arc<LiveMarket>,
    pub(crate) prices: Arc<PriceDesk>,
    pub(crate) pairs: Arc<ShownPairs>,
    pub(crate) stores: Stores,
    pub(crate) pauses: Arc<Pauses>,
    pub(crate) desk: Arc<Desk>,
    /// What reads the reserves of each pool that has them on its chain.
    pub(crate) readers: HashMap<PoolId, JoinHandle<()>>,
    pub(crate) live: Arc<LiveService>,
    /// With what TLS is spoken, if it is.
    pub(crate) tls: Option<TlsIdentity>,
    pub(crate) metrics: ReloadMetrics,
}

impl Served {
    /// Opens everything that `config` names and keeps it going, for the holders of the configuration's credentials and of
    /// `more`. Waits for nodes that are asked about their pools, not for a store that does not answer.
    ///
    /// # Errors
    /// For what cannot be opened, and for pools that are not as they are configured.
    pub(crate) async fn start(config: Config, more: Vec<Credential>) -> anyhow::Result<Self> {
        let credentials = service::credentials(&config)?.into_iter().chain(more).collect();
        let stores = store::open(&config.store).await?;
        for Unasked { warning, .. } in signers::ask(&config).await? {
            tracing::warn!("{warning}");
        }
        let chains = Arc::new(chains::open(&config)?);
        let on_chain = reserves::verified(reserves::open(&config, &chains)?).await?;
        let board = pushed::board(&config).await?;
        let (market, prices) = prices::open(&config, &chains, board.as_ref())?;
        let pauses = Arc::new(Pauses::new(Arc::clone(&stores.pauses)));
        let desk = Arc::new(service::desk(&config, market, Arc::clone(&stores.quotes), Arc::clone(&pauses)));
        let service = service::service(&config, credentials, Arc::clone(&desk), Arc::clone(&prices.desk))?;
        let counted = Arc::new(Metrics::new(env!("CARGO_PKG_VERSION"))?);
        let pairs = Arc::new(ShownPairs::of(&config));
        prices.show(Arc::clone(&pairs), counted.registry())?;
        let mut served = Self {
            metrics: ReloadMetrics::new(counted.registry())?,
            live: Arc::new(LiveService::new(service, counted)?),
            tls: config.server.tls.as_ref().map(|files| files.load().map(TlsIdentity::new)).transpose()?,
            market: Arc::clone(prices.live()),
            prices: Arc::clone(&prices.desk),
            readers: HashMap::new(),
            config,
            chains,
            pairs,
            stores,
            pauses,
            desk,
        };
        served.read_reserves(on_chain, &[]);
        prices.spawn();
        // The first reading is waited for: before it nothing is quoted.
        tokio::spawn(PauseReader::start(Arc::clone(&served.pauses)).await.keep());
        Ok(served)
    }

    /// Puts what counts for itself in force, as its files hold it now, with everything else as it is. What is wrong is told,
    /// and stays as it was.
    pub(super) fn apply_apart(&self) {
        let credentials = service::credentials(&self.config).map_err(anyhow::Error::from);
        let (desk, prices) = (Arc::clone(&self.desk), Arc::clone(&self.prices));
        match credentials.and_then(|credentials| service::service(&self.config, credentials, desk, prices)) {
            Ok(service) => {
                self.live.replace(service);
                tracing::info!("the credentials were read again and are in force");
            }
            Err(error) => {
                tracing::error!(error = %format!("{error:#}"), "the credentials are refused; the earlier ones stay")
            }
        }
        let Some((tls, files)) = self.tls.as_ref().zip(self.config.server.tls.as_ref()) else { return };
        match files.load() {
            Ok(certificate) => {
                tls.replace(certificate);
                tracing::info!("the certificate was read again and is shown from now on");
            }
            Err(error) => tracing::error!(%error, "the certificate is refused; the earlier one stays"),
        }
    }

    /// Whether reserves of the pool are being read at present.
    pub(super) fn is_read(&self, pool: PoolId) -> bool {
        self.readers.contains_key(&pool)
    }

    /// Reads the reserves of these pools and of no others; of those in `kept` it goes on as it is.
    pub(super) fn read_reserves(&mut self, pools: Vec<PoolOnChain>, kept: &[PoolId]) {
        self.readers.retain(|id, reader| {
            let is_kept = kept.contains(id);
            if !is_kept {
                reader.abort();
            }
            is_kept
        });
        for pool in pools {
            let market = Arc::clone(&self.market);
            self.readers.entry(pool.id()).or_insert_with(|| tokio::spawn(pool.keep(market)));
        }
    }
}

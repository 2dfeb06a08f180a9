//! Opens the store that a configuration describes.

use std::{io::ErrorKind, sync::Arc};

use firmquote_config::{MemoryConfig, StoreConfig};
use firmquote_domain::PoolId;
use firmquote_store::{
    MemoryStore, PauseBoard, PauseFile, PauseFileState, QuoteStore,
    ledger::{LedgerFile, LedgeredStore},
    redis::{RedisConfig, RedisStore},
};
use prometheus::Registry;

use crate::{Error, error::Context as _, instrumented::InstrumentedStore, metrics::OccupancyMetrics};

/// What all replicas share, as far as the store is shared.
#[derive(Clone)]
pub(crate) struct Stores {
    /// Quotes, signatures and signed totals.
    pub(crate) quotes: Arc<dyn QuoteStore>,
    /// Which pools are paused.
    pub(crate) pauses: Arc<dyn PauseBoard>,
}

impl Stores {
    fn of<S: QuoteStore + PauseBoard + 'static>(store: S) -> Self {
        let store = Arc::new(store);
        Self { quotes: Arc::clone(&store) as _, pauses: store }
    }

    /// The same; calls about quotes are timed and counted in `registry`, with how full the store is.
    ///
    /// # Errors
    /// When a metric of that name is there already; a mistake in this program.
    pub(crate) fn instrumented(self, registry: &Registry) -> prometheus::Result<Self> {
        registry.register(Box::new(OccupancyMetrics::new(Arc::clone(&self.quotes))?))?;
        Ok(Self { quotes: Arc::new(InstrumentedStore::new(self.quotes, registry)?), pauses: self.pauses })
    }
}

/// Opens the store, for these pools. That in Redis lives on the runtime it is opened in, and may be opened while no server
/// answers: it goes on trying.
///
/// # Errors
/// When the ledger's file cannot be opened, and for certificates that cannot be used.
pub(crate) async fn open(config: &StoreConfig, pools: &[PoolId]) -> Result<Stores, Error> {
    match config {
        StoreConfig::Memory(config) => open_memory(config, pools),
        StoreConfig::Redis(config) => Ok(Stores::of(connect(config).await?)),
    }
}

/// Opens the store in Redis.
///
/// # Errors
/// For certificates that cannot be used.
pub(crate) async fn connect(config: &RedisConfig) -> Result<RedisStore, Error> {
    RedisStore::connect(config).await.context("store: cannot be used as it is configured")
}

fn open_memory(config: &MemoryConfig, pools: &[PoolId]) -> Result<Stores, Error> {
    let store = MemoryStore::new(config.max_quotes);
    let stores = match &config.ledger_file {
        None => Stores::of(store),
        Some(path) => {
            let ledger = LedgerFile::open(path, config.timeout);
            let ledger = ledger.with_context(|| format!("store.ledger_file: cannot append to {}", path.display()))?;
            Stores::of(LedgeredStore { store, ledger })
        }
    };
    let Some(directory) = &config.state_directory else { return Ok(stores) };
    match PauseFile::open(directory, pools, config.timeout) {
        Ok((pauses, found)) => {
            if let PauseFileState::Corrupt(aside) = found {
                let aside = aside.display();
                tracing::error!(%aside, "which pools were paused cannot be read: all of them are paused; the file was put aside");
            }
            Ok(Stores { pauses: Arc::new(pauses), ..stores })
        }
        Err(error) if error.kind() == ErrorKind::WouldBlock => {
            Err(error).with_context(|| format!("store.state_dir: {}", directory.display()))
        }
        Err(error) => {
            let directory = directory.display();
            tracing::warn!(%directory, %error, "store.state_dir cannot be used: pauses end with this process");
            Ok(stores)
        }
    }
}

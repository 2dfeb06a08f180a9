//! Opens the configured store.

use std::{io::ErrorKind, sync::Arc};

use firmquote_config::{MemoryConfig, StoreConfig};
use firmquote_domain::PoolId;
use firmquote_store::{
    BookStore, MemoryStore, PauseBoard, PauseFile, PauseFileState, QuoteStore,
    ledger::{LedgerFile, LedgeredStore},
    redis::{RedisConfig, RedisStore},
};
use prometheus::Registry;

use crate::{Error, error::Context as _, instrumented::InstrumentedStore, metrics::OccupancyMetrics};

/// The storage ports; shared by all replicas if the store is.
#[derive(Clone)]
pub(crate) struct Stores {
    /// Stores quotes, signatures and signed totals.
    pub(crate) quotes: Arc<dyn QuoteStore>,
    /// Stores which pools are paused.
    pub(crate) pauses: Arc<dyn PauseBoard>,
    /// Stores the books of the pools.
    pub(crate) books: Arc<dyn BookStore>,
}

impl Stores {
    fn of<S: QuoteStore + PauseBoard + BookStore + 'static>(store: S) -> Self {
        let store = Arc::new(store);
        Self { quotes: Arc::clone(&store) as _, books: Arc::clone(&store) as _, pauses: store }
    }

    /// Wraps the quote store: its calls are timed and counted in `registry`, and its occupancy is exported.
    ///
    /// # Errors
    /// When a metric of the same name is already registered; a bug.
    pub(crate) fn instrumented(self, registry: &Registry) -> prometheus::Result<Self> {
        registry.register(Box::new(OccupancyMetrics::new(Arc::clone(&self.quotes))?))?;
        Ok(Self { quotes: Arc::new(InstrumentedStore::new(self.quotes, registry)?), ..self })
    }
}

/// Opens the store for these pools. The Redis store belongs to the current runtime and may be opened while no server
/// responds: it keeps retrying.
///
/// # Errors
/// When the ledger file cannot be opened, when another process uses the state directory, and for certificates that
/// cannot be used.
pub(crate) async fn open(config: &StoreConfig, pools: &[PoolId]) -> Result<Stores, Error> {
    match config {
        StoreConfig::Memory(config) => open_memory(config, pools),
        StoreConfig::Redis(config) => Ok(Stores::of(connect(config).await?)),
    }
}

/// Opens the Redis store.
///
/// # Errors
/// For certificates that cannot be used.
pub(crate) async fn connect(config: &RedisConfig) -> Result<RedisStore, Error> {
    RedisStore::connect(config).await.context("store: cannot be used as configured")
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
                tracing::error!(%aside, "cannot read which pools were paused: all are paused; file moved aside");
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

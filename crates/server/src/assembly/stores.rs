//! Opens the configured store.

use std::{io::ErrorKind, path::Path, sync::Arc, time::Duration};

use firmquote_config::{MemoryConfig, PoolConfig, ReservesConfig, StoreConfig};
use firmquote_domain::{PoolId, Timestamp};
use firmquote_store::{
    BookChange, BookStore, EstimateFile, EstimateStore, LayeredStore, LevelStore, MemoryStore, PauseFile,
    PauseFileState, PauseStore, QuoteStore,
    ledger::{LedgerFile, LedgeredStore, RestoredLedger, restore},
    redis::{RedisConfig, RedisStore},
};
use prometheus::Registry;

use crate::{
    Error,
    error::Context as _,
    instrumented::StoreInstrumentation,
    metrics::{OccupancyMetrics, ScrapeMetrics as _},
};

/// The storage ports; shared by all replicas if the store is.
#[derive(Clone)]
pub(crate) struct Stores {
    /// Stores quotes, signatures and signed totals.
    pub(crate) quotes: Arc<dyn QuoteStore>,
    /// Stores which pools are paused.
    pub(crate) pauses: Arc<dyn PauseStore>,
    /// Stores the books of the pools.
    pub(crate) books: Arc<dyn BookStore>,
    /// Stores firm levels.
    pub(crate) levels: Arc<dyn LevelStore>,
    /// Stores volatility estimates; `None` if they end with the process.
    pub(crate) estimates: Option<Arc<dyn EstimateStore>>,
}

impl Stores {
    fn new<S: QuoteStore + PauseStore + BookStore + LevelStore + 'static>(store: Arc<S>) -> Self {
        Self {
            quotes: Arc::clone(&store) as _,
            books: Arc::clone(&store) as _,
            levels: Arc::clone(&store) as _,
            estimates: None,
            pauses: store,
        }
    }

    /// Wraps the quote store: its calls are timed and counted in `registry`, and its occupancy is exported.
    ///
    /// # Errors
    /// When a metric of the same name is already registered; a bug.
    pub(crate) fn instrumented(self, registry: &Registry) -> prometheus::Result<Self> {
        OccupancyMetrics(Arc::clone(&self.quotes)).register(registry)?;
        let layer = StoreInstrumentation::new(registry)?;
        Ok(Self { quotes: Arc::new(LayeredStore { layer, store: self.quotes }), ..self })
    }
}

/// Opens the store for these pools. Without a ledger file, the memory store knows every signature from `since` on. The
/// Redis store belongs to the current runtime and may be opened while no server responds: it keeps retrying.
///
/// # Errors
/// When the ledger file cannot be opened, when another process uses the state directory, and for certificates that
/// cannot be used.
pub(crate) async fn open(
    config: &StoreConfig,
    pools: &[PoolConfig],
    since: Timestamp,
    now: Timestamp,
) -> Result<Stores, Error> {
    match config {
        StoreConfig::Memory(config) => open_memory(config, pools, since, now).await,
        StoreConfig::Redis(config) => {
            let store = Arc::new(connect(config).await?);
            Ok(Stores { estimates: Some(Arc::clone(&store) as _), ..Stores::new(store) })
        }
    }
}

/// Opens the Redis store.
///
/// # Errors
/// For certificates that cannot be used.
pub(crate) async fn connect(config: &RedisConfig) -> Result<RedisStore, Error> {
    RedisStore::connect(config).await.context("store: cannot be used as configured")
}

async fn open_memory(
    config: &MemoryConfig,
    pools: &[PoolConfig],
    since: Timestamp,
    now: Timestamp,
) -> Result<Stores, Error> {
    let store = MemoryStore::new(config.max_quotes).with_status_retention(config.status_retention_seconds);
    let store = Arc::new(store);
    let mut stores = Stores::new(Arc::clone(&store));
    match &config.ledger_file {
        None => {
            wait_for_books(&store, pools, since, now, "set store.ledger_file so that the next start can restore them")
        }
        Some(path) => {
            let ledger = LedgerFile::open(path, config.timeout);
            let ledger = ledger.with_context(|| format!("store.ledger_file: cannot append to {}", path.display()))?;
            restore_ledger(&store, path, config.status_retention_seconds, pools, now).await?;
            stores.quotes = Arc::new(LedgeredStore { store, ledger });
        }
    }
    match &config.state_directory {
        Some(directory) => with_state_directory(stores, directory, pools, config.timeout).await,
        None => Ok(stores),
    }
}

/// Replaces the pauses and estimates of `stores` with those in `directory`. If it cannot be used, pauses in it still apply until the
/// process ends.
///
/// # Errors
/// When another process uses the directory.
async fn with_state_directory(
    stores: Stores,
    directory: &Path,
    pools: &[PoolConfig],
    timeout: Duration,
) -> Result<Stores, Error> {
    let ids: Vec<PoolId> = pools.iter().map(PoolConfig::id).collect();
    match PauseFile::open(directory, &ids, timeout) {
        Ok((pauses, found)) => {
            if let PauseFileState::Corrupt(aside) = found {
                let aside = aside.display();
                tracing::error!(%aside, "cannot read the pause file: moved it aside and paused all pools");
            }
            let estimates = EstimateFile::new(directory, timeout);
            Ok(Stores { pauses: Arc::new(pauses), estimates: Some(Arc::new(estimates)), ..stores })
        }
        Err(error) if error.kind() == ErrorKind::WouldBlock => {
            Err(error).with_context(|| format!("store.state_dir: {}", directory.display()))
        }
        Err(error) => {
            let paused = PauseFile::read(directory, &ids);
            let (directory, pools) = (directory.display(), paused.len());
            tracing::warn!(
                %directory,
                %error,
                paused = pools,
                "store.state_dir cannot be used: pauses in it still apply, and changes end with this process"
            );
            for pool in paused {
                stores.pauses.set_paused(pool, true).await.context("store: cannot be used")?;
            }
            Ok(stores)
        }
    }
}

/// Restores from the ledger file the swaps that were signed before this process started and may still be executed, and
/// the signatures whose status may be requested.
async fn restore_ledger(
    store: &MemoryStore,
    path: &Path,
    status_retention_seconds: u32,
    pools: &[PoolConfig],
    now: Timestamp,
) -> Result<(), Error> {
    let found = restore(path, status_retention_seconds, now);
    let RestoredLedger { swaps, signatures, since, invalid_lines } =
        found.with_context(|| format!("store.ledger_file: cannot read {}", path.display()))?;
    if invalid_lines > 0 {
        let path = path.display();
        tracing::error!(
            %path,
            invalid_lines,
            "lines of the ledger cannot be read: swaps in them are not restored, and pools sign nothing until they have expired"
        );
    }
    let advice = "the ledger file begins too late, or has lines that cannot be read";
    wait_for_books(store, pools, since.unwrap_or(now), now, advice);
    if !swaps.is_empty() {
        tracing::info!(swaps = swaps.len(), "restored outstanding swaps from the ledger");
    }
    for entry in swaps {
        let pool = entry.swap.offer.pool;
        store.apply_changes(pool, &[BookChange::Entered(entry)], now).await.context("store: cannot be used")?;
    }
    for (signed, outcome) in signatures {
        store.restore_signed(signed, outcome, now);
    }
    Ok(())
}

/// Makes the store wait until nothing signed before `since` is outstanding, and warns about the pools that sign nothing
/// until then.
fn wait_for_books(store: &MemoryStore, pools: &[PoolConfig], since: Timestamp, now: Timestamp, advice: &str) {
    store.set_books_complete_since(since);
    for pool in pools.iter().filter(|pool| matches!(pool.reserves, ReservesConfig::Chain)) {
        let seconds = since.plus_seconds(pool.pool.spec().max_lifetime_seconds()).seconds_since(now);
        if seconds > 0 {
            let pool = pool.id();
            tracing::warn!(
                %pool,
                seconds,
                "signatures from before the start are unknown: the pool does not sign until they have expired; {advice}"
            );
        }
    }
}

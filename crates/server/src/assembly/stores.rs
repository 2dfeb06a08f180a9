//! Opens the configured store.

use std::{io::ErrorKind, path::Path, sync::Arc, time::Duration};

use firmquote_config::{MemoryConfig, PoolConfig, ReservesConfig, StoreConfig};
use firmquote_domain::{PoolId, Timestamp};
use firmquote_store::{
    BookChange, LayeredStore, MemoryStore, NamedTextsFile, PauseFile, PauseFileState, SampleFile, Store,
    ledger::{LedgerFile, OPERATOR_FILE, RestoredLedger, restore},
    read_hedges,
};
use prometheus::Registry;

#[cfg(feature = "redis")]
use crate::redis;
use crate::{
    Error,
    error::Context as _,
    instrumented::StoreInstrumentation,
    metrics::{OccupancyMetrics, ScrapeMetrics as _},
    redis::RedisStore,
};

/// Wraps a store: its calls are timed and counted in `registry`, and its occupancy is exported.
///
/// # Errors
/// When a metric of the same name is already registered; a bug.
pub(crate) fn instrument(store: Arc<dyn Store>, registry: &Registry) -> prometheus::Result<Arc<dyn Store>> {
    OccupancyMetrics(Arc::clone(&store)).register(registry)?;
    let layer = StoreInstrumentation::new(registry)?;
    Ok(Arc::new(LayeredStore { layer, store }))
}

/// The file of the positions of webhooks, beside the ledger file.
const DELIVERIES_FILE: &str = "deliveries";

/// The file of revoked credentials in the state directory.
const REVOKED_FILE: &str = "revoked";

/// The file of estimates in the state directory.
const ESTIMATES_FILE: &str = "estimates";

/// A store that is open.
pub(crate) struct OpenStore {
    pub(crate) store: Arc<dyn Store>,
    /// The same store, if it is in Redis.
    pub(crate) redis: Option<Arc<RedisStore>>,
}

impl From<Arc<dyn Store>> for OpenStore {
    fn from(store: Arc<dyn Store>) -> Self {
        Self { store, redis: None }
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
) -> Result<OpenStore, Error> {
    match config {
        StoreConfig::Memory(config) => {
            let store: Arc<dyn Store> = Arc::new(open_memory(config, pools, since, now).await?);
            Ok(store.into())
        }
        #[cfg(feature = "redis")]
        StoreConfig::Redis(config) => {
            let redis = Arc::new(redis::connect(config).await?);
            Ok(OpenStore { store: Arc::clone(&redis) as Arc<dyn Store>, redis: Some(redis) })
        }
    }
}

async fn open_memory(
    config: &MemoryConfig,
    pools: &[PoolConfig],
    since: Timestamp,
    now: Timestamp,
) -> Result<MemoryStore, Error> {
    let mut store = MemoryStore::new(config.max_quotes).with_status_retention(config.status_retention_seconds);
    match &config.ledger_file {
        None => {
            wait_for_books(&store, pools, since, now, "set store.ledger_file so that the next start can restore them")
        }
        Some(path) => {
            let ledger = LedgerFile::open(path, config.timeout);
            let ledger = ledger.with_context(|| format!("store.ledger_file: cannot append to {}", path.display()))?;
            restore_ledger(&store, path, config.status_retention_seconds, pools, now).await?;
            store = store.with_ledger(ledger);
            // Nothing is beside a pipe or a device.
            if path.is_file() {
                let path = path.with_file_name(OPERATOR_FILE);
                let operator = LedgerFile::open(&path, config.timeout);
                let operator =
                    operator.with_context(|| format!("store.ledger_file: cannot append to {}", path.display()))?;
                let hedges =
                    read_hedges(&path).with_context(|| format!("store.ledger_file: cannot read {}", path.display()))?;
                store = store.with_operator_file(operator, hedges);
                let deliveries = NamedTextsFile::new(path.with_file_name(DELIVERIES_FILE), config.timeout);
                let opened = store.with_deliveries(deliveries).await;
                store = opened.context("store.ledger_file: the positions of webhooks beside it cannot be read")?;
            }
        }
    }
    match &config.state_directory {
        Some(directory) => with_state_directory(store, directory, pools, config.timeout, now).await,
        None => Ok(store),
    }
}

/// Has `store` retain pauses, estimates and samples in `directory`. If it cannot be used, pauses in it still apply until the
/// process ends.
///
/// # Errors
/// When another process uses the directory.
async fn with_state_directory(
    store: MemoryStore,
    directory: &Path,
    pools: &[PoolConfig],
    timeout: Duration,
    now: Timestamp,
) -> Result<MemoryStore, Error> {
    let ids: Vec<PoolId> = pools.iter().map(PoolConfig::id).collect();
    match PauseFile::open(directory, &ids, timeout) {
        Ok((pauses, found)) => {
            if let PauseFileState::Corrupt(aside) = found {
                let aside = aside.display();
                tracing::error!(%aside, "cannot read the pause file: moved it aside and paused all pools");
            }
            let samples = SampleFile::open(directory, timeout);
            let (samples, found) = samples.with_context(|| format!("store.state_dir: {}", directory.display()))?;
            let store =
                store.with_pauses(pauses).with_estimates(NamedTextsFile::new(directory.join(ESTIMATES_FILE), timeout));
            let revoked = NamedTextsFile::new(directory.join(REVOKED_FILE), timeout);
            let store = store.with_samples(samples, found).with_revocations(revoked).await;
            store.with_context(|| format!("store.state_dir: {}", directory.display()))
        }
        Err(error) if error.kind() == ErrorKind::WouldBlock => {
            Err(error).with_context(|| format!("store.state_dir: {}", directory.display()))
        }
        Err(error) => {
            let (paused, is_known) = PauseFile::read(directory, &ids);
            let (directory, pools) = (directory.display(), paused.pools.len());
            if is_known {
                tracing::warn!(
                    %directory,
                    %error,
                    paused = pools,
                    "store.state_dir cannot be used: pauses in it still apply, and changes end with this process"
                );
            } else {
                tracing::error!(%directory, %error, "store.state_dir cannot be read: all pools are paused");
            }
            for pool in paused.pools {
                store.set_paused(pool, true, None, now).await.context("store: cannot be used")?;
            }
            for trip in paused.trips.values() {
                store.trip(trip, None).await.context("store: cannot be used")?;
            }
            Ok(store)
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

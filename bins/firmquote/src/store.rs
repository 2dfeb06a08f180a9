//! Opens the store that a configuration describes.

use std::sync::Arc;

use anyhow::Context as _;
use firmquote_store::{
    MemoryStore, QuoteStore,
    ledger::{LedgerFile, LedgerKept},
    redis::{RedisConfig, RedisStore},
};

use crate::config::{MemoryConfig, StoreConfig};

/// Opens the store. That in Redis lives on the runtime it is opened in, and may be opened while no server answers: it
/// goes on trying.
///
/// # Errors
/// When the ledger's file cannot be opened, and for certificates that cannot be used.
pub(crate) async fn open(config: &StoreConfig) -> anyhow::Result<Arc<dyn QuoteStore>> {
    match config {
        StoreConfig::Memory(config) => open_memory(config),
        StoreConfig::Redis(config) => Ok(Arc::new(connect(config).await?)),
    }
}

/// Opens the store in Redis.
///
/// # Errors
/// For certificates that cannot be used.
pub(crate) async fn connect(config: &RedisConfig) -> anyhow::Result<RedisStore> {
    RedisStore::connect(config).await.context("store: cannot be used as it is configured")
}

fn open_memory(config: &MemoryConfig) -> anyhow::Result<Arc<dyn QuoteStore>> {
    let store = MemoryStore::new(config.max_quotes);
    let Some(path) = &config.ledger_file else { return Ok(Arc::new(store)) };
    let ledger = LedgerFile::open(path, config.timeout);
    let ledger = ledger.with_context(|| format!("store.ledger_file: cannot append to {}", path.display()))?;
    Ok(Arc::new(LedgerKept { store, ledger }))
}

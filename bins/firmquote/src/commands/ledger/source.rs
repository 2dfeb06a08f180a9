//! Where the ledger of a configuration is.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use firmquote_config::StoreConfig;
use firmquote_server::{environment, system_environment};
use firmquote_store::redis::RedisConfig;

/// The place of a ledger.
pub(in crate::commands) enum LedgerSource {
    /// A stream in Redis.
    Stream(Box<RedisConfig>),
    File(PathBuf),
}

impl LedgerSource {
    /// Returns the ledger of the store configured in the file at `path`.
    pub(in crate::commands) fn from_config(path: &Path) -> anyhow::Result<Self> {
        match StoreConfig::from_file(path, &environment::overrides()?, &system_environment())? {
            StoreConfig::Redis(redis) => Ok(Self::Stream(redis)),
            StoreConfig::Memory(memory) => memory
                .ledger_file
                .map(Self::File)
                .with_context(|| format!("{}: no ledger is configured, set store.ledger_file", path.display())),
        }
    }
}

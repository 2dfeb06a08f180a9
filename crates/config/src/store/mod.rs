//! `[store]`: where quotes are stored and signatures are recorded.

mod memory;
mod redis;
mod servers;

use std::{fmt, time::Duration};

use firmquote_store::{
    DEFAULT_STATUS_RETENTION_SECONDS,
    redis::{RedisConfig, Servers},
};

use crate::{
    document::{
        error::KeyError,
        reader::{Keys, Table},
    },
    mode::ConfigMode,
};
pub use memory::MemoryConfig;

/// The allowed `kind` of the demo's store.
const ONLY_MEMORY: &str = "\"memory\", the demo's key never signs with a Redis store; for that write a file";

/// `[store]`. Not `Debug`: it contains passwords.
pub enum StoreConfig {
    /// `kind = "memory"`, the default: for a single replica; contents are lost with the process.
    Memory(MemoryConfig),
    /// `kind = "redis"`: for any number of replicas.
    Redis(Box<RedisConfig>),
}

pub(super) const KEYS: Keys = Keys::new(&[
    "kind",
    "max_quotes",
    "ledger_file",
    "state_dir",
    "url",
    "cluster",
    "sentinel_master",
    "username",
    "password_env",
    "password_file",
    "tls_ca_file",
    "tls_certificate_file",
    "tls_key_file",
    "prefix",
    "timeout_ms",
    "max_clock_skew_ms",
    "wait_replicas",
    "wait_aof",
    "wait_aof_timeout_ms",
    "status_retention_seconds",
    "ledger_max_age_seconds",
]);

/// The keys of `kind = "memory"` only.
const MEMORY_KEYS: &[&str] = &["max_quotes", "ledger_file", "state_dir"];
/// The keys of both kinds; the rest is for Redis.
const COMMON_KEYS: &[&str] = &["kind", "timeout_ms", "max_clock_skew_ms", "status_retention_seconds"];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Memory,
    Redis,
}

impl StoreConfig {
    /// Returns the maximum that the local clock may be ahead; beyond it nothing is signed.
    pub const fn max_clock_skew(&self) -> Duration {
        match self {
            Self::Memory(config) => config.max_clock_skew,
            Self::Redis(config) => config.max_clock_skew,
        }
    }

    /// Reads the table, and the files and variables that it names.
    ///
    /// # Errors
    /// [`KeyError`] for the first invalid key, or one that this kind of store does not have.
    pub(super) fn read(table: &Table<'_>, mode: ConfigMode) -> Result<Self, KeyError> {
        let kinds = [("memory", Kind::Memory), ("redis", Kind::Redis)];
        let kind = table.field("kind").or(Kind::Memory, |field| field.word(&kinds))?;
        if kind == Kind::Redis && mode == ConfigMode::BuiltIn {
            return Err(table.field("kind").not_allowed(ONLY_MEMORY));
        }
        refuse_others(table, kind)?;
        let (timeout, max_clock_skew, retention) = (timeout(table)?, max_clock_skew(table)?, status_retention(table)?);
        match kind {
            Kind::Memory => Ok(Self::Memory(MemoryConfig::read(table, timeout, max_clock_skew, retention)?)),
            Kind::Redis => Ok(Self::Redis(Box::new(redis::read(table, timeout, max_clock_skew, retention)?))),
        }
    }
}

/// Refuses keys of the other kind, which would silently have no effect.
fn refuse_others(table: &Table<'_>, kind: Kind) -> Result<(), KeyError> {
    for key in KEYS.names.iter().filter(|key| !COMMON_KEYS.contains(key)) {
        let (field, is_of_memory) = (table.field(key), MEMORY_KEYS.contains(key));
        if field.is_present() && is_of_memory != (kind == Kind::Memory) {
            let field = if ["url", "password_env"].contains(key) { field.secret() } else { field };
            let its_kind = if is_of_memory { "memory" } else { "redis" };
            return Err(field.not_allowed(format!("only with kind = {its_kind:?}")));
        }
    }
    Ok(())
}

/// Reads `timeout_ms`: the time limit of every store call.
fn timeout(table: &Table<'_>) -> Result<Duration, KeyError> {
    let millis = table.field("timeout_ms").or(500, |field| field.integer(50..=10_000, " ms"))?;
    Ok(Duration::from_millis(millis))
}

/// Reads `max_clock_skew_ms`: how far the local clock may be ahead of the store's before signing stops; with the memory
/// store, ahead of the time elapsed since the start.
fn max_clock_skew(table: &Table<'_>) -> Result<Duration, KeyError> {
    let millis = table.field("max_clock_skew_ms").or(5_000, |field| field.integer(500..=60_000, " ms"))?;
    Ok(Duration::from_millis(millis))
}

/// Reads `status_retention_seconds`: how long the status of a signed quote can be read after its end.
fn status_retention(table: &Table<'_>) -> Result<u32, KeyError> {
    let field = table.field("status_retention_seconds");
    field.or(DEFAULT_STATUS_RETENTION_SECONDS, |field| field.integer(3_600..=redis::MAX_RETENTION_SECONDS, " seconds"))
}

impl fmt::Display for StoreConfig {
    /// Writes the kind and the addresses of the servers; never a credential.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let servers = match self {
            Self::Memory(_) => return f.write_str("memory"),
            Self::Redis(config) => &config.servers,
        };
        let addresses: Vec<_> = servers.addresses().iter().map(ToString::to_string).collect();
        let addresses = addresses.join(", ");
        match servers {
            Servers::One(_) => write!(f, "redis, one server: {addresses}"),
            Servers::Cluster(_) => write!(f, "redis, a Cluster: {addresses}"),
            Servers::Sentinels { master, .. } => write!(f, "redis, master {master} of the Sentinels: {addresses}"),
        }
    }
}

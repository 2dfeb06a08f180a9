//! `[store]`: where quotes are stored and signatures are recorded.

mod memory;
#[cfg(not(feature = "redis"))]
mod no_redis;
#[cfg(feature = "redis")]
mod redis;
#[cfg(feature = "redis")]
mod servers;
mod table;

use std::{fmt, time::Duration};

use firmquote_store::DEFAULT_STATUS_RETENTION_SECONDS;
#[cfg(feature = "redis")]
use firmquote_store::redis::{RedisConfig, Servers};

pub use self::memory::MemoryConfig;
pub(crate) use self::table::StoreTable;
use self::table::{CommonSettings, Kind};
use crate::{
    document::{deserializer::keys_of, error::KeyError, field::Field, values::setting::OptionalSetting as _},
    mode::ConfigMode,
};

/// The allowed `kind` of the store of a built-in configuration.
const ONLY_MEMORY: &str = "\"memory\", a generated key never signs with a Redis store; for that write a file";

/// Where quotes are stored and signatures are recorded. Not `Debug`: it contains passwords.
pub enum StoreConfig {
    /// For a single replica; contents are lost with the process.
    Memory(MemoryConfig),
    /// For any number of replicas.
    #[cfg(feature = "redis")]
    Redis(Box<RedisConfig>),
}

/// The keys of `kind = "memory"` only.
const MEMORY_KEYS: &[&str] = &["max_quotes", "ledger_file", "state_dir"];
/// The keys of both kinds; the rest is for Redis.
const COMMON_KEYS: &[&str] = &["kind", "timeout_ms", "max_clock_skew_ms", "status_retention_seconds"];

impl StoreConfig {
    /// Returns the maximum that the local clock may be ahead; beyond it nothing is signed.
    pub const fn max_clock_skew(&self) -> Duration {
        match self {
            Self::Memory(config) => config.max_clock_skew,
            #[cfg(feature = "redis")]
            Self::Redis(config) => config.max_clock_skew,
        }
    }

    /// Returns the settings of a store in memory.
    pub const fn memory(&self) -> Option<&MemoryConfig> {
        match self {
            Self::Memory(config) => Some(config),
            #[cfg(feature = "redis")]
            Self::Redis(_) => None,
        }
    }

    /// Whether replicas share it.
    pub const fn is_shared(&self) -> bool {
        self.memory().is_none()
    }

    /// Refuses keys of the other kind in the table at `field`, whatever their values are.
    ///
    /// # Errors
    /// [`KeyError`] for the first.
    pub(crate) fn check_keys(field: &Field<'_>) -> Result<(), KeyError> {
        let is_redis = field.key("kind").text() == Some("redis");
        let own = |key: &&str| COMMON_KEYS.contains(key) || MEMORY_KEYS.contains(key) != is_redis;
        let others = keys_of::<StoreTable>().iter().copied().filter(|key| !own(key));
        field.refuse(others, if is_redis { "only with kind = \"memory\"" } else { "only with kind = \"redis\"" })
    }

    /// Creates the settings of the table at `field`, and reads the files and variables that it names.
    ///
    /// # Errors
    /// [`KeyError`] for Redis in a built-in configuration, and for unusable files and variables.
    pub(crate) fn new(mut table: StoreTable, field: &Field<'_>, mode: ConfigMode) -> Result<Self, KeyError> {
        let kind = table.kind.take().value_or(Kind::Memory);
        if kind == Kind::Redis && mode == ConfigMode::BuiltIn {
            return Err(field.key("kind").not_allowed(ONLY_MEMORY));
        }
        let common = CommonSettings {
            timeout: table.timeout_ms.take().value_or(Duration::from_millis(500)),
            max_clock_skew: table.max_clock_skew_ms.take().value_or(Duration::from_secs(5)),
            status_retention_seconds: table.status_retention_seconds.take().value_or(DEFAULT_STATUS_RETENTION_SECONDS),
        };
        match kind {
            Kind::Memory => Ok(Self::Memory(MemoryConfig::new(table, common, field)?)),
            #[cfg(not(feature = "redis"))]
            Kind::Redis => Err(field.key("kind").not_allowed("\"memory\": built without the feature \"redis\"")),
            #[cfg(feature = "redis")]
            Kind::Redis => Ok(Self::Redis(Box::new(redis::read(table, common, field)?))),
        }
    }
}

impl fmt::Display for StoreConfig {
    /// Writes the kind and the addresses of the servers; never a credential.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory(_) => f.write_str("memory"),
            #[cfg(feature = "redis")]
            Self::Redis(config) => write_servers(&config.servers, f),
        }
    }
}

#[cfg(feature = "redis")]
fn write_servers(servers: &Servers, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let addresses: Vec<_> = servers.addresses().iter().map(ToString::to_string).collect();
    let addresses = addresses.join(", ");
    match servers {
        Servers::One(_) => write!(f, "redis, one server: {addresses}"),
        Servers::Cluster(_) => write!(f, "redis, a Cluster: {addresses}"),
        Servers::Sentinels { master, .. } => write!(f, "redis, master {master} of the Sentinels: {addresses}"),
    }
}

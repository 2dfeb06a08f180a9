//! What a Redis store is told: where the servers are, how long to wait for them, how long to keep what.

use std::time::Duration;

use zeroize::Zeroizing;

use super::{KeyPrefix, RedisAddress, TlsFiles};

/// The servers that keep the quotes.
#[derive(Clone)]
pub enum Servers {
    /// One server, or a proxy that looks like one.
    One(RedisAddress),
    /// The nodes of a Cluster to ask for the others; one that answers is enough.
    Cluster(Vec<RedisAddress>),
    /// Sentinels that know which server is the master at present. Credentials in their addresses are the Sentinels',
    /// and the same for all.
    Sentinels {
        /// The name that the Sentinels know the master by.
        master: String,
        /// Where the Sentinels are; one that answers is enough. The database is that of the first.
        addresses: Vec<RedisAddress>,
    },
}

impl Servers {
    /// All addresses.
    pub fn addresses(&self) -> &[RedisAddress] {
        match self {
            Self::One(address) => std::slice::from_ref(address),
            Self::Cluster(addresses) | Self::Sentinels { addresses, .. } => addresses,
        }
    }
}

/// Who we are to the servers that keep the quotes. Has no `Debug`.
#[derive(Clone)]
pub struct RedisCredentials {
    /// The ACL user; the default user when absent.
    pub username: Option<String>,
    /// Its password.
    pub password: Zeroizing<String>,
}

/// What a Redis store is told.
#[derive(Clone)]
pub struct RedisConfig {
    /// Where the servers are.
    pub servers: Servers,
    /// Who we are to them; replaces credentials in the addresses of servers, and leaves those of Sentinels.
    pub credentials: Option<RedisCredentials>,
    /// Certificates for `rediss://`.
    pub tls: TlsFiles,
    /// What every key starts with.
    pub prefix: KeyPrefix,
    /// How long any call may take; what takes longer is an error.
    pub timeout: Duration,
    /// How many replicas of Redis have to hold the record of a signature before the signature leaves; 0 waits for
    /// none. They have half of `timeout` to say so.
    pub replicas_waited_for: u32,
    /// How long the server may take to force the record of a signature to its disk before the signature leaves
    /// (`WAITAOF`, Redis 7.2); waits for no disk when absent.
    pub wait_aof: Option<Duration>,
    /// How far the clock of this process may be ahead of Redis' for it to sign.
    pub max_clock_skew: Duration,
    /// How long the record of a signature is kept after its `good_until`, in seconds.
    pub record_retention_seconds: u32,
    /// How old an entry of the ledger gets before it may be dropped, in seconds.
    pub ledger_max_age_seconds: u32,
}

/// A configuration that no connection can be made with, whatever the servers do. Tells nothing secret.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct InvalidRedisConfig(pub(super) String);

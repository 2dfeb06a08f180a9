//! Entries shared with all replicas: stored in a hash, announced over a channel of the same name.
//!
//! The meaning of the entries is up to the caller. The last write of a field wins; nothing expires.

mod follow;

use std::time::Duration;

use super::{
    InvalidRedisConfig, RedisConfig,
    connection::{Connection, ManagedConnection},
    scripts::{self, Script},
};
use crate::StoreError;
pub use follow::SharedHashEvent;
pub(super) use follow::{listen, ping};

/// A hash in Redis that every replica follows, with a channel for its changes, both called `<prefix>:<name>`.
///
/// It maintains its own connection, as a [`RedisStore`](super::RedisStore) does, on the runtime that [`Self::connect`]
/// was called on.
pub struct SharedHash {
    connection: ManagedConnection,
    post: Script,
    name: String,
    config: RedisConfig,
}

impl SharedHash {
    /// Connects to the hash `name` on the servers of `config`; returns after the first connection attempt, whether or not
    /// it succeeded.
    ///
    /// # Errors
    /// [`InvalidRedisConfig`] for a configuration that cannot work with any server.
    pub async fn connect(config: &RedisConfig, name: &str) -> Result<Self, InvalidRedisConfig> {
        let connection = ManagedConnection::start(config).await?;
        Ok(Self {
            connection,
            post: scripts::post(),
            name: config.key_prefix().shared_hash(name),
            config: config.clone(),
        })
    }

    /// The name of the hash and of the channel.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The JSON string that is replaced with the time of Redis, a number of Unix milliseconds.
    pub const NOW_MS: &str = "<now ms>";

    /// Writes `entries`, each a field and its value, and publishes `message`, atomically. In all of them,
    /// [`Self::NOW_MS`] is replaced with the same time.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when Redis could not be reached, or its response did not arrive in time.
    pub async fn post(&self, entries: &[(&str, &str)], message: &str) -> Result<(), StoreError> {
        let mut arguments = vec![self.name.as_bytes(), message.as_bytes()];
        arguments.extend(entries.iter().flat_map(|(field, value)| [field.as_bytes(), value.as_bytes()]));
        let call = async |mut connection: Connection| connection.call(&self.post, &[&self.name], &arguments).await;
        self.connection.query(self.timeout(), call).await
    }

    const fn timeout(&self) -> Duration {
        self.config.timeout
    }
}

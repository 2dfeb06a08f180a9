//! A board: entries that all replicas know at once, in a hash and, as they come, over a channel of the same name.
//!
//! What stands on it is the caller's affair. The last word about a field stays; nothing expires.

mod follow;

use std::time::Duration;

use super::{
    InvalidRedisConfig, RedisConfig,
    connection::{Connection, ManagedConnection},
    scripts::{self, Script},
};
use crate::StoreError;
pub use follow::Posted;

/// A board in Redis, `<prefix>:<name>`: one hash, and one channel.
///
/// It keeps a connection of its own, as a [`RedisStore`](super::RedisStore) does, on the runtime that [`Self::connect`]
/// was called in.
pub struct Board {
    link: ManagedConnection,
    post: Script,
    name: String,
    config: RedisConfig,
}

impl Board {
    /// The board called `name` on the servers of `config`; returns after the first attempt to connect, whether or not it
    /// succeeded.
    ///
    /// # Errors
    /// [`InvalidRedisConfig`] for what no server could mend.
    pub async fn connect(config: &RedisConfig, name: &str) -> Result<Self, InvalidRedisConfig> {
        let link = ManagedConnection::start(config).await?;
        Ok(Self { link, post: scripts::post(), name: config.prefix.board(name), config: config.clone() })
    }

    /// The name of its hash and of its channel.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Writes `entries`, each a field and its value, and sends `message` to whoever listens: both or neither.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when Redis could not be asked, or its answer did not arrive in time.
    pub async fn post(&self, entries: &[(&str, &str)], message: &str) -> Result<(), StoreError> {
        let mut arguments = vec![self.name.as_bytes(), message.as_bytes()];
        arguments.extend(entries.iter().flat_map(|(field, value)| [field.as_bytes(), value.as_bytes()]));
        let call = async |mut link: Connection| link.call(&self.post, &[&self.name], &arguments).await;
        self.link.ask(self.timeout(), call).await
    }

    const fn timeout(&self) -> Duration {
        self.config.timeout
    }
}

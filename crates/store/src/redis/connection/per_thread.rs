//! The connections of a store: a shared one, and one for each thread that serves requests on its own runtime.
//!
//! A thread-local connection sends a command without waking another thread, batched with the commands of other requests
//! on the thread, and its response wakes no other thread. The shared connection is the fallback if there is none, or it
//! is broken. The shared connection also determines the server: the others follow it, so that after a failover no
//! thread keeps using a former master.

use std::future::Future;

use redis::RedisResult;
use thread_local::ThreadLocal;
use tokio::runtime::{Handle, RuntimeFlavor};

use super::{Connection, managed::ManagedConnection};
use crate::{
    StoreError,
    redis::{InvalidRedisConfig, RedisConfig, Servers},
};

/// The connections; their tasks end when this value is dropped.
pub(crate) struct ThreadConnections {
    shared: ManagedConnection,
    /// None for a Cluster, whose topology is discovered only once, by the shared connection.
    local: Option<ThreadLocal<ManagedConnection>>,
    config: RedisConfig,
}

impl ThreadConnections {
    /// Starts the shared connection on the current runtime, and returns after its first connection attempt.
    ///
    /// # Errors
    /// [`InvalidRedisConfig`] as for [`ManagedConnection::start`].
    pub(crate) async fn start(config: &RedisConfig) -> Result<Self, InvalidRedisConfig> {
        let shared = ManagedConnection::start(config).await?;
        let local = (!matches!(config.servers, Servers::Cluster(_))).then(ThreadLocal::new);
        Ok(Self { shared, local, config: config.clone() })
    }

    /// Runs `request` on the nearest connection.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] with the reason.
    pub(crate) async fn query<T, F: Future<Output = RedisResult<T>>>(
        &self,
        request: impl FnOnce(Connection) -> F,
    ) -> Result<T, StoreError> {
        self.local_or_shared().query(self.config.timeout, request).await
    }

    /// Returns the connection that the others follow, and that all calls use in a Cluster.
    pub(crate) const fn shared(&self) -> &ManagedConnection {
        &self.shared
    }

    fn local_or_shared(&self) -> &ManagedConnection {
        let local = self.local.as_ref().and_then(|local| local.get().or_else(|| self.begin(local)));
        local.filter(|connection| connection.is_usable()).unwrap_or(&self.shared)
    }

    /// Starts a connection of the current thread, without waiting for it, if the thread runs a single-threaded runtime.
    fn begin<'n>(&self, local: &'n ThreadLocal<ManagedConnection>) -> Option<&'n ManagedConnection> {
        let runtime = Handle::try_current().ok()?;
        if runtime.runtime_flavor() != RuntimeFlavor::CurrentThread {
            return None;
        }
        Some(local.get_or(|| self.shared.start_follower(&self.config)))
    }
}

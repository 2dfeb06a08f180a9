//! The links of a store: one that all share, and one for each thread that serves requests on a runtime of its own.
//!
//! Over a link that lives where it is used a command is sent without waking another thread, together with those of the
//! other requests that the thread is at, and its answer wakes nobody else. Where there is none, or it is broken, the one
//! that all share is taken. That one decides which server it is: the others go where it goes, so that after a failover no
//! thread of a process stays with a master that is none any more.

use std::future::Future;

use redis::RedisResult;
use thread_local::ThreadLocal;
use tokio::runtime::{Handle, RuntimeFlavor};

use super::{Connection, managed::ManagedConnection};
use crate::{
    StoreError,
    redis::{InvalidRedisConfig, RedisConfig, Servers},
};

/// The links; their tasks end with this value.
pub(crate) struct ThreadConnections {
    shared: ManagedConnection,
    /// A Cluster has none: what a connection learns about its nodes is learnt once.
    near: Option<ThreadLocal<ManagedConnection>>,
    config: RedisConfig,
}

impl ThreadConnections {
    /// Starts the link that all share on the present runtime, and returns after its first attempt to connect.
    ///
    /// # Errors
    /// [`InvalidRedisConfig`] as [`ManagedConnection::start`].
    pub(crate) async fn start(config: &RedisConfig) -> Result<Self, InvalidRedisConfig> {
        let shared = ManagedConnection::start(config).await?;
        let near = (!matches!(config.servers, Servers::Cluster(_))).then(ThreadLocal::new);
        Ok(Self { shared, near, config: config.clone() })
    }

    /// Asks over the nearest link.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] with the reason.
    pub(crate) async fn ask<T, F: Future<Output = RedisResult<T>>>(
        &self,
        question: impl FnOnce(Connection) -> F,
    ) -> Result<T, StoreError> {
        self.nearest().ask(self.config.timeout, question).await
    }

    /// The connection of the nearest link.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when there is none.
    pub(crate) fn connection(&self) -> Result<Connection, StoreError> {
        self.nearest().connection()
    }

    fn nearest(&self) -> &ManagedConnection {
        let near = self.near.as_ref().and_then(|near| near.get().or_else(|| self.begin(near)));
        near.filter(|link| link.is_usable()).unwrap_or(&self.shared)
    }

    /// Has the present thread begin a link of its own, if it is one that everything on its runtime runs on. Nobody waits
    /// for it.
    fn begin<'n>(&self, near: &'n ThreadLocal<ManagedConnection>) -> Option<&'n ManagedConnection> {
        let runtime = Handle::try_current().ok()?;
        if runtime.runtime_flavor() != RuntimeFlavor::CurrentThread {
            return None;
        }
        Some(near.get_or(|| ManagedConnection::beside(&self.shared, &self.config)))
    }
}

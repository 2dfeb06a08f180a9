//! A managed connection to Redis, maintained by a background task, so that no request ever waits for a connection.
//! Requests use the current connection, or fail immediately.

use std::{future::Future, sync::Arc, time::Duration};

use arc_swap::{ArcSwap, ArcSwapOption};
use redis::RedisResult;
use tokio::{
    sync::{Notify, watch},
    task::JoinHandle,
    time::timeout,
};

use super::{
    Connection,
    connect::ConnectionFactory,
    reconnect::{Reconnector, Shared},
    store_error,
};
use crate::{
    StoreError,
    redis::{InvalidRedisConfig, RedisConfig},
};

/// A connection maintained by a task, which ends when this value is dropped.
pub(crate) struct ManagedConnection {
    shared: Arc<Shared>,
    task: JoinHandle<()>,
}

impl ManagedConnection {
    /// Starts the task on the current runtime and waits for its first connection attempt to succeed or fail.
    ///
    /// # Errors
    /// [`InvalidRedisConfig`] as for [`ConnectionFactory::new`].
    pub(crate) async fn start(config: &RedisConfig) -> Result<Self, InvalidRedisConfig> {
        Ok(Self::attempted(Self::begin(ConnectionFactory::new(config)?, config)).await)
    }

    /// Starts the task of a connection to the server that `self` is connected to, like [`Self::start`]. Requests cannot
    /// use `self` instead.
    pub(crate) async fn start_dedicated_follower(&self, config: &RedisConfig) -> Self {
        Self::attempted(Self::begin(self.follower(false), config)).await
    }

    /// Starts the task of a connection to the server that `self` is connected to, on the current runtime, without
    /// waiting for it. Requests can use `self` instead.
    pub(crate) fn start_follower(&self, config: &RedisConfig) -> Self {
        Self::begin(self.follower(true), config).0
    }

    fn follower(&self, has_fallback: bool) -> ConnectionFactory {
        ConnectionFactory::Follower { server: self.shared.server.subscribe(), has_fallback }
    }

    /// Waits for the first connection attempt.
    async fn attempted((connection, mut first_attempt): (Self, watch::Receiver<bool>)) -> Self {
        // The task outlives this wait, so the sender is still there.
        drop(first_attempt.wait_for(|attempted| *attempted).await);
        connection
    }

    /// Starts the task on the current runtime. The returned receiver turns true after its first connection attempt.
    fn begin(factory: ConnectionFactory, config: &RedisConfig) -> (Self, watch::Receiver<bool>) {
        let (probe_key, timeout) = (config.key_prefix().probe(), config.timeout);
        let shared = Arc::new(Shared {
            connection: ArcSwapOption::empty(),
            reason: ArcSwap::from_pointee("not connected yet".to_owned()),
            recheck: Notify::new(),
            server: watch::Sender::new(None),
        });
        let (attempted, first_attempt) = watch::channel(false);
        let reconnector = Reconnector { shared: Arc::clone(&shared), factory, probe_key, timeout, attempted };
        (Self { shared, task: tokio::spawn(reconnector.run()) }, first_attempt)
    }

    /// Whether there is a connection and its task is still running.
    pub(crate) fn is_usable(&self) -> bool {
        !self.task.is_finished() && self.shared.connection.load().is_some()
    }

    /// Returns the current connection.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] with the error of the last connection attempt if there is none.
    pub(crate) fn connection(&self) -> Result<Connection, StoreError> {
        let connection = self.shared.connection.load();
        match &*connection {
            Some(connection) => Ok(Connection::clone(connection)),
            None => {
                Err(StoreError::Unavailable(format!("no connection to Redis: {}", self.shared.reason.load()).into()))
            }
        }
    }

    /// Runs `request` on the current connection, and triggers a health check if it fails or takes longer than
    /// `time_limit`.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] with the reason, [`StoreError::ClockSkew`] if a script refused the clock.
    pub(crate) async fn query<T, F: Future<Output = RedisResult<T>>>(
        &self,
        time_limit: Duration,
        request: impl FnOnce(Connection) -> F,
    ) -> Result<T, StoreError> {
        let result = timeout(time_limit, request(self.connection()?)).await;
        let error = match result {
            Ok(Ok(response)) => return Ok(response),
            Ok(Err(error)) => store_error(error),
            Err(_) => {
                let reason = format!("Redis did not answer within {} ms", time_limit.as_millis());
                StoreError::Unavailable(reason.into())
            }
        };
        self.shared.recheck.notify_one();
        Err(error)
    }
}

impl Drop for ManagedConnection {
    fn drop(&mut self) {
        self.task.abort();
    }
}

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
        let (connection, mut first_attempt) = Self::begin(ConnectionFactory::new(config)?, config);
        // The task outlives this wait, so the sender is still there.
        drop(first_attempt.wait_for(|attempted| *attempted).await);
        Ok(connection)
    }

    /// Starts the task of a connection to the server that `other` is connected to, on the current runtime, without
    /// waiting for it.
    pub(crate) fn start_follower(other: &Self, config: &RedisConfig) -> Self {
        Self::begin(ConnectionFactory::Follower(other.shared.server.subscribe()), config).0
    }

    /// Starts the task on the current runtime. The returned receiver turns true after its first connection attempt.
    fn begin(factory: ConnectionFactory, config: &RedisConfig) -> (Self, watch::Receiver<bool>) {
        let (probe_key, timeout) = (config.prefix.probe(), config.timeout);
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

    /// Runs `request` on the current connection, and triggers a health check if it fails or takes longer than `most`.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] with the reason.
    pub(crate) async fn query<T, F: Future<Output = RedisResult<T>>>(
        &self,
        most: Duration,
        request: impl FnOnce(Connection) -> F,
    ) -> Result<T, StoreError> {
        let result = timeout(most, request(self.connection()?)).await;
        let error: Box<dyn std::error::Error + Send + Sync> = match result {
            Ok(Ok(response)) => return Ok(response),
            Ok(Err(error)) => error.into(),
            Err(_) => format!("Redis did not answer within {} ms", most.as_millis()).into(),
        };
        self.shared.recheck.notify_one();
        Err(StoreError::Unavailable(error))
    }
}

impl Drop for ManagedConnection {
    fn drop(&mut self) {
        self.task.abort();
    }
}

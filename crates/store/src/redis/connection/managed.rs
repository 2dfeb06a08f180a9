//! A link to Redis: one connection, kept by a task of its own, so that no request ever waits for a connection. Requests
//! take the connection that is there, or fail at once.

use super::{
    Connection,
    connect::ConnectionFactory,
    reconnect::{Reconnector, Shared},
};
use crate::{
    StoreError,
    redis::{InvalidRedisConfig, RedisConfig},
};

use std::{future::Future, sync::Arc, time::Duration};

use arc_swap::{ArcSwap, ArcSwapOption};
use redis::RedisResult;
use tokio::{
    sync::{Notify, watch},
    task::JoinHandle,
    time::timeout,
};

/// A link; its task ends with it.
pub(crate) struct ManagedConnection {
    shared: Arc<Shared>,
    task: JoinHandle<()>,
}

impl ManagedConnection {
    /// Starts the task on the present runtime and waits for the end of its first attempt, good or bad.
    ///
    /// # Errors
    /// [`InvalidRedisConfig`] as [`ConnectionFactory::new`].
    pub(crate) async fn start(config: &RedisConfig) -> Result<Self, InvalidRedisConfig> {
        let (link, mut first_attempt) = Self::begin(ConnectionFactory::new(config)?, config);
        // The task outlives this wait, so the sender is still there.
        drop(first_attempt.wait_for(|attempted| *attempted).await);
        Ok(link)
    }

    /// Starts the task of a link to whatever server `other` is connected to, on the present runtime. Nobody waits for it.
    pub(crate) fn beside(other: &Self, config: &RedisConfig) -> Self {
        Self::begin(ConnectionFactory::Beside(other.shared.server.subscribe()), config).0
    }

    /// Starts the task on the present runtime. What is returned with it turns true with the end of its first attempt.
    fn begin(dialer: ConnectionFactory, config: &RedisConfig) -> (Self, watch::Receiver<bool>) {
        let (probe_key, timeout) = (config.prefix.probe(), config.timeout);
        let shared = Arc::new(Shared {
            connection: ArcSwapOption::empty(),
            reason: ArcSwap::from_pointee("not connected yet".to_owned()),
            recheck: Notify::new(),
            server: watch::Sender::new(None),
        });
        let (attempted, first_attempt) = watch::channel(false);
        let keeper = Reconnector { shared: Arc::clone(&shared), dialer, probe_key, timeout, attempted };
        (Self { shared, task: tokio::spawn(keeper.run()) }, first_attempt)
    }

    /// Whether there is a connection, and the runtime that keeps it.
    pub(crate) fn is_usable(&self) -> bool {
        !self.task.is_finished() && self.shared.connection.load().is_some()
    }

    /// The connection, if there is one.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] with what the last attempt to connect said.
    pub(crate) fn connection(&self) -> Result<Connection, StoreError> {
        let connection = self.shared.connection.load();
        match &*connection {
            Some(connection) => Ok(Connection::clone(connection)),
            None => {
                Err(StoreError::Unavailable(format!("no connection to Redis: {}", self.shared.reason.load()).into()))
            }
        }
    }

    /// Asks over the connection that there is, and has it looked at when there is no good answer within `most`.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] with the reason.
    pub(crate) async fn ask<T, F: Future<Output = RedisResult<T>>>(
        &self,
        most: Duration,
        question: impl FnOnce(Connection) -> F,
    ) -> Result<T, StoreError> {
        let asked = timeout(most, question(self.connection()?)).await;
        let error: Box<dyn std::error::Error + Send + Sync> = match asked {
            Ok(Ok(answer)) => return Ok(answer),
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

//! The link to Redis: keeps one connection alive in a task of its own, so that no request ever waits for a connection.
//!
//! Requests take the connection that is there, or fail at once. The task looks at the connection every second, and at
//! once when a request had an error; a connection that does not take a write within the timeout is replaced.

use std::{future::Future, sync::Arc, time::Duration};

use arc_swap::{ArcSwap, ArcSwapOption};
use redis::{RedisError, RedisResult};
use tokio::{
    sync::{Notify, watch},
    task::JoinHandle,
    time::{sleep, timeout},
};

use super::{InvalidRedisConfig, RedisConfig, connection::Connection, dial::Dialer};
use crate::StoreError;

/// How long a connection is trusted without a look at it.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// The pause between attempts to connect. Short: Redis is asked for a handshake and no more.
const RECONNECT_PAUSE: Duration = Duration::from_millis(100);
/// How many timeouts an attempt to connect may take: nodes are asked one after the other.
const DIAL_TIMEOUTS: u32 = 8;
/// And how long it may take at least: the client gives a Sentinel that hangs timeouts of its own.
const SHORTEST_DIAL: Duration = Duration::from_secs(5);

/// A link; its task ends with it.
pub(super) struct Link {
    shared: Arc<Shared>,
    task: JoinHandle<()>,
}

struct Shared {
    connection: ArcSwapOption<Connection>,
    /// Why there is no connection, while there is none.
    reason: ArcSwap<String>,
    /// Somebody had an error and wants the connection looked at.
    doubt: Notify,
}

/// How the operator hears of what becomes of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Telling {
    /// By warnings.
    Aloud,
    /// Only at the level `debug`: another link is there, and tells what concerns both.
    Quietly,
}

impl Link {
    /// Starts the task on the present runtime and waits for the end of its first attempt, good or bad.
    ///
    /// # Errors
    /// [`InvalidRedisConfig`] as [`Dialer::new`].
    pub(super) async fn start(config: &RedisConfig) -> Result<Self, InvalidRedisConfig> {
        let (link, mut first_attempt) = Self::begin(config, Telling::Aloud)?;
        // The task outlives this wait, so the sender is still there.
        drop(first_attempt.wait_for(|attempted| *attempted).await);
        Ok(link)
    }

    /// Starts the task on the present runtime. What is returned with it turns true with the end of its first attempt.
    ///
    /// # Errors
    /// [`InvalidRedisConfig`] as [`Dialer::new`].
    pub(super) fn begin(
        config: &RedisConfig,
        telling: Telling,
    ) -> Result<(Self, watch::Receiver<bool>), InvalidRedisConfig> {
        let (dialer, probe_key, timeout) = (Dialer::new(config)?, config.prefix.probe(), config.timeout);
        let reason = ArcSwap::from_pointee("not connected yet".to_owned());
        let shared = Arc::new(Shared { connection: ArcSwapOption::empty(), reason, doubt: Notify::new() });
        let (attempted, first_attempt) = watch::channel(false);
        let keeper = Keeper { shared: Arc::clone(&shared), dialer, probe_key, timeout, attempted, telling };
        Ok((Self { shared, task: tokio::spawn(keeper.keep()) }, first_attempt))
    }

    /// Whether there is a connection, and the runtime that keeps it.
    pub(super) fn is_usable(&self) -> bool {
        !self.task.is_finished() && self.shared.connection.load().is_some()
    }

    /// The connection, if there is one.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] with what the last attempt to connect said.
    pub(super) fn connection(&self) -> Result<Connection, StoreError> {
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
    pub(super) async fn ask<T, F: Future<Output = RedisResult<T>>>(
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
        self.shared.doubt.notify_one();
        Err(StoreError::Unavailable(error))
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Tells at this level, or at `debug`.
macro_rules! tell {
    ($telling:expr, $level:ident, $($what:tt)+) => {
        match $telling {
            Telling::Aloud => tracing::$level!($($what)+),
            Telling::Quietly => tracing::debug!($($what)+),
        }
    };
}

/// What the task does.
struct Keeper {
    shared: Arc<Shared>,
    dialer: Dialer,
    probe_key: String,
    timeout: Duration,
    attempted: watch::Sender<bool>,
    telling: Telling,
}

impl Keeper {
    async fn keep(mut self) {
        let mut was_told = false;
        loop {
            match self.connect().await {
                Ok(connection) => {
                    self.shared.connection.store(Some(Arc::new(connection.clone())));
                    self.attempted.send_replace(true);
                    if was_told {
                        tell!(self.telling, info, "connected to Redis again");
                    }
                    let error = self.watch(connection).await;
                    self.lose(&error);
                    was_told = true;
                }
                Err(error) => {
                    self.shared.reason.store(Arc::new(error.to_string()));
                    if !was_told {
                        tell!(self.telling, warn, %error, "cannot connect to Redis, trying again until it answers");
                        was_told = true;
                    }
                    self.attempted.send_replace(true);
                    sleep(RECONNECT_PAUSE).await;
                }
            }
        }
    }

    /// A connection that takes writes, and is better than the one there is.
    async fn connect(&mut self) -> RedisResult<Connection> {
        let all = (self.timeout * DIAL_TIMEOUTS).max(SHORTEST_DIAL);
        let mut connection = timeout(all, self.dialer.dial(self.timeout)).await.map_err(|_| too_slow())??;
        self.probe(&mut connection).await?;
        if self.shared.connection.load().is_some() {
            // In place of one that knows the nodes it cannot reach at present, no other that has never met them.
            timeout(self.timeout, connection.is_whole()).await.map_err(|_| too_slow())??;
        }
        Ok(connection)
    }

    /// Looks at the connection again and again, and returns why it is no longer good.
    async fn watch(&self, mut connection: Connection) -> RedisError {
        loop {
            // Whichever comes first; a doubt that comes during a look leads to another one.
            drop(timeout(LOOK_EVERY, self.shared.doubt.notified()).await);
            if let Err(error) = self.probe(&mut connection).await {
                return error;
            }
        }
    }

    async fn probe(&self, connection: &mut Connection) -> RedisResult<()> {
        timeout(self.timeout, connection.probe(&self.probe_key)).await.map_err(|_| too_slow())?
    }

    /// A connection that finds its way by itself stays until there is a better one: part of it may work.
    fn lose(&self, error: &RedisError) {
        tell!(self.telling, warn, %error, "lost the connection to Redis");
        self.shared.reason.store(Arc::new(error.to_string()));
        if !self.dialer.heals_itself() {
            self.shared.connection.store(None);
        }
    }
}

fn too_slow() -> RedisError {
    RedisError::from(std::io::Error::from(std::io::ErrorKind::TimedOut))
}

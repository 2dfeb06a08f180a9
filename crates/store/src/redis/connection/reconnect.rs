//! The task behind a managed connection. It checks the connection every second, and immediately after a failed request.
//! It replaces a connection that does not accept a write within the timeout, and one that follows another connection
//! that has reconnected.

use std::{sync::Arc, time::Duration};

use arc_swap::{ArcSwap, ArcSwapOption};
use redis::{Client, RedisError, RedisResult};
use tokio::{
    sync::{Notify, watch},
    time::timeout,
};

use super::{
    Connection,
    connect::{ConnectionFactory, timed_out},
};

/// The state shared by a managed connection and its task.
pub(crate) struct Shared {
    pub(crate) connection: ArcSwapOption<Connection>,
    /// Why there is no connection, while there is none.
    pub(crate) reason: ArcSwap<String>,
    /// Notified after a failed request, to check the connection.
    pub(crate) recheck: Notify,
    /// The client of the current server, sent with every new connection; `None` in a Cluster.
    pub(crate) server: watch::Sender<Option<Client>>,
}

/// How long a connection is trusted without a check.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// The pause between connection attempts. Short, because an attempt costs Redis only a handshake.
const MIN_BACKOFF: Duration = Duration::from_millis(100);
/// The maximum backoff of a connection with a fallback; each pause is twice the one before.
const MAX_BACKOFF: Duration = Duration::from_secs(5);
/// How many timeouts a connection attempt may take: nodes are tried one after the other.
const CONNECT_TIMEOUTS: u32 = 8;
/// The minimum time allowed for a connection attempt: the client applies its own timeouts to a Sentinel that hangs.
const MIN_CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Logs at the given level, but at `debug` for a connection that follows another, because the followed one already
/// reports the outage.
macro_rules! report {
    ($reconnector:expr, $level:ident, $($what:tt)+) => {
        if $reconnector.factory.is_follower() {
            tracing::debug!($($what)+);
        } else {
            tracing::$level!($($what)+);
        }
    };
}

/// The task that connects, checks and reconnects.
pub(crate) struct Reconnector {
    pub(crate) shared: Arc<Shared>,
    pub(crate) factory: ConnectionFactory,
    pub(crate) probe_key: String,
    pub(crate) timeout: Duration,
    pub(crate) attempted: watch::Sender<bool>,
}

impl Reconnector {
    pub(crate) async fn run(mut self) {
        let (mut is_outage_logged, mut backoff) = (false, MIN_BACKOFF);
        loop {
            match self.connect().await {
                Ok((connection, server)) => {
                    self.shared.connection.store(Some(Arc::new(connection.clone())));
                    self.shared.server.send_replace(server);
                    self.attempted.send_replace(true);
                    if is_outage_logged {
                        report!(self, info, "reconnected to Redis");
                    }
                    backoff = MIN_BACKOFF;
                    tokio::select! {
                        error = self.watch(connection) => {
                            report!(self, warn, %error, "lost the connection to Redis");
                            is_outage_logged = true;
                            self.disconnect(&error);
                        }
                        () = self.factory.followed_reconnected() => self.shared.connection.store(None),
                    }
                }
                Err(error) => {
                    self.shared.reason.store(Arc::new(error.to_string()));
                    if !is_outage_logged {
                        report!(self, warn, %error, "cannot connect to Redis, retrying");
                        is_outage_logged = true;
                    }
                    self.attempted.send_replace(true);
                    // Ends early if the followed connection has reconnected.
                    drop(timeout(backoff, self.factory.followed_reconnected()).await);
                    backoff = self.next_backoff(backoff, &error);
                }
            }
        }
    }

    /// Returns the pause after `backoff`. A connection without a fallback keeps the shortest one.
    fn next_backoff(&self, backoff: Duration, error: &RedisError) -> Duration {
        if !self.factory.has_fallback() || backoff == MAX_BACKOFF {
            return backoff;
        }
        let next_backoff = (backoff * 2).min(MAX_BACKOFF);
        if next_backoff == MAX_BACKOFF {
            tracing::info!(%error, "a worker thread has no Redis connection of its own and uses the shared one");
        }
        next_backoff
    }

    /// Opens a connection that accepts writes and is better than the current one; returns it with the client of its
    /// server.
    async fn connect(&mut self) -> RedisResult<(Connection, Option<Client>)> {
        let all = (self.timeout * CONNECT_TIMEOUTS).max(MIN_CONNECT_TIMEOUT);
        let dialed = timeout(all, self.factory.dial(self.timeout)).await.map_err(|_| timed_out())?;
        let (mut connection, server) = dialed?;
        self.probe(&mut connection).await?;
        if !self.factory.is_follower() {
            timeout(self.timeout, connection.check_identity()).await.map_err(|_| timed_out())??;
        }
        if self.shared.connection.load().is_some() {
            // A connection that knows some currently unreachable nodes is not replaced by one that never discovered
            // them.
            timeout(self.timeout, connection.check_all_masters()).await.map_err(|_| timed_out())??;
        }
        Ok((connection, server))
    }

    /// Checks the connection periodically, and returns the error once it is no longer usable.
    async fn watch(&self, mut connection: Connection) -> RedisError {
        loop {
            // Whichever comes first; a notification during a check triggers another one.
            drop(timeout(POLL_INTERVAL, self.shared.recheck.notified()).await);
            let generation = connection.generation();
            if let Err(error) = self.probe(&mut connection).await {
                return error;
            }
            if connection.generation() != generation {
                self.shared.connection.store(Some(Arc::new(connection.clone())));
            }
        }
    }

    async fn probe(&self, connection: &mut Connection) -> RedisResult<()> {
        timeout(self.timeout, connection.probe(&self.probe_key)).await.map_err(|_| timed_out())?
    }

    /// A Cluster connection is kept until there is a better one, because some of its nodes may still work.
    fn disconnect(&self, error: &RedisError) {
        self.shared.reason.store(Arc::new(error.to_string()));
        if !self.factory.is_self_healing() {
            self.shared.connection.store(None);
        }
    }
}

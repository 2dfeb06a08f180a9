//! The task behind a link. It looks at the connection every second, and at once when a request had an error; a connection
//! that does not take a write within the timeout is replaced, and so is one whose link follows another that connected anew.

use std::{sync::Arc, time::Duration};

use arc_swap::{ArcSwap, ArcSwapOption};
use redis::{Client, RedisError, RedisResult};
use tokio::{
    sync::{Notify, watch},
    time::timeout,
};

use super::{Connection, connect::ConnectionFactory};

/// What a link and the task that keeps its connection have in common.
pub(crate) struct Shared {
    pub(crate) connection: ArcSwapOption<Connection>,
    /// Why there is no connection, while there is none.
    pub(crate) reason: ArcSwap<String>,
    /// Somebody had an error and wants the connection looked at.
    pub(crate) recheck: Notify,
    /// The way to the server that it was connected to last, told anew with every connection; none in a Cluster.
    pub(crate) server: watch::Sender<Option<Client>>,
}

/// How long a connection is trusted without a look at it.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// The pause between attempts to connect. Short: Redis is asked for a handshake and no more.
const RECONNECT_PAUSE: Duration = Duration::from_millis(100);
/// The longest pause of a link in whose place another one is taken; each of its pauses is twice the one before.
const MAX_PAUSE: Duration = Duration::from_secs(5);
/// How many timeouts an attempt to connect may take: nodes are asked one after the other.
const CONNECT_TIMEOUTS: u32 = 8;
/// And how long it may take at least: the client gives a Sentinel that hangs timeouts of its own.
const MIN_CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Tells at this level; of a link that follows another, which tells what concerns both, at `debug`.
macro_rules! report {
    ($keeper:expr, $level:ident, $($what:tt)+) => {
        if $keeper.dialer.is_beside() {
            tracing::debug!($($what)+);
        } else {
            tracing::$level!($($what)+);
        }
    };
}

/// What the task does.
pub(crate) struct Reconnector {
    pub(crate) shared: Arc<Shared>,
    pub(crate) dialer: ConnectionFactory,
    pub(crate) probe_key: String,
    pub(crate) timeout: Duration,
    pub(crate) attempted: watch::Sender<bool>,
}

impl Reconnector {
    pub(crate) async fn run(mut self) {
        let (mut was_told, mut pause) = (false, RECONNECT_PAUSE);
        loop {
            match self.connect().await {
                Ok((connection, server)) => {
                    self.shared.connection.store(Some(Arc::new(connection.clone())));
                    self.shared.server.send_replace(server);
                    self.attempted.send_replace(true);
                    if was_told {
                        report!(self, info, "connected to Redis again");
                    }
                    pause = RECONNECT_PAUSE;
                    tokio::select! {
                        error = self.watch(connection) => {
                            report!(self, warn, %error, "lost the connection to Redis");
                            was_told = true;
                            self.lose(&error);
                        }
                        () = self.dialer.moved() => self.shared.connection.store(None),
                    }
                }
                Err(error) => {
                    self.shared.reason.store(Arc::new(error.to_string()));
                    if !was_told {
                        report!(self, warn, %error, "cannot connect to Redis, trying again until it answers");
                        was_told = true;
                    }
                    self.attempted.send_replace(true);
                    // Sooner, if the one that it follows has connected.
                    drop(timeout(pause, self.dialer.moved()).await);
                    pause = self.longer(pause, &error);
                }
            }
        }
    }

    /// The pause after `pause`. A link that others wait for is tried again as soon as can be.
    fn longer(&self, pause: Duration, error: &RedisError) -> Duration {
        if !self.dialer.is_beside() || pause == MAX_PAUSE {
            return pause;
        }
        let longer = (pause * 2).min(MAX_PAUSE);
        if longer == MAX_PAUSE {
            tracing::info!(%error, "a thread that serves has no connection to Redis of its own and uses the one of all");
        }
        longer
    }

    /// A connection that takes writes, and is better than the one there is; and the way to its server.
    async fn connect(&mut self) -> RedisResult<(Connection, Option<Client>)> {
        let all = (self.timeout * CONNECT_TIMEOUTS).max(MIN_CONNECT_TIMEOUT);
        let dialed = timeout(all, self.dialer.dial(self.timeout)).await.map_err(|_| too_slow())?;
        let (mut connection, server) = dialed?;
        self.probe(&mut connection).await?;
        if !self.dialer.is_beside() {
            timeout(self.timeout, connection.check_identity()).await.map_err(|_| too_slow())??;
        }
        if self.shared.connection.load().is_some() {
            // In place of one that knows the nodes it cannot reach at present, no other that has never met them.
            timeout(self.timeout, connection.is_whole()).await.map_err(|_| too_slow())??;
        }
        Ok((connection, server))
    }

    /// Looks at the connection again and again, and returns why it is no longer good.
    async fn watch(&self, mut connection: Connection) -> RedisError {
        loop {
            // Whichever comes first; a doubt that comes during a look leads to another one.
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
        timeout(self.timeout, connection.probe(&self.probe_key)).await.map_err(|_| too_slow())?
    }

    /// A connection that finds its way by itself stays until there is a better one: part of it may work.
    fn lose(&self, error: &RedisError) {
        self.shared.reason.store(Arc::new(error.to_string()));
        if !self.dialer.heals_itself() {
            self.shared.connection.store(None);
        }
    }
}

fn too_slow() -> RedisError {
    RedisError::from(std::io::Error::from(std::io::ErrorKind::TimedOut))
}

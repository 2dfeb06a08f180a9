//! The task behind a link. It looks at the connection every second, and at once when a request had an error; a connection
//! that does not take a write within the timeout is replaced, and so is one of a time at which another link lost its own.

use std::{future::pending, sync::Arc, time::Duration};

use redis::{RedisError, RedisResult};
use tokio::{
    sync::watch,
    time::{sleep, timeout},
};

use super::{connection::Connection, dial::Dialer, link::Shared, losses::Losses};

/// How long a connection is trusted without a look at it.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// The pause between attempts to connect. Short: Redis is asked for a handshake and no more.
const RECONNECT_PAUSE: Duration = Duration::from_millis(100);
/// The longest pause of a link in whose place another one is taken; each of its pauses is twice the one before.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);
/// How many timeouts an attempt to connect may take: nodes are asked one after the other.
const DIAL_TIMEOUTS: u32 = 8;
/// And how long it may take at least: the client gives a Sentinel that hangs timeouts of its own.
const SHORTEST_DIAL: Duration = Duration::from_secs(5);

/// How the operator hears of what becomes of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Telling {
    /// By warnings.
    Aloud,
    /// Only at the level `debug`: another link is there, and tells what concerns both. That it stays away is told.
    Quietly,
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
pub(super) struct Keeper {
    pub(super) shared: Arc<Shared>,
    pub(super) losses: Losses,
    pub(super) dialer: Dialer,
    pub(super) probe_key: String,
    pub(super) timeout: Duration,
    pub(super) attempted: watch::Sender<bool>,
    pub(super) telling: Telling,
}

/// Why a connection is no longer kept.
enum End {
    /// It does not take writes.
    Lost(RedisError),
    /// Another link lost its own.
    Outdated,
}

impl Keeper {
    pub(super) async fn keep(mut self) {
        let (mut was_told, mut pause) = (false, RECONNECT_PAUSE);
        loop {
            let seen = self.losses.present();
            match self.connect().await {
                Ok(connection) => {
                    self.shared.connection.store(Some(Arc::new(connection.clone())));
                    self.attempted.send_replace(true);
                    if was_told {
                        tell!(self.telling, info, "connected to Redis again");
                    }
                    was_told = false;
                    pause = RECONNECT_PAUSE;
                    match self.watch(connection, seen).await {
                        End::Outdated => tracing::debug!("connecting to Redis anew, since another connection was lost"),
                        End::Lost(error) => {
                            self.losses.note(seen);
                            tell!(self.telling, warn, %error, "lost the connection to Redis");
                            was_told = true;
                            self.lose(&error);
                        }
                    }
                }
                Err(error) => {
                    self.lose(&error);
                    if !was_told {
                        tell!(self.telling, warn, %error, "cannot connect to Redis, trying again until it answers");
                        was_told = true;
                    }
                    self.attempted.send_replace(true);
                    sleep(pause).await;
                    pause = self.longer(pause, &error);
                }
            }
        }
    }

    /// The pause after `pause`. A link that others wait for is tried again as soon as can be.
    fn longer(&self, pause: Duration, error: &RedisError) -> Duration {
        if self.telling == Telling::Aloud || pause == LONGEST_PAUSE {
            return pause;
        }
        let longer = (pause * 2).min(LONGEST_PAUSE);
        if longer == LONGEST_PAUSE {
            tracing::info!(%error, "a thread that serves has no connection to Redis of its own and uses the one of all");
        }
        longer
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

    /// Looks at the connection, made when there had been `seen` losses, again and again, and returns why it is no longer
    /// good. One that finds its way by itself goes with the others anyway.
    async fn watch(&self, mut connection: Connection, seen: u64) -> End {
        let is_outdated =
            async { if self.dialer.heals_itself() { pending().await } else { self.losses.after(seen).await } };
        let is_lost = async {
            loop {
                // Whichever comes first; a doubt that comes during a look leads to another one.
                drop(timeout(LOOK_EVERY, self.shared.doubt.notified()).await);
                if let Err(error) = self.probe(&mut connection).await {
                    return error;
                }
            }
        };
        tokio::select! {
            error = is_lost => End::Lost(error),
            () = is_outdated => End::Outdated,
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

//! Following a board: messages make it quick, the hash makes it sure.
//!
//! Whoever follows subscribes first, then reads the hash, then hears the messages: nothing is between the two. The hash is
//! read again every second, so that a message that did not arrive, or an entry that was written without one, is known a
//! second later. A subscription that does not answer a ping within the timeout is given up.

use std::{collections::HashMap, convert::Infallible, time::Duration};

use futures_util::StreamExt as _;
use redis::{
    Client, ErrorKind, RedisError, RedisResult,
    aio::{PubSub, PubSubSink},
    cmd,
};
use tokio::time::{MissedTickBehavior, interval, timeout};

use super::Board;
use crate::{
    StoreError,
    redis::{
        RedisConfig, Servers,
        connection::{Connection, connect},
    },
};

/// How often the subscription is asked for a sign of life, and the hash is read.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// What a board says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Posted {
    /// An entry of the hash that was not there before, or was another.
    Entry {
        /// Its field.
        field: Vec<u8>,
        /// Its value.
        value: Vec<u8>,
    },
    /// A message of the channel.
    Message(Vec<u8>),
}

impl Board {
    /// Tells `hear` all entries of the hash, then each message as it comes, and entries as they change, until the
    /// subscription is lost or Redis cannot be asked. Dropping the future ends it.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] with what ended it; to be called again after a pause.
    pub async fn follow(&self, mut hear: impl FnMut(Posted) + Send) -> Result<Infallible, StoreError> {
        let lost = |error: RedisError| StoreError::Unavailable(error.into());
        let (mut asking, mut messages) = listen(&self.config, self.name()).await.map_err(lost)?.split();
        let mut known = HashMap::new();
        let mut looks = interval(POLL_INTERVAL);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                // A look that is due is not put off by messages without end.
                biased;
                _ = looks.tick() => {
                    ping(&mut asking, self.timeout()).await.map_err(lost)?;
                    self.tell_changes(&mut known, &mut hear).await?;
                }
                message = messages.next() => match message {
                    Some(message) => hear(Posted::Message(message.get_payload_bytes().to_vec())),
                    None => return Err(StoreError::Unavailable("the subscription was closed".into())),
                },
            }
        }
    }

    /// Reads the hash and tells what is not in `known` yet.
    async fn tell_changes(
        &self,
        known: &mut HashMap<Vec<u8>, Vec<u8>>,
        hear: &mut (impl FnMut(Posted) + Send),
    ) -> Result<(), StoreError> {
        let mut all = cmd("HGETALL");
        all.arg(self.name());
        let entries: HashMap<Vec<u8>, Vec<u8>> =
            self.link.ask(self.timeout(), async |mut link: Connection| link.run(&all).await).await?;
        for (field, value) in &entries {
            if known.get(field) != Some(value) {
                hear(Posted::Entry { field: field.clone(), value: value.clone() });
            }
        }
        *known = entries;
        Ok(())
    }
}

async fn ping(asking: &mut PubSubSink, most: Duration) -> RedisResult<()> {
    timeout(most, asking.ping()).await.map_err(|_| too_slow())?
}

/// How many timeouts it may take until Sentinels have named the master: they are asked one after the other.
const SENTINEL_TIMEOUTS: u32 = 8;
/// And how long it may take at least.
const MIN_SEARCH_TIMEOUT: Duration = Duration::from_secs(5);

/// A connection that hears `channel`. In a Cluster every node hears what any node is told; the first of the configured
/// ones that can be reached is asked.
pub(super) async fn listen(config: &RedisConfig, channel: &str) -> RedisResult<PubSub> {
    match &config.servers {
        Servers::One(address) => subscribe(&connect::server(address, config)?, channel, config.timeout).await,
        Servers::Sentinels { master, addresses } => {
            let mut sentinels = connect::sentinels(master, addresses, config)?;
            let most = (config.timeout * SENTINEL_TIMEOUTS).max(MIN_SEARCH_TIMEOUT);
            let master = timeout(most, sentinels.async_get_client()).await.map_err(|_| too_slow())??;
            subscribe(&master, channel, config.timeout).await
        }
        Servers::Cluster(nodes) => {
            let mut last = RedisError::from((ErrorKind::Client, "no node to listen to"));
            for node in nodes {
                match subscribe(&connect::server(node, config)?, channel, config.timeout).await {
                    Ok(listening) => return Ok(listening),
                    Err(error) => last = error,
                }
            }
            Err(last)
        }
    }
}

async fn subscribe(client: &Client, channel: &str, most: Duration) -> RedisResult<PubSub> {
    let subscribing = async {
        let mut listening = client.get_async_pubsub().await?;
        listening.subscribe(channel).await?;
        Ok(listening)
    };
    timeout(most, subscribing).await.map_err(|_| too_slow())?
}

pub(super) fn too_slow() -> RedisError {
    RedisError::from(std::io::Error::from(std::io::ErrorKind::TimedOut))
}

//! Following a shared hash: messages provide low latency, the hash provides reliability.
//!
//! A follower subscribes first, then reads the hash, then receives the messages, so that it misses nothing in between.
//! It reads the hash again every second, so that it sees a lost message, or an entry written without a message, a
//! second later. It drops a subscription that does not respond to a ping within the timeout.

use std::{collections::HashMap, convert::Infallible, time::Duration};

use futures_util::StreamExt as _;
use redis::{
    Client, ErrorKind, RedisError, RedisResult,
    aio::{PubSub, PubSubSink},
    cmd,
};
use tokio::time::{MissedTickBehavior, interval, timeout};

use super::SharedHash;
use crate::{
    StoreError,
    redis::{
        RedisConfig, Servers,
        connection::{Connection, connect},
    },
};

/// The interval at which the subscription is pinged and the hash is read.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// An event of a shared hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SharedHashEvent {
    /// A new or changed entry of the hash.
    Entry {
        /// Its field.
        field: Vec<u8>,
        /// Its value.
        value: Vec<u8>,
    },
    /// A message of the channel.
    Message(Vec<u8>),
}

impl SharedHash {
    /// Passes all entries of the hash to `on_event`, then each message as it arrives and each entry that changes, until
    /// the subscription is lost or Redis cannot be reached. Dropping the future stops it.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] with the reason it stopped. The caller is expected to call it again after a pause.
    pub async fn follow(&self, mut on_event: impl FnMut(SharedHashEvent) + Send) -> Result<Infallible, StoreError> {
        let lost = |error: RedisError| StoreError::Unavailable(error.into());
        let (mut sink, mut messages) = listen(&self.config, self.name()).await.map_err(lost)?.split();
        let mut previous = HashMap::new();
        let mut poll = interval(POLL_INTERVAL);
        poll.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                // A continuous stream of messages does not delay a poll that is due.
                biased;
                _ = poll.tick() => {
                    ping(&mut sink, self.timeout()).await.map_err(lost)?;
                    self.report_changes(&mut previous, &mut on_event).await?;
                }
                message = messages.next() => match message {
                    Some(message) => on_event(SharedHashEvent::Message(message.get_payload_bytes().to_vec())),
                    None => return Err(StoreError::Unavailable("the subscription was closed".into())),
                },
            }
        }
    }

    /// Reads the hash and passes on the entries that are not in `previous` yet.
    async fn report_changes(
        &self,
        previous: &mut HashMap<Vec<u8>, Vec<u8>>,
        on_event: &mut (impl FnMut(SharedHashEvent) + Send),
    ) -> Result<(), StoreError> {
        let mut all = cmd("HGETALL");
        all.arg(self.name());
        let entries: HashMap<Vec<u8>, Vec<u8>> = self
            .connection
            .query(self.timeout(), async |mut connection: Connection| connection.run(&all).await)
            .await?;
        for (field, value) in &entries {
            if previous.get(field) != Some(value) {
                on_event(SharedHashEvent::Entry { field: field.clone(), value: value.clone() });
            }
        }
        *previous = entries;
        Ok(())
    }
}

pub(in crate::redis) async fn ping(sink: &mut PubSubSink, time_limit: Duration) -> RedisResult<()> {
    timeout(time_limit, sink.ping()).await.map_err(|_| connect::timed_out())?
}

/// How many timeouts finding the master may take: Sentinels are queried one after the other.
const SENTINEL_TIMEOUTS: u32 = 8;
/// The minimum time allowed for finding the master.
const MIN_SEARCH_TIMEOUT: Duration = Duration::from_secs(5);

/// Opens a connection subscribed to `channel`. In a Cluster every node receives what is published on any node, so the
/// first reachable configured node is used.
pub(in crate::redis) async fn listen(config: &RedisConfig, channel: &str) -> RedisResult<PubSub> {
    match &config.servers {
        Servers::One(address) => subscribe(&connect::server(address, config)?, channel, config.timeout).await,
        Servers::Sentinels { master, addresses } => {
            let mut sentinels = connect::sentinels(master, addresses, config)?;
            let time_limit = (config.timeout * SENTINEL_TIMEOUTS).max(MIN_SEARCH_TIMEOUT);
            let master =
                timeout(time_limit, sentinels.async_get_client()).await.map_err(|_| connect::timed_out())??;
            subscribe(&master, channel, config.timeout).await
        }
        Servers::Cluster(nodes) => {
            let mut last = RedisError::from((ErrorKind::Client, "no node to subscribe to"));
            for node in nodes {
                match subscribe(&connect::server(node, config)?, channel, config.timeout).await {
                    Ok(subscription) => return Ok(subscription),
                    Err(error) => last = error,
                }
            }
            Err(last)
        }
    }
}

async fn subscribe(client: &Client, channel: &str, time_limit: Duration) -> RedisResult<PubSub> {
    let subscribing = async {
        let mut subscription = client.get_async_pubsub().await?;
        subscription.subscribe(channel).await?;
        Ok(subscription)
    };
    timeout(time_limit, subscribing).await.map_err(|_| connect::timed_out())?
}

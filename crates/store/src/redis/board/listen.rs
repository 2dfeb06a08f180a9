//! Connections to listen on: to the server, to the master that Sentinels name, to any node of a Cluster.

use std::time::Duration;

use redis::{Client, ErrorKind, RedisError, RedisResult, aio::PubSub};
use tokio::time::timeout;

use crate::redis::{RedisConfig, Servers, dial};

/// How many timeouts it may take until Sentinels have named the master: they are asked one after the other.
const SENTINEL_TIMEOUTS: u32 = 8;
/// And how long it may take at least.
const SHORTEST_SEARCH: Duration = Duration::from_secs(5);

/// A connection that hears `channel`. In a Cluster every node hears what any node is told; the first of the configured
/// ones that can be reached is asked.
pub(super) async fn listen(config: &RedisConfig, channel: &str) -> RedisResult<PubSub> {
    match &config.servers {
        Servers::One(address) => subscribe(&dial::server(address, config)?, channel, config.timeout).await,
        Servers::Sentinels { master, addresses } => {
            let mut sentinels = dial::sentinels(master, addresses, config)?;
            let most = (config.timeout * SENTINEL_TIMEOUTS).max(SHORTEST_SEARCH);
            let master = timeout(most, sentinels.async_get_client()).await.map_err(|_| too_slow())??;
            subscribe(&master, channel, config.timeout).await
        }
        Servers::Cluster(nodes) => {
            let mut last = RedisError::from((ErrorKind::Client, "no node to listen to"));
            for node in nodes {
                match subscribe(&dial::server(node, config)?, channel, config.timeout).await {
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

//! Names the masters that a Cluster announces and that cannot be reached from here: a usual mistake with containers and
//! address translation, where the error of a call says no more than that a connection failed.

use std::{collections::BTreeSet, error::Error, time::Duration};

use futures_util::future::join_all;
use redis::{AsyncConnectionConfig, Client, RedisResult, Value, cmd};
use tokio::{net::TcpStream, time::timeout};

use super::{RedisConfig, Servers, connection::connect::server};
use crate::StoreError;

/// A node of the Cluster, as other nodes announce it.
type HostAndPort = (String, u16);

/// The failure of a call to a Cluster of which some masters cannot be reached.
#[derive(Debug, thiserror::Error)]
#[error("the Cluster announces {} as master, which cannot be reached from here (cluster-announce-ip, cluster-announce-port)", .nodes.join(" and "))]
struct UnreachableNodes {
    nodes: Vec<String>,
    source: Box<dyn Error + Send + Sync>,
}

/// The nodes of a Cluster that are configured, to ask them for the others.
pub(super) struct ClusterNodes {
    seeds: Vec<Client>,
    timeout: Duration,
}

impl ClusterNodes {
    /// Returns `None` for servers that are no Cluster.
    pub(super) fn new(config: &RedisConfig) -> Option<Self> {
        let Servers::Cluster(addresses) = &config.servers else { return None };
        let seeds = addresses.iter().filter_map(|address| server(address, config).ok()).collect();
        Some(Self { seeds, timeout: config.timeout })
    }

    /// Returns `error` with the announced masters that cannot be reached, if there are any.
    pub(super) async fn explain(&self, error: StoreError) -> StoreError {
        let StoreError::Unavailable(source) = error else { return error };
        let nodes = self.unreachable_masters().await;
        StoreError::Unavailable(if nodes.is_empty() { source } else { Box::new(UnreachableNodes { nodes, source }) })
    }

    async fn unreachable_masters(&self) -> Vec<String> {
        let announced = join_all(self.seeds.iter().map(|seed| timeout(self.timeout, self.masters(seed)))).await;
        let announced: BTreeSet<HostAndPort> = announced.into_iter().flatten().flatten().flatten().collect();
        let unreachable = async |(host, port): HostAndPort| {
            let connected = timeout(self.timeout, TcpStream::connect((host.as_str(), port))).await;
            (!matches!(connected, Ok(Ok(_)))).then(|| format!("{host}:{port}"))
        };
        join_all(announced.into_iter().map(unreachable)).await.into_iter().flatten().collect()
    }

    /// The masters in the eyes of one node.
    async fn masters(&self, node: &Client) -> RedisResult<Vec<HostAndPort>> {
        let config = AsyncConnectionConfig::new().set_connection_timeout(Some(self.timeout));
        let mut connection = node.get_multiplexed_async_connection_with_config(&config).await?;
        let ranges: Vec<Vec<Value>> = cmd("CLUSTER").arg("SLOTS").query_async(&mut connection).await?;
        // Each is the first and the last slot, the master, and its replicas.
        let masters = ranges.into_iter().filter_map(|range| {
            let Value::Array(master) = range.into_iter().nth(2)? else { return None };
            let mut fields = master.into_iter();
            let host: Option<String> = redis::from_redis_value(fields.next()?).ok()?;
            let port = redis::from_redis_value(fields.next()?).ok()?;
            // A node without a name is at the address that was asked.
            Some((host.filter(|host| !host.is_empty())?, port))
        });
        Ok(masters.collect())
    }
}

//! Settings and state reported by Redis servers, to decide whether they are safe to store quotes on.

use std::{
    collections::{BTreeMap, HashMap},
    time::Duration,
};

use redis::{
    FromRedisValue, RedisResult,
    cluster_routing::{MultipleNodeRoutingInfo, ResponsePolicy, RoutingInfo},
    cmd,
};

use super::{RedisStore, connection::Connection};
use crate::StoreError;

/// The state reported by one server. Values that the server does not report, or that this user may not read, are
/// absent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServerSurvey {
    /// Its address, in a Cluster.
    pub address: Option<String>,
    /// Its version.
    pub version: Option<String>,
    /// The eviction policy when memory runs out (`maxmemory-policy`).
    pub eviction_policy: Option<String>,
    /// Whether the append-only file is enabled (`appendonly`).
    pub append_only: Option<bool>,
    /// When that file is synced to disk (`appendfsync`).
    pub append_sync: Option<String>,
    /// When snapshots are written (`save`); empty for never.
    pub snapshots: Option<String>,
    /// Whether it is a node of a Cluster.
    pub is_cluster_node: Option<bool>,
    /// The number of connected replicas.
    pub replicas: Option<u32>,
    /// The number of replicas required to accept writes (`min-replicas-to-write`).
    pub min_replicas_to_write: Option<u32>,
    /// Its clock, as time since the Unix epoch.
    pub clock: Option<Duration>,
}

impl RedisStore {
    /// Queries the settings and state of the server, or of every master of a Cluster.
    ///
    /// # Errors
    /// [`StoreError`] when no server could be reached.
    pub async fn survey(&self) -> Result<Vec<ServerSurvey>, StoreError> {
        let mut surveys: BTreeMap<Option<String>, ServerSurvey> = BTreeMap::new();
        let queried = self.query(async |connection| query_all::<String>(connection, &["INFO"]).await).await;
        for (address, info) in self.explained(queried).await? {
            surveys.insert(address.clone(), ServerSurvey { address, ..parse_info(&info) });
        }
        for name in ["appendfsync", "save", "min-replicas-to-write"] {
            // Managed servers and strict ACLs often forbid `CONFIG`.
            let result = self.query(async |connection| {
                query_all::<HashMap<String, String>>(connection, &["CONFIG", "GET", name]).await
            });
            for (address, mut values) in result.await.unwrap_or_default() {
                let Some(survey) = surveys.get_mut(&address) else { continue };
                match (name, values.remove(name)) {
                    ("appendfsync", value) => survey.append_sync = value,
                    ("save", value) => survey.snapshots = value,
                    (_, value) => survey.min_replicas_to_write = value.and_then(|value| value.parse().ok()),
                }
            }
        }
        for (address, (seconds, micros)) in
            self.query(async |connection| query_all::<(u64, u64)>(connection, &["TIME"]).await).await?
        {
            if let Some(survey) = surveys.get_mut(&address) {
                survey.clock = Duration::from_secs(seconds).checked_add(Duration::from_micros(micros));
            }
        }
        Ok(surveys.into_values().collect())
    }
}

async fn query_all<T: FromRedisValue>(
    connection: Connection,
    words: &[&str],
) -> RedisResult<HashMap<Option<String>, T>> {
    let mut command = cmd(words.first().copied().unwrap_or_default());
    command.arg(words.get(1..).unwrap_or_default());
    match connection {
        mut server @ Connection::Server { .. } => Ok(HashMap::from([(None, server.run(&command).await?)])),
        Connection::Cluster(mut cluster) => {
            let all = RoutingInfo::MultiNode((MultipleNodeRoutingInfo::AllMasters, Some(ResponsePolicy::Special)));
            let responses: HashMap<String, T> =
                redis::from_redis_value(cluster.route_command(command, all).await?.extract_error()?)?;
            Ok(responses.into_iter().map(|(address, response)| (Some(address), response)).collect())
        }
    }
}

fn parse_info(info: &str) -> ServerSurvey {
    let lines = info.lines().filter_map(|line| line.trim_end().split_once(':'));
    let fields: HashMap<&str, &str> = lines.collect();
    let text = |name| fields.get(name).map(|value| (*value).to_owned());
    ServerSurvey {
        version: text("redis_version"),
        eviction_policy: text("maxmemory_policy"),
        append_only: fields.get("aof_enabled").map(|value| *value == "1"),
        is_cluster_node: fields.get("redis_mode").map(|mode| *mode == "cluster"),
        replicas: fields.get("connected_slaves").and_then(|value| value.parse().ok()),
        ..ServerSurvey::default()
    }
}

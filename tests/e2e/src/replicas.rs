//! Replicas of the service that share one Redis.

use firmquote_test_servers::redis::{Cluster, Sentinels, Server};

use crate::{configuration, endpoint::Endpoint, service::Service};

/// How long Redis may take for a call of a replica that says nothing else, in milliseconds: the service's own default.
pub const TIMEOUT_MS: u32 = 500;

/// Where replicas keep their quotes.
#[derive(Clone, Debug)]
pub struct SharedStore {
    /// One server, nodes of a Cluster, or Sentinels.
    pub urls: Vec<String>,
    /// The name of the master that the Sentinels watch.
    pub sentinel_master: Option<String>,
    /// How long Redis may take for a call.
    pub timeout_ms: u32,
    /// How many replicas of Redis have to hold a signature before it leaves.
    pub wait_replicas: u32,
}

impl SharedStore {
    /// One server.
    pub fn of_server(server: &Server) -> Self {
        Self { urls: vec![server.url()], sentinel_master: None, timeout_ms: TIMEOUT_MS, wait_replicas: 0 }
    }

    /// The master of these Sentinels.
    pub fn of_sentinels(sentinels: &Sentinels) -> Self {
        let sentinel_master = Some(sentinels.master_name().to_owned());
        Self { urls: sentinels.urls(), sentinel_master, timeout_ms: TIMEOUT_MS, wait_replicas: 0 }
    }

    /// A Cluster.
    pub fn of_cluster(cluster: &Cluster) -> Self {
        Self { urls: cluster.urls(), sentinel_master: None, timeout_ms: TIMEOUT_MS, wait_replicas: 0 }
    }

    /// Starts so many replicas.
    pub fn replicas(&self, count: usize) -> Vec<Service> {
        let config = configuration::over_redis(self);
        (0..count).map(|_| Service::start(&config)).collect()
    }
}

/// What clients ask of each replica.
pub fn endpoints(replicas: &[Service]) -> Vec<Endpoint> {
    replicas.iter().map(|replica| replica.public().clone()).collect()
}

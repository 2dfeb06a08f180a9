//! Replicas of the service that share one Redis.

use firmquote_test_servers::redis::{Cluster, Sentinels, Server};

use crate::{configuration, endpoint::Endpoint, service::Service};

/// Timeout of Redis calls in milliseconds unless a test sets another: the default of the service.
pub const TIMEOUT_MS: u32 = 500;

/// The Redis store that replicas share.
#[derive(Clone, Debug)]
pub struct SharedStore {
    /// URLs of one server, of Cluster nodes, or of Sentinels.
    pub urls: Vec<String>,
    /// The name of the master that the Sentinels monitor.
    pub sentinel_master: Option<String>,
    /// Timeout of Redis calls in milliseconds.
    pub timeout_ms: u32,
    /// Number of Redis replicas that must acknowledge a signature before it is returned.
    pub wait_replicas: u32,
}

impl SharedStore {
    /// Uses one server.
    pub fn from_server(server: &Server) -> Self {
        Self { urls: vec![server.url()], sentinel_master: None, timeout_ms: TIMEOUT_MS, wait_replicas: 0 }
    }

    /// Uses the master of these Sentinels.
    pub fn from_sentinels(sentinels: &Sentinels) -> Self {
        let sentinel_master = Some(sentinels.master_name().to_owned());
        Self { urls: sentinels.urls(), sentinel_master, timeout_ms: TIMEOUT_MS, wait_replicas: 0 }
    }

    /// Uses a Cluster.
    pub fn from_cluster(cluster: &Cluster) -> Self {
        Self { urls: cluster.urls(), sentinel_master: None, timeout_ms: TIMEOUT_MS, wait_replicas: 0 }
    }

    /// Starts `count` replicas of the service.
    pub fn replicas(&self, count: usize) -> Vec<Service> {
        let config = configuration::over_redis(self);
        (0..count).map(|_| Service::start(&config)).collect()
    }
}

/// Returns the public endpoint of each replica.
pub fn endpoints(replicas: &[Service]) -> Vec<Endpoint> {
    replicas.iter().map(|replica| replica.public().clone()).collect()
}

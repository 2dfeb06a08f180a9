//! A connection to one server or to a Cluster, shared by all requests: each sends at once and none waits for another.

use std::collections::HashMap;

use redis::{
    Cmd, ErrorKind, FromRedisValue, Pipeline, RedisError, RedisResult, ServerErrorKind, Value,
    aio::MultiplexedConnection,
    cluster_async::ClusterConnection,
    cluster_routing::{MultipleNodeRoutingInfo, ResponsePolicy, Route, RoutingInfo, SingleNodeRoutingInfo, SlotAddr},
    cmd, from_redis_value, pipe,
};

use super::scripts::Script;

/// A connection; a clone shares it.
#[derive(Clone)]
pub(super) enum Connection {
    Server(MultiplexedConnection),
    Cluster(ClusterConnection),
}

/// How many replicas have to hold a write, and how long they have to say so, in milliseconds; zero waits for ever.
#[derive(Clone, Copy, Debug)]
pub(super) struct Replication {
    pub(super) replicas: u32,
    pub(super) within_ms: u64,
}

impl Connection {
    pub(super) async fn run<T: FromRedisValue>(&mut self, command: &Cmd) -> RedisResult<T> {
        match self {
            Self::Server(connection) => command.query_async(connection).await,
            Self::Cluster(connection) => command.query_async(connection).await,
        }
    }

    /// Runs a script whose keys are on one node.
    pub(super) async fn call<T: FromRedisValue>(
        &mut self,
        script: &Script,
        keys: &[&str],
        arguments: &[&[u8]],
    ) -> RedisResult<T> {
        match self.run(&script.call(keys, arguments)).await {
            Err(error) if is_unknown_script(&error) => self.run(&script.introduction(keys, arguments)).await,
            answer => answer,
        }
    }

    /// Runs a script that writes, and waits in the same round trip until enough replicas have what it wrote.
    ///
    /// Always the whole text: to a name that the server does not know it would answer only after that wait.
    pub(super) async fn call_replicated<T: FromRedisValue>(
        &mut self,
        script: &Script,
        keys: &[&str],
        arguments: &[&[u8]],
        Replication { replicas, within_ms }: Replication,
    ) -> RedisResult<T> {
        let mut wait = cmd("WAIT");
        wait.arg(replicas).arg(within_ms);
        let mut pipeline = pipe();
        pipeline.add_command(script.introduction(keys, arguments)).add_command(wait);
        let key = keys.first().copied().unwrap_or_default();
        let (answer, reached): (Value, u32) = self.send_together(pipeline, key).await?;
        if reached < replicas {
            let detail = format!("{reached} of {replicas} replicas have it");
            return Err(RedisError::from((ErrorKind::Client, "not replicated in time", detail)));
        }
        Ok(from_redis_value(answer)?)
    }

    async fn send_together(&mut self, pipeline: Pipeline, key: &str) -> RedisResult<(Value, u32)> {
        match self {
            Self::Server(connection) => pipeline.query_async(connection).await,
            Self::Cluster(connection) => {
                let route = Route::with_key(key, SlotAddr::Master);
                let count = pipeline.len();
                let node = SingleNodeRoutingInfo::SpecificNode(route);
                let answers = connection.route_pipeline(pipeline, 0, count, node).await?;
                Ok(from_redis_value(Value::Array(answers).extract_error()?)?)
            }
        }
    }

    /// Whether whoever is behind the connection would take a write now.
    pub(super) async fn probe(&mut self, key: &str) -> RedisResult<()> {
        match self {
            Self::Server(_) => self.run(cmd("SET").arg(key).arg(1).arg("PX").arg(1_000)).await,
            Self::Cluster(_) => {
                let info: String = self.run(cmd("CLUSTER").arg("INFO")).await?;
                if is_ok(&info) { Ok(()) } else { Err(broken_cluster("a node says that it is not whole")) }
            }
        }
    }

    /// Whether it reaches all masters of a Cluster, and all of them take part; a single server is always whole.
    pub(super) async fn is_whole(&mut self) -> RedisResult<()> {
        let Self::Cluster(connection) = self else { return Ok(()) };
        let all = RoutingInfo::MultiNode((MultipleNodeRoutingInfo::AllMasters, Some(ResponsePolicy::Special)));
        let mut command = cmd("CLUSTER");
        command.arg("INFO");
        let answers: HashMap<String, String> = from_redis_value(connection.route_command(command, all).await?)?;
        let size = |info: &String| field(info, "cluster_size").and_then(|size| size.parse::<usize>().ok());
        let masters = answers.values().filter_map(size).max().unwrap_or(usize::MAX);
        let whole = answers.len() >= masters && answers.values().all(|info| is_ok(info));
        if whole { Ok(()) } else { Err(broken_cluster("not all masters can be reached")) }
    }
}

fn is_ok(cluster_info: &str) -> bool {
    field(cluster_info, "cluster_state") == Some("ok")
}

fn field<'i>(info: &'i str, name: &str) -> Option<&'i str> {
    info.lines().find_map(|line| line.trim_end().strip_prefix(name)?.strip_prefix(':'))
}

fn broken_cluster(what: &'static str) -> RedisError {
    RedisError::from((ErrorKind::Server(ServerErrorKind::ClusterDown), what))
}

fn is_unknown_script(error: &RedisError) -> bool {
    error.kind() == ErrorKind::Server(ServerErrorKind::NoScript)
}

//! A connection to one server or to a Cluster, multiplexed over all requests: none waits for another.

pub(crate) mod connect;
mod durability;
mod managed;
mod per_thread;
mod reconnect;

use std::collections::HashMap;

use redis::{
    Cmd, ErrorKind, FromRedisValue, Pipeline, RedisError, RedisResult, ServerErrorKind, Value,
    aio::MultiplexedConnection,
    cluster_async::ClusterConnection,
    cluster_routing::{MultipleNodeRoutingInfo, ResponsePolicy, Route, RoutingInfo, SingleNodeRoutingInfo, SlotAddr},
    cmd, from_redis_value, pipe,
};

use super::{
    generation::Generation,
    scripts::{Script, identity},
};
use crate::StoreError;
pub(crate) use durability::DurableWriter;
pub(crate) use managed::ManagedConnection;
pub(crate) use per_thread::ThreadConnections;

/// The response to each command of a pipeline.
pub(super) type Responses = Vec<RedisResult<Value>>;

/// Returns the error of a call that Redis answered with `error`. A script that refuses the clock of this process replies
/// `CLOCK` and by how many milliseconds it is ahead.
fn store_error(error: RedisError) -> StoreError {
    let skew_ms = || error.detail()?.parse().ok();
    match error.code() {
        Some("CLOCK") => skew_ms().map(|skew_ms| StoreError::ClockSkew { skew_ms }),
        _ => None,
    }
    .unwrap_or_else(|| StoreError::Unavailable(error.into()))
}

/// A connection; clones share it.
#[derive(Clone)]
pub(super) enum Connection {
    Server {
        connection: MultiplexedConnection,
        /// The generation of the server at the last check.
        generation: Generation,
    },
    /// Each node has its own generation.
    Cluster(ClusterConnection),
}

/// How durable a write must be before it counts. Times are in milliseconds and above zero, since zero waits forever.
#[derive(Clone, Copy, Debug)]
pub(super) struct Durability {
    /// How many replicas must have the write.
    pub(super) replicas: u32,
    /// How long they may take to acknowledge it.
    pub(super) replicas_within_ms: u64,
    /// How long the server may take to sync its append-only file, if required.
    pub(super) aof_within_ms: Option<u64>,
}

impl Connection {
    pub(super) async fn run<T: FromRedisValue>(&mut self, command: &Cmd) -> RedisResult<T> {
        match self {
            Self::Server { connection, .. } => command.query_async(connection).await,
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
            Err(error) if is_unknown_script(&error) => self.run(&script.eval(keys, arguments)).await,
            response => response,
        }
    }

    /// Runs a writing script, and waits in the same round trip until its writes are durable.
    ///
    /// Always sends the whole source: for an unknown hash the error would arrive only after the wait.
    pub(super) async fn call_durably<T: FromRedisValue>(
        &mut self,
        script: &Script,
        keys: &[&str],
        arguments: &[&[u8]],
        durability: Durability,
    ) -> RedisResult<T> {
        let mut pipeline = pipe();
        pipeline.add_command(script.eval(keys, arguments));
        let key = keys.first().copied().unwrap_or_default();
        let response = self.send_durably(pipeline, key, durability).await?.pop().ok_or_else(unexpected)?;
        Ok(from_redis_value(response.extract_error()?)?)
    }

    /// Runs commands on one server, and waits in the same round trip until their writes are durable.
    pub(super) async fn run_durably(&mut self, commands: Vec<Cmd>, durability: Durability) -> RedisResult<Responses> {
        let mut pipeline = pipe();
        for command in commands {
            pipeline.add_command(command);
        }
        let responses = self.send_durably(pipeline, "", durability).await?;
        Ok(responses.into_iter().map(Value::extract_error).collect())
    }

    /// Returns the responses to the commands of `pipeline`, including errors, once their writes are durable.
    async fn send_durably(
        &mut self,
        mut pipeline: Pipeline,
        key: &str,
        Durability { replicas, replicas_within_ms, aof_within_ms }: Durability,
    ) -> RedisResult<Vec<Value>> {
        let count = pipeline.len();
        pipeline.cmd("WAIT").arg(replicas).arg(replicas_within_ms);
        if let Some(within_ms) = aof_within_ms {
            pipeline.cmd("WAITAOF").arg(1).arg(0).arg(within_ms);
        }
        let mut responses = self.send_pipeline(pipeline, key).await?;
        let mut waits = responses.split_off(count.min(responses.len())).into_iter();
        let reached: u32 = from_redis_value(waits.next().ok_or_else(unexpected)?.extract_error()?)?;
        if reached < replicas {
            let detail = format!("{reached} of {replicas} replicas have it");
            return Err(RedisError::from((ErrorKind::Client, "not replicated in time", detail)));
        }
        if let Some(synced) = waits.next() {
            let (local, _): (u32, u32) = from_redis_value(synced.extract_error()?)?;
            if local == 0 {
                return Err(RedisError::from((ErrorKind::Client, "not synced to disk in time")));
            }
        }
        Ok(responses)
    }

    async fn send_pipeline(&mut self, mut pipeline: Pipeline, key: &str) -> RedisResult<Vec<Value>> {
        pipeline.ignore_errors();
        match self {
            Self::Server { connection, .. } => pipeline.query_async(connection).await,
            Self::Cluster(connection) => {
                let route = Route::with_key(key, SlotAddr::Master);
                let count = pipeline.len();
                let node = SingleNodeRoutingInfo::SpecificNode(route);
                connection.route_pipeline(pipeline, 0, count, node).await
            }
        }
    }

    /// Wraps a connection to a server and reads the generation of the server.
    pub(super) async fn to_server(mut connection: MultiplexedConnection) -> RedisResult<Self> {
        let generation = read_generation(&mut connection, &mut pipe()).await?;
        Ok(Self::Server { connection, generation })
    }

    /// Checks that scripts and commands run on the same server. Behind a proxy that distributes them over several
    /// servers they would not, and no quote could be signed.
    pub(super) async fn check_identity(&mut self) -> RedisResult<()> {
        let Self::Server { generation, .. } = self else { return Ok(()) };
        let seen_by_commands = *generation;
        let seen_by_scripts: Vec<u8> = self.run(&identity().eval(&[], &[])).await?;
        if seen_by_scripts == seen_by_commands.as_bytes() {
            return Ok(());
        }
        let what = "scripts and commands run on different servers: a proxy that distributes them is not supported";
        Err(RedisError::from((ErrorKind::Client, what)))
    }

    /// Stores a quote with the generation of its server, until `until` in Unix milliseconds.
    pub(super) async fn insert(&mut self, insertion: &Script, key: &str, value: &[u8], until: u64) -> RedisResult<()> {
        match self {
            Self::Server { .. } => self.run(cmd("SET").arg(key).arg(value).arg("NX").arg("PXAT").arg(until)).await,
            Self::Cluster(_) => self.call(insertion, &[key], &[value, until.to_string().as_bytes()]).await,
        }
    }

    /// The generation to store with a quote.
    pub(super) const fn generation(&self) -> Generation {
        match self {
            Self::Server { generation, .. } => *generation,
            Self::Cluster(_) => Generation::UNKNOWN,
        }
    }

    /// Checks that the server would accept a write now, and updates its generation.
    pub(super) async fn probe(&mut self, key: &str) -> RedisResult<()> {
        match self {
            Self::Server { connection, generation } => {
                let mut write = pipe();
                write.cmd("SET").arg(key).arg(1).arg("PX").arg(1_000).ignore();
                *generation = read_generation(connection, &mut write).await?;
                Ok(())
            }
            Self::Cluster(_) => {
                let info: String = self.run(cmd("CLUSTER").arg("INFO")).await?;
                if is_ok(&info) { Ok(()) } else { Err(broken_cluster("a node reports that the cluster is not ok")) }
            }
        }
    }

    /// Checks that all masters of a Cluster are reachable and report a healthy state; always succeeds for a single
    /// server.
    pub(super) async fn check_all_masters(&mut self) -> RedisResult<()> {
        let Self::Cluster(connection) = self else { return Ok(()) };
        let all = RoutingInfo::MultiNode((MultipleNodeRoutingInfo::AllMasters, Some(ResponsePolicy::Special)));
        let mut command = cmd("CLUSTER");
        command.arg("INFO");
        let responses: HashMap<String, String> = from_redis_value(connection.route_command(command, all).await?)?;
        let size = |info: &String| field(info, "cluster_size").and_then(|size| size.parse::<usize>().ok());
        let masters = responses.values().filter_map(size).max().unwrap_or(usize::MAX);
        let whole = responses.len() >= masters && responses.values().all(|info| is_ok(info));
        if whole { Ok(()) } else { Err(broken_cluster("not all masters can be reached")) }
    }
}

/// Reads the generation, after running the commands of `pipeline`.
async fn read_generation(connection: &mut MultiplexedConnection, pipeline: &mut Pipeline) -> RedisResult<Generation> {
    let (replication,): (String,) = pipeline.cmd("INFO").arg("replication").query_async(connection).await?;
    Generation::from_info(&replication)
        .ok_or_else(|| RedisError::from((ErrorKind::Client, "INFO does not show the master_replid of the server")))
}

fn unexpected() -> RedisError {
    RedisError::from((ErrorKind::UnexpectedReturnType, "fewer responses than commands"))
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

//! Writes that must reach replicas, or the disk, before they count.
//!
//! A connection blocked in a wait processes no other command. Writes that arrive during a wait are therefore sent
//! afterwards as one batch with one wait, however long the disk takes. In a Cluster each write waits separately, on the
//! node of its keys.

use std::{sync::Arc, time::Duration};

use redis::{Cmd, FromRedisValue, Value, from_redis_value};
use tokio::{
    sync::{mpsc, oneshot},
    task::JoinSet,
    time::timeout,
};

use super::{Connection, Durability, managed::ManagedConnection, store_error};
use crate::{
    StoreError,
    redis::{InvalidRedisConfig, RedisConfig, Servers, scripts::Script},
};

/// The maximum size of a batch, and the capacity of the queue.
const MAX_BATCH: usize = 1_024;

/// A writer with its own connection for writes that wait; its tasks end when it is dropped.
pub(crate) struct DurableWriter {
    connection: Arc<ManagedConnection>,
    durability: Durability,
    /// The timeout of a batch. A queued write may take twice as long, since it may have to wait for the batch before
    /// it.
    timeout: Duration,
    batches: Option<(mpsc::Sender<PendingWrite>, JoinSet<()>)>,
}

/// A write in the queue.
struct PendingWrite {
    command: Cmd,
    done: oneshot::Sender<Result<Value, StoreError>>,
}

impl DurableWriter {
    /// Starts a writer if `config` makes writes wait for replicas or the disk. It writes to the server that `shared` is
    /// connected to: were it to follow a failover at another time, what it wrote could be missing from what is read,
    /// and seem to be there. Returns after the first connection attempt.
    ///
    /// # Errors
    /// [`InvalidRedisConfig`] as for [`ManagedConnection::start`].
    pub(crate) async fn start(
        config: &RedisConfig,
        shared: &ManagedConnection,
    ) -> Result<Option<Self>, InvalidRedisConfig> {
        let millis = |duration: Duration| u64::try_from(duration.as_millis()).unwrap_or(u64::MAX).max(1);
        let durability = Durability {
            replicas: config.wait_replicas,
            replicas_within_ms: millis(config.timeout / 2),
            aof_within_ms: config.wait_aof.map(millis),
        };
        if config.wait_replicas == 0 && config.wait_aof.is_none() {
            return Ok(None);
        }
        let timeout = config.timeout + config.wait_aof.unwrap_or_default();
        // Health checks of the connection queue behind writes, too.
        let waiting = RedisConfig { timeout, ..config.clone() };
        let is_cluster = matches!(config.servers, Servers::Cluster(_));
        let connection = Arc::new(if is_cluster {
            ManagedConnection::start(&waiting).await?
        } else {
            shared.start_dedicated_follower(&waiting).await
        });
        let batches = (!is_cluster).then(|| {
            let (queue, pending) = mpsc::channel(MAX_BATCH);
            (queue, JoinSet::from_iter([write_batches(Arc::clone(&connection), durability, timeout, pending)]))
        });
        Ok(Some(Self { connection, durability, timeout, batches }))
    }

    /// The connection.
    pub(crate) fn connection(&self) -> &ManagedConnection {
        &self.connection
    }

    /// Runs a writing script; returns once its writes are as durable as configured.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when they are not in time. They may take effect nevertheless.
    pub(crate) async fn write<T: FromRedisValue>(
        &self,
        script: &Script,
        keys: &[&str],
        arguments: &[&[u8]],
    ) -> Result<T, StoreError> {
        let Some((queue, _)) = &self.batches else {
            let call = async |mut connection: Connection| {
                connection.call_durably(script, keys, arguments, self.durability).await
            };
            return self.connection.query(self.timeout, call).await;
        };
        let (done, written) = oneshot::channel();
        let pending = PendingWrite { command: script.eval(keys, arguments), done };
        let response = timeout(self.timeout * 2, async {
            queue.send(pending).await.ok()?;
            written.await.ok()
        });
        let value = match response.await {
            Ok(Some(response)) => response?,
            Ok(None) => return Err(StoreError::Unavailable("the durable writer has stopped".into())),
            Err(_) => {
                let millis = (self.timeout * 2).as_millis();
                return Err(StoreError::Unavailable(format!("the write was not durable within {millis} ms").into()));
            }
        };
        from_redis_value(value).map_err(|error| StoreError::Unavailable(Box::new(error)))
    }
}

/// Sends batches until all senders are dropped.
async fn write_batches(
    connection: Arc<ManagedConnection>,
    durability: Durability,
    timeout: Duration,
    mut pending: mpsc::Receiver<PendingWrite>,
) {
    let mut batch = Vec::new();
    while pending.recv_many(&mut batch, MAX_BATCH).await > 0 {
        batch.retain(|write: &PendingWrite| !write.done.is_closed());
        let commands: Vec<Cmd> = batch.iter().map(|write| write.command.clone()).collect();
        let call = async |mut connection: Connection| connection.run_durably(commands, durability).await;
        match connection.query(timeout, call).await {
            Ok(responses) => {
                for (PendingWrite { done, .. }, response) in batch.drain(..).zip(responses) {
                    // The write took effect even if its caller no longer waits.
                    drop(done.send(response.map_err(store_error)));
                }
            }
            Err(error) => {
                let reason = std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string);
                for PendingWrite { done, .. } in batch.drain(..) {
                    let reason = format!("the batch was not written: {reason}");
                    drop(done.send(Err(StoreError::Unavailable(reason.into()))));
                }
            }
        }
    }
}

//! The Redis store: its connections and scripts, the stream of the ledger, and the totals of the last minute.

use std::{
    collections::{BTreeMap, HashMap},
    future::Future,
    time::Duration,
};

use async_trait::async_trait;
use firmquote_domain::{
    Client, FirmLevels, Hedge, LevelsId, PoolId, Quote, QuoteId, SignedQuote, SignedSwap, SwapOutcome, Terms,
    Timestamp, UnixSeconds,
};
use parking_lot::Mutex;
use redis::{ErrorKind, FromRedisValue, RedisError, RedisResult, cmd};

use super::{
    InvalidRedisConfig, KeyPrefix, RedisConfig,
    book::BookFeed,
    cluster_nodes::ClusterNodes,
    connection::{Connection, DurableWriter, ThreadConnections},
    generation::Generation,
    privileges::Privileges,
    recent_quotes::RecentQuotes,
    scripts::{Script, ScriptCall, Scripts},
};
use crate::{
    Actor, BookChange, BookUpdate, BookVersion, CommitOutcome, Commitment, EventCursor, EventPage, HedgeOutcome,
    LevelBudget, LevelsLookup, OpenOutcome, OperatorEntry, PausedPools, PoolSample, PrepareOutcome, QuoteRecord,
    Reservation, ReservationOutcome, Store, StoreError, SwapPage, SwapRange, Trip, layered::store_calls,
};

/// The generation of what is stored about each pool, as last seen by this replica.
#[derive(Default)]
pub(super) struct SeenGenerations(Mutex<HashMap<PoolId, Generation>>);

impl SeenGenerations {
    /// The generation last seen, as a script argument; empty if none was seen yet.
    pub(super) fn as_argument(&self, pool: PoolId) -> Vec<u8> {
        let generations = self.0.lock();
        generations.get(&pool).map(|generation| generation.as_bytes().to_vec()).unwrap_or_default()
    }

    pub(super) fn store(&self, pool: PoolId, generation: Generation) {
        self.0.lock().insert(pool, generation);
    }
}

/// The location and retention of the ledger.
pub(super) struct RedisLedger {
    key: String,
    max_age_ms: u64,
}

impl RedisLedger {
    pub(super) fn new(key: String, max_age_seconds: u32) -> Self {
        Self { key, max_age_ms: u64::from(max_age_seconds) * 1_000 }
    }

    pub(super) fn key(&self) -> &str {
        &self.key
    }

    /// The maximum age of entries, in milliseconds.
    pub(super) const fn max_age_ms(&self) -> u64 {
        self.max_age_ms
    }
}

/// A store in Redis.
///
/// It connects and reconnects on its own; while there is no connection every call fails immediately. Its tasks run on
/// the runtime that [`Self::connect`] was called on and end when this value is dropped; calls may come from any
/// runtime. Except in a Cluster, every calling thread with a single-threaded runtime gets another connection,
/// maintained by a task on that runtime; a second such runtime on the same thread uses the shared connection.
pub struct RedisStore {
    pub(super) connections: ThreadConnections,
    /// For writes that wait for replicas or for the disk, and would block all other commands on their connection.
    pub(super) durable: Option<DurableWriter>,
    pub(super) scripts: Scripts,
    pub(super) privileges: Privileges,
    /// Of a Cluster.
    pub(super) nodes: Option<ClusterNodes>,
    pub(super) prefix: KeyPrefix,
    pub(super) status_retention_seconds: u32,
    pub(super) ledger: RedisLedger,
    /// Of volume totals.
    pub(super) totals: SeenGenerations,
    /// Of levels.
    pub(super) levels: SeenGenerations,
    pub(super) books: BookFeed,
    pub(super) recent: RecentQuotes,
    pub(super) timeout: Duration,
    pub(super) max_clock_skew: Duration,
}

impl RedisStore {
    /// Creates a store that stays connected to the servers of `config`; returns after the first connection attempt,
    /// whether or not it succeeded.
    ///
    /// # Errors
    /// [`InvalidRedisConfig`] for a configuration that cannot work with any server: invalid certificates, or mixed
    /// address schemes.
    pub async fn connect(config: &RedisConfig) -> Result<Self, InvalidRedisConfig> {
        let prefix = config.key_prefix();
        let connections = ThreadConnections::start(config).await?;
        let durable = DurableWriter::start(config, connections.shared()).await?;
        Ok(Self {
            connections,
            durable,
            scripts: Scripts::new(),
            privileges: Privileges::new(),
            nodes: ClusterNodes::new(config),
            ledger: RedisLedger::new(prefix.ledger(), config.ledger_max_age_seconds),
            prefix,
            totals: SeenGenerations::default(),
            levels: SeenGenerations::default(),
            books: BookFeed::start(config),
            recent: RecentQuotes::default(),
            timeout: config.timeout,
            max_clock_skew: config.max_clock_skew,
            status_retention_seconds: config.status_retention_seconds,
        })
    }

    /// Runs `request` on a connection without durable writes, which would block it.
    pub(super) async fn query<T, F: Future<Output = RedisResult<T>>>(
        &self,
        request: impl FnOnce(Connection) -> F,
    ) -> Result<T, StoreError> {
        self.connections.query(request).await
    }

    /// Returns the result of a call that asks for the state of the servers, with an error that names the nodes at fault.
    pub(super) async fn explained<T>(&self, result: Result<T, StoreError>) -> Result<T, StoreError> {
        match (result, &self.nodes) {
            (Err(error), Some(nodes)) => Err(nodes.explain(error).await),
            (result, _) => result,
        }
    }

    /// Checks that a quote and a signature could be stored, and compares the clocks.
    async fn probe(&self, now: Timestamp) -> Result<(), StoreError> {
        let key = self.prefix.probe();
        let time = async |mut connection: Connection| {
            connection.probe(&key).await?;
            connection.run::<(u64, u64)>(&cmd("TIME")).await
        };
        let (seconds, micros) = self.query(time).await?;
        self.privileges.prove(&self.connections, &self.prefix).await?;
        if let Some(writer) = &self.durable {
            writer
                .connection()
                .query(self.timeout, async |mut connection: Connection| connection.probe(&key).await)
                .await?;
        }
        let skew_us = i128::from(now.as_micros()) - i128::from(seconds) * 1_000_000 - i128::from(micros);
        // One millisecond of tolerance for the time the response took, during which the clock of Redis advanced.
        if skew_us.unsigned_abs() > self.max_clock_skew.as_micros() + 1_000 {
            return Err(StoreError::ClockSkew { skew_ms: i64::try_from(skew_us / 1_000).unwrap_or(i64::MAX) });
        }
        Ok(())
    }

    /// The clock of this replica and its maximum lead over that of Redis, in milliseconds.
    pub(super) fn clock_and_max_lead_ms(&self, now: Timestamp) -> [u64; 2] {
        [now.as_micros() / 1_000, u64::try_from(self.max_clock_skew.as_millis()).unwrap_or(u64::MAX)]
    }

    /// When Redis may drop what is known about a signature that is valid until `expires_at`, in Unix milliseconds.
    pub(super) fn retained_until_ms(&self, expires_at: UnixSeconds) -> u64 {
        forgotten_at_ms(expires_at) + u64::from(self.status_retention_seconds) * 1_000
    }

    /// Runs a script that may be lost in a failover.
    pub(super) async fn read<T: FromRedisValue>(&self, script: &Script, call: &ScriptCall) -> Result<T, StoreError> {
        let (keys, arguments) = call.as_slices();
        let noted = |error: &RedisError| self.privileges.note_error(error);
        self.query(async |mut connection| connection.call(script, &keys, &arguments).await.inspect_err(noted)).await
    }

    /// Runs a script whose writes must survive a failover, like [`Self::write`].
    pub(super) async fn write_call<T: FromRedisValue>(
        &self,
        script: &Script,
        call: &ScriptCall,
    ) -> Result<T, StoreError> {
        let (keys, arguments) = call.as_slices();
        self.write(script, &keys, &arguments).await
    }

    /// Runs a script whose writes must survive a failover, and waits for replicas and for the disk if configured.
    pub(super) async fn write<T: FromRedisValue>(
        &self,
        script: &Script,
        keys: &[&str],
        arguments: &[&[u8]],
    ) -> Result<T, StoreError> {
        self.privileges.require(&self.connections, &self.prefix).await?;
        let noted = |error: &RedisError| self.privileges.note_error(error);
        match &self.durable {
            None => {
                let call = async |mut connection: Connection| {
                    connection.call(script, keys, arguments).await.inspect_err(noted)
                };
                self.query(call).await
            }
            Some(writer) => writer.write(script, keys, arguments).await.inspect_err(|_| self.privileges.forget()),
        }
    }
}

/// How long a claim and a record outlive the validity of their signature, in seconds, in case the clock of Redis is
/// ahead.
const CLOCK_MARGIN_SECONDS: u64 = 5;

/// When Redis may drop the claim on a quote whose signature would be valid until `expires_at`, in Unix milliseconds.
pub(super) fn forgotten_at_ms(expires_at: UnixSeconds) -> u64 {
    (u64::from(expires_at.get()) + 1 + CLOCK_MARGIN_SECONDS) * 1_000
}

pub(super) fn encode_error(error: impl std::error::Error + Send + Sync + 'static) -> StoreError {
    StoreError::Unavailable(Box::new(error))
}

pub(super) fn quote_encode_error(error: impl std::fmt::Display) -> RedisError {
    RedisError::from((ErrorKind::Client, "a quote that cannot be encoded", error.to_string()))
}

impl RedisStore {
    async fn ping(&self, now: Timestamp) -> Result<(), StoreError> {
        let probed = self.probe(now).await;
        self.explained(probed).await
    }
}

/// Implements the port by the methods of the same names, which stand with what they are about.
macro_rules! implement {
    ($($_call:ident $method:ident($($argument:ident: $type:ty),*) -> $output:ty;)*) => {
        #[async_trait]
        impl Store for RedisStore {
            $(
                async fn $method(&self, $($argument: $type),*) -> Result<$output, StoreError> {
                    RedisStore::$method(self, $($argument),*).await
                }
            )*

            async fn changed(&self) {
                self.books.changed().await;
            }

            fn is_shared(&self) -> bool {
                true
            }

            fn has_clock(&self) -> bool {
                true
            }
        }
    };
}
store_calls!(implement);

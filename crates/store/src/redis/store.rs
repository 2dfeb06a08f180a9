//! The store in Redis: its connections and scripts, the ledger's stream, and the totals of the last minute.

use std::{
    collections::HashMap,
    future::Future,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use firmquote_domain::{PoolId, Quote, Timestamp};
use redis::{ErrorKind, FromRedisValue, RedisError, RedisResult};

use super::{
    InvalidRedisConfig, KeyPrefix, RedisConfig, Servers,
    codec::Encoded,
    connection::{Connection, DurableWriter, ThreadConnections},
    generation::Generation,
    scripts::{Script, Scripts},
};
use crate::StoreError;

/// The generation that counted the totals of each pool when this replica asked last.
#[derive(Default)]
pub(super) struct TotalsGenerations(Mutex<HashMap<PoolId, Generation>>);

impl TotalsGenerations {
    pub(super) fn last(&self, pool: PoolId) -> Option<Generation> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&pool).copied()
    }

    pub(super) fn store(&self, pool: PoolId, generation: Generation) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(pool, generation);
    }
}

/// Where the ledger is, and what is kept of it.
pub(super) struct RedisLedger {
    key: String,
    max_age_ms: u64,
    is_elsewhere: bool,
}

impl RedisLedger {
    pub(super) fn new(key: String, max_age_seconds: u32, is_elsewhere: bool) -> Self {
        Self { key, max_age_ms: u64::from(max_age_seconds) * 1_000, is_elsewhere }
    }

    pub(super) fn key(&self) -> &str {
        &self.key
    }

    /// Whether the stream may be on another node than a quote.
    pub(super) const fn is_elsewhere(&self) -> bool {
        self.is_elsewhere
    }

    /// The age up to which entries are kept, in milliseconds.
    pub(super) const fn max_age_ms(&self) -> u64 {
        self.max_age_ms
    }
}

/// Keeps quotes, claims, records of signatures, the ledger, the totals of the last minute and pauses in Redis.
///
/// It connects by itself, again and again if need be; while there is no connection every call fails at once. Its tasks
/// run on the runtime that [`Self::connect`] was called in and end with this value; calls may come from any runtime. To one
/// server it has a connection more for every thread with a runtime of its own that calls come from, kept by a task there; a
/// second such runtime on the same thread uses the one that all share.
pub struct RedisStore {
    pub(super) links: ThreadConnections,
    /// For writes that wait for replicas or for the disk, and would keep all others on their connection waiting.
    pub(super) durable: Option<DurableWriter>,
    pub(super) scripts: Scripts,
    pub(super) prefix: KeyPrefix,
    pub(super) record_retention_seconds: u32,
    pub(super) ledger: RedisLedger,
    pub(super) totals: TotalsGenerations,
    pub(super) timeout: Duration,
    pub(super) max_clock_skew: Duration,
}

impl RedisStore {
    /// A store that keeps connected to the servers of `config`; returns after the first attempt to connect, whether or
    /// not it succeeded.
    ///
    /// # Errors
    /// [`InvalidRedisConfig`] for what no server could mend: certificates that cannot be read, mixed addresses.
    pub async fn connect(config: &RedisConfig) -> Result<Self, InvalidRedisConfig> {
        let links = ThreadConnections::start(config).await?;
        let durable = DurableWriter::start(config).await?;
        let is_cluster = matches!(config.servers, Servers::Cluster(_));
        Ok(Self {
            links,
            durable,
            scripts: Scripts::new(),
            prefix: config.prefix.clone(),
            totals: TotalsGenerations::default(),
            timeout: config.timeout,
            max_clock_skew: config.max_clock_skew,
            record_retention_seconds: config.record_retention_seconds,
            ledger: RedisLedger::new(config.prefix.ledger(), config.ledger_max_age_seconds, is_cluster),
        })
    }

    /// Asks over a link that waits for nothing.
    pub(super) async fn ask<T, F: Future<Output = RedisResult<T>>>(
        &self,
        question: impl FnOnce(Connection) -> F,
    ) -> Result<T, StoreError> {
        self.links.ask(question).await
    }

    /// The clock of this replica and how far it may be ahead of Redis', in milliseconds, as scripts take them.
    pub(super) fn clock_arguments(&self, now: Timestamp) -> [String; 2] {
        [(now.as_micros() / 1_000).to_string(), self.max_clock_skew.as_millis().to_string()]
    }

    /// Runs a script that writes what has to outlive a failure, and waits for replicas and for the disk if it is to.
    pub(super) async fn write<T: FromRedisValue>(
        &self,
        script: &Script,
        keys: &[&str],
        arguments: &[&[u8]],
    ) -> Result<T, StoreError> {
        match &self.durable {
            None => self.ask(async |mut link| link.call(script, keys, arguments).await).await,
            Some(writer) => writer.write(script, keys, arguments).await,
        }
    }
}

/// How much longer than a signature is valid its claim and its record are kept, in seconds: the clock of Redis may be
/// ahead.
const CLOCK_MARGIN_SECONDS: u64 = 5;

/// When Redis may forget what a signature was made for, in Unix milliseconds.
pub(super) fn forgotten_at_ms(quote: &Quote) -> u64 {
    (u64::from(quote.good_until.expires_at().get()) + 1 + CLOCK_MARGIN_SECONDS) * 1_000
}

pub(super) fn encoded(encoded: Encoded) -> Result<Vec<u8>, StoreError> {
    encoded.map_err(unencodable)
}

pub(super) fn unencodable(error: impl std::error::Error + Send + Sync + 'static) -> StoreError {
    StoreError::Unavailable(Box::new(error))
}

pub(super) fn unencoded(error: impl std::fmt::Display) -> RedisError {
    RedisError::from((ErrorKind::Client, "a quote that cannot be encoded", error.to_string()))
}

/// A word and the value that may stand behind it.
pub(super) fn word_and_value(answer: Vec<Vec<u8>>) -> (String, Option<Vec<u8>>) {
    let mut answer = answer.into_iter();
    let word = answer.next().unwrap_or_default();
    (String::from_utf8_lossy(&word).into_owned(), answer.next())
}

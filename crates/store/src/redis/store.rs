//! The quote store in Redis: each call of the port is one round trip, with one exception that says so.

use std::{future::Future, time::Duration};

use async_trait::async_trait;
use firmquote_domain::{Client, Quote, QuoteId, SignedQuote, Terms, Timestamp, is_expired};
use redis::{FromRedisValue, RedisResult, cmd};

use super::{
    InvalidRedisConfig, KeyPrefix, RedisConfig, Servers,
    connection::{Connection, Replication},
    ledger::RedisLedger,
    link::Link,
    links::Links,
    on_record::decoded,
    scripts::{Script, Scripts},
    stored::{self, Encoded},
};
use crate::{Claim, QuoteStore, Spending, Spent, StoreError};

/// Keeps quotes, claims, records of signatures, the ledger, the totals of the last minute and pauses in Redis.
///
/// It connects by itself, again and again if need be; while there is no connection every call fails at once. Its tasks
/// run on the runtime that [`Self::connect`] was called in and end with this value; calls may come from any runtime. To one
/// server it has a connection more for every thread with a runtime of its own that calls come from, kept by a task there; a
/// second such runtime on the same thread uses the one that all share.
pub struct RedisStore {
    pub(super) links: Links,
    /// For writes that wait for replicas, and would keep all others on their connection waiting.
    pub(super) replicated: Option<(Link, Replication)>,
    pub(super) scripts: Scripts,
    pub(super) prefix: KeyPrefix,
    pub(super) record_retention_seconds: u32,
    pub(super) ledger: RedisLedger,
    timeout: Duration,
}

impl RedisStore {
    /// A store that keeps connected to the servers of `config`; returns after the first attempt to connect, whether or
    /// not it succeeded.
    ///
    /// # Errors
    /// [`InvalidRedisConfig`] for what no server could mend: certificates that cannot be read, mixed addresses.
    pub async fn connect(config: &RedisConfig) -> Result<Self, InvalidRedisConfig> {
        let links = Links::start(config).await?;
        let within_ms = u64::try_from(config.timeout.as_millis() / 2).unwrap_or(u64::MAX).max(1);
        let replication = Replication { replicas: config.replicas_waited_for, within_ms };
        let replicated = match replication.replicas {
            0 => None,
            _ => Some((Link::start(config).await?, replication)),
        };
        let is_cluster = matches!(config.servers, Servers::Cluster(_));
        Ok(Self {
            links,
            replicated,
            scripts: Scripts::new(),
            prefix: config.prefix.clone(),
            timeout: config.timeout,
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

    async fn ask_over<T, F: Future<Output = RedisResult<T>>>(
        &self,
        link: &Link,
        question: impl FnOnce(Connection) -> F,
    ) -> Result<T, StoreError> {
        link.ask(self.timeout, question).await
    }

    /// Runs a script that writes what has to outlive a failover, and waits for replicas if it is to.
    pub(super) async fn write<T: FromRedisValue>(
        &self,
        script: &Script,
        keys: &[&str],
        arguments: &[&[u8]],
    ) -> Result<T, StoreError> {
        match &self.replicated {
            None => self.ask(async |mut link| link.call(script, keys, arguments).await).await,
            Some((link, replication)) => {
                let call =
                    async |mut link: Connection| link.call_replicated(script, keys, arguments, *replication).await;
                self.ask_over(link, call).await
            }
        }
    }
}

#[async_trait]
impl QuoteStore for RedisStore {
    async fn insert(&self, quote: &Quote, _now: Timestamp) -> Result<(), StoreError> {
        // Up to the next millisecond: Redis removes only what the domain already calls dead.
        let until = quote.must_accept_by.as_micros().div_ceil(1_000);
        let value = encoded(stored::encode_quote(quote, forgotten_at_ms(quote)))?;
        let mut set = cmd("SET");
        set.arg(self.prefix.quote(quote.id)).arg(value).arg("NX").arg("PXAT").arg(until);
        self.ask(async |mut link| link.run(&set).await).await
    }

    async fn claim(&self, id: QuoteId, client: &Client, terms: &Terms, now: Timestamp) -> Result<Claim, StoreError> {
        let keys = self.prefix.of_quote(id);
        let (bound, owner) = (encoded(stored::encode_terms(terms))?, encoded(stored::encode_client(client))?);
        let names = [keys.quote.as_str(), &keys.claim, &keys.record];
        let call = async |mut link: Connection| link.call(&self.scripts.claim, &names, &[&bound, &owner]).await;
        let (word, value): (String, Option<Vec<u8>>) = self.ask(call).await.map(first_two)?;
        match (word.as_str(), value) {
            ("unknown", _) => Ok(Claim::Unknown),
            ("client", _) => Ok(Claim::AnotherClients),
            ("terms", _) => Ok(Claim::OtherTerms),
            ("granted", Some(value)) => match stored::decode_quote(id, &value) {
                Some(quote) if is_expired(quote.must_accept_by, now) => Ok(Claim::Unknown),
                Some(quote) => Ok(Claim::Granted(quote)),
                None => Err(StoreError::Unreadable { key: keys.quote }),
            },
            ("recorded", Some(value)) => self.on_record(decoded(id, &value, &keys)?, client, terms, now).await,
            (word, _) => Err(StoreError::Unavailable(format!("Redis answered {word:?} to a claim").into())),
        }
    }

    async fn release(&self, id: QuoteId, terms: &Terms) -> Result<(), StoreError> {
        let keys = self.prefix.of_quote(id);
        let terms = encoded(stored::encode_terms(terms))?;
        let names = [keys.claim.as_str(), &keys.record];
        self.ask(async |mut link| link.call(&self.scripts.release, &names, &[&terms]).await).await
    }

    async fn record(&self, signed: SignedQuote, now: Timestamp) -> Result<SignedQuote, StoreError> {
        self.put_on_record(&signed, false, now).await
    }

    async fn spend(&self, spending: &Spending, now: Timestamp) -> Result<Spent, StoreError> {
        self.add_to_totals(spending, now).await
    }

    async fn ping(&self) -> Result<(), StoreError> {
        let key = self.prefix.probe();
        self.ask(async |mut link| link.probe(&key).await).await?;
        match &self.replicated {
            None => Ok(()),
            Some((link, _)) => self.ask_over(link, async |mut link: Connection| link.probe(&key).await).await,
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

/// A word and the value that may stand behind it.
fn first_two(answer: Vec<Vec<u8>>) -> (String, Option<Vec<u8>>) {
    let mut answer = answer.into_iter();
    let word = answer.next().unwrap_or_default();
    (String::from_utf8_lossy(&word).into_owned(), answer.next())
}

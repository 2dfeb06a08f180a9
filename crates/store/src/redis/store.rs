//! The quote store in Redis: each call of the port is one round trip, with one exception that says so.

use std::{future::Future, time::Duration};

use async_trait::async_trait;
use firmquote_domain::{Client, Quote, QuoteId, SignedQuote, Terms, Timestamp, is_expired};
use redis::{ErrorKind, FromRedisValue, RedisError, RedisResult, cmd};

use super::{
    InvalidRedisConfig, KeyPrefix, RedisConfig, Servers,
    connection::Connection,
    durable::DurableWriter,
    ledger::RedisLedger,
    links::Links,
    on_record::{Origin, decoded},
    scripts::{Script, Scripts},
    spending::TotalsGenerations,
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
    /// For writes that wait for replicas or for the disk, and would keep all others on their connection waiting.
    pub(super) durable: Option<DurableWriter>,
    pub(super) scripts: Scripts,
    pub(super) prefix: KeyPrefix,
    pub(super) record_retention_seconds: u32,
    pub(super) ledger: RedisLedger,
    pub(super) totals: TotalsGenerations,
    timeout: Duration,
    max_clock_skew: Duration,
}

impl RedisStore {
    /// A store that keeps connected to the servers of `config`; returns after the first attempt to connect, whether or
    /// not it succeeded.
    ///
    /// # Errors
    /// [`InvalidRedisConfig`] for what no server could mend: certificates that cannot be read, mixed addresses.
    pub async fn connect(config: &RedisConfig) -> Result<Self, InvalidRedisConfig> {
        let links = Links::start(config).await?;
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

#[async_trait]
impl QuoteStore for RedisStore {
    async fn insert(&self, quote: &Quote, _now: Timestamp) -> Result<(), StoreError> {
        // Up to the next millisecond: Redis removes only what the domain already calls dead.
        let until = quote.must_accept_by.as_micros().div_ceil(1_000);
        let key = self.prefix.quote(quote.id);
        self.ask(async |mut link: Connection| {
            let value = stored::encode_quote(quote, forgotten_at_ms(quote), &link.generation()).map_err(unencoded)?;
            link.insert(&self.scripts.insert, &key, &value, until).await
        })
        .await
    }

    async fn claim(&self, id: QuoteId, client: &Client, terms: &Terms, now: Timestamp) -> Result<Claim, StoreError> {
        let keys = self.prefix.of_quote(id);
        let (bound, owner) = (encoded(stored::encode_terms(terms))?, encoded(stored::encode_client(client))?);
        let names = [keys.quote.as_str(), &keys.claim, &keys.record];
        let [now_ms, max_ahead_ms] = self.clock_arguments(now);
        let arguments: [&[u8]; 4] = [&bound, &owner, now_ms.as_bytes(), max_ahead_ms.as_bytes()];
        let call = async |mut link: Connection| link.call(&self.scripts.claim, &names, &arguments).await;
        let (word, value) = self.ask(call).await.map(word_and_value)?;
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
        self.put_on_record(&signed, Origin::Claimed { is_in_ledger: false }, now).await
    }

    async fn insert_signed(&self, signed: SignedQuote, now: Timestamp) -> Result<SignedQuote, StoreError> {
        self.put_on_record(&signed, Origin::NeverStored, now).await
    }

    async fn spend(&self, spending: &Spending, now: Timestamp) -> Result<Spent, StoreError> {
        self.add_to_totals(spending, now).await
    }

    fn has_clock(&self) -> bool {
        true
    }

    async fn ping(&self, now: Timestamp) -> Result<(), StoreError> {
        let key = self.prefix.probe();
        let time = async |mut link: Connection| {
            link.probe(&key).await?;
            link.run::<(u64, u64)>(&cmd("TIME")).await
        };
        let (seconds, micros) = self.ask(time).await?;
        if let Some(writer) = &self.durable {
            writer.link().ask(self.timeout, async |mut link: Connection| link.probe(&key).await).await?;
        }
        let skew_us = i128::from(now.as_micros()) - i128::from(seconds) * 1_000_000 - i128::from(micros);
        // A millisecond more: the answer took its time to come, and the clock of Redis went on.
        if skew_us.unsigned_abs() > self.max_clock_skew.as_micros() + 1_000 {
            return Err(StoreError::ClockSkew { skew_ms: i64::try_from(skew_us / 1_000).unwrap_or(i64::MAX) });
        }
        Ok(())
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

fn unencoded(error: impl std::fmt::Display) -> RedisError {
    RedisError::from((ErrorKind::Client, "a quote that cannot be encoded", error.to_string()))
}

/// A word and the value that may stand behind it.
pub(super) fn word_and_value(answer: Vec<Vec<u8>>) -> (String, Option<Vec<u8>>) {
    let mut answer = answer.into_iter();
    let word = answer.next().unwrap_or_default();
    (String::from_utf8_lossy(&word).into_owned(), answer.next())
}

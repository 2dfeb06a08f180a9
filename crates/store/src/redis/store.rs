//! The quote store in Redis: each call of the port is one round trip, with one exception that says so.

use std::{future::Future, time::Duration};

use async_trait::async_trait;
use firmquote_domain::{Client, Quote, QuoteId, SignedQuote, Terms, Timestamp, is_expired, is_lapsed};
use redis::{RedisResult, cmd};
use tokio::time::timeout;

use super::{
    InvalidRedisConfig, KeyPrefix, RedisConfig, Servers,
    connection::{Connection, Replication},
    dial::Dialer,
    keys::QuoteKeys,
    ledger::RedisLedger,
    link::Link,
    scripts::Scripts,
    stored::{self, Encoded, Recorded},
};
use crate::{Claim, QuoteStore, StoreError, ledger};

/// Keeps quotes, claims, records of signatures and the ledger in Redis.
///
/// It connects by itself, again and again if need be; while there is no connection every call fails at once. Its tasks
/// run on the runtime that [`Self::connect`] was called in and end with this value; calls may come from any runtime.
pub struct RedisStore {
    link: Link,
    /// For writes that wait for replicas, and would keep all others on their connection waiting.
    replicated: Option<(Link, Replication)>,
    scripts: Scripts,
    prefix: KeyPrefix,
    timeout: Duration,
    record_retention_seconds: u32,
    ledger: RedisLedger,
}

impl RedisStore {
    /// A store that keeps connected to the servers of `config`; returns after the first attempt to connect, whether or
    /// not it succeeded.
    ///
    /// # Errors
    /// [`InvalidRedisConfig`] for what no server could mend: certificates that cannot be read, mixed addresses.
    pub async fn connect(config: &RedisConfig) -> Result<Self, InvalidRedisConfig> {
        let start = async || {
            let dialer = Dialer::new(config)?;
            Ok::<_, InvalidRedisConfig>(Link::start(dialer, config.prefix.probe(), config.timeout).await)
        };
        let link = start().await?;
        let within_ms = u64::try_from(config.timeout.as_millis() / 2).unwrap_or(u64::MAX).max(1);
        let replication = Replication { replicas: config.replicas_waited_for, within_ms };
        let replicated = if replication.replicas > 0 { Some((start().await?, replication)) } else { None };
        let is_cluster = matches!(config.servers, Servers::Cluster(_));
        Ok(Self {
            link,
            replicated,
            scripts: Scripts::new(),
            prefix: config.prefix.clone(),
            timeout: config.timeout,
            record_retention_seconds: config.record_retention_seconds,
            ledger: RedisLedger::new(config.prefix.ledger(), config.ledger_max_age_seconds, is_cluster),
        })
    }

    /// The ledger's part in this store.
    pub(super) const fn ledger(&self) -> &RedisLedger {
        &self.ledger
    }

    /// Asks over the link that waits for nothing.
    pub(super) async fn ask<T, F: Future<Output = RedisResult<T>>>(
        &self,
        question: impl FnOnce(Connection) -> F,
    ) -> Result<T, StoreError> {
        self.ask_over(&self.link, question).await
    }

    async fn ask_over<T, F: Future<Output = RedisResult<T>>>(
        &self,
        link: &Link,
        question: impl FnOnce(Connection) -> F,
    ) -> Result<T, StoreError> {
        let asked = timeout(self.timeout, question(link.connection()?)).await;
        let error: Box<dyn std::error::Error + Send + Sync> = match asked {
            Ok(Ok(answer)) => return Ok(answer),
            Ok(Err(error)) => error.into(),
            Err(_) => format!("Redis did not answer within {} ms", self.timeout.as_millis()).into(),
        };
        link.doubt();
        Err(StoreError::Unavailable(error))
    }

    /// What stands on record after `signed` was to be recorded; one round trip, the ledger's append included.
    async fn put_on_record(&self, signed: &SignedQuote, now: Timestamp) -> Result<Recorded, StoreError> {
        let keys = self.prefix.of_quote(signed.quote.id);
        let line = ledger::line(signed, now).map_err(unencodable)?;
        if self.ledger.is_elsewhere() {
            // Both at once; what is on record without being in the ledger does not leave.
            let (recorded, appended) =
                tokio::join!(self.call_record(&keys, signed, None, now), self.append(&line, now));
            appended?;
            let recorded = recorded?;
            self.mark_in_ledger(keys.record);
            return Ok(Recorded { is_in_ledger: true, ..recorded });
        }
        self.call_record(&keys, signed, Some(&line), now).await
    }

    async fn call_record(
        &self,
        keys: &QuoteKeys,
        signed: &SignedQuote,
        line: Option<&str>,
        now: Timestamp,
    ) -> Result<Recorded, StoreError> {
        let terms = encoded(stored::encode_terms(&signed.terms))?;
        let record = encoded(stored::encode_record(signed, line.is_some()))?;
        let until = lapse_ms(&signed.quote) + u64::from(self.record_retention_seconds) * 1_000;
        let (until, oldest) = (until.to_string(), self.ledger.oldest_ms(now).to_string());
        let rewrite: &[u8] = if self.replicated.is_some() { b"1" } else { b"0" };
        let arguments: [&[u8]; 6] =
            [&terms, &record, until.as_bytes(), rewrite, line.unwrap_or_default().as_bytes(), oldest.as_bytes()];
        let mut names = vec![keys.quote.as_str(), &keys.claim, &keys.record];
        names.extend(line.map(|_| self.ledger.key()));
        let (script, names, arguments) = (&self.scripts.record, names.as_slice(), arguments.as_slice());
        let answer: Option<Vec<u8>> = match &self.replicated {
            None => self.ask(async |mut link| link.call(script, names, arguments).await).await?,
            Some((link, replication)) => {
                let call =
                    async |mut link: Connection| link.call_replicated(script, names, arguments, *replication).await;
                self.ask_over(link, call).await?
            }
        };
        let record = answer.ok_or(StoreError::OtherTerms)?;
        let recorded = stored::decode_record(signed.quote.id, &record);
        recorded.ok_or_else(|| StoreError::Unreadable { key: keys.record.clone() })
    }

    async fn append(&self, line: &str, now: Timestamp) -> Result<(), StoreError> {
        let command = self.ledger.append(line, now);
        match &self.replicated {
            None => self.ask(async |mut link| link.run(&command).await).await,
            Some((link, replication)) => {
                let key = self.ledger.key();
                self.ask_over(link, async |mut link: Connection| link.run_replicated(command, key, *replication).await)
                    .await
            }
        }
    }

    /// Tells the record that the ledger has it. Nobody waits for it: without the mark, whoever asks for the signature
    /// again has it appended once more.
    fn mark_in_ledger(&self, key: String) {
        let Ok(mut connection) = self.link.connection() else { return };
        let call = self.scripts.mark.call(&[&key], &[]);
        let introduction = self.scripts.mark.introduction(&[&key], &[]);
        tokio::spawn(async move {
            let marked: RedisResult<()> = connection.run(&call).await;
            if marked.is_err() {
                let marked: RedisResult<()> = connection.run(&introduction).await;
                if let Err(error) = marked {
                    tracing::debug!(%error, key, "a record was not marked as one that the ledger has");
                }
            }
        });
    }

    async fn signed(
        &self,
        recorded: Recorded,
        client: &Client,
        terms: &Terms,
        now: Timestamp,
    ) -> Result<Claim, StoreError> {
        let Recorded { signed, is_in_ledger } = recorded;
        if is_lapsed(signed.quote.good_until.expires_at(), now) {
            return Ok(Claim::Unknown);
        }
        if signed.quote.client != *client {
            return Ok(Claim::AnotherClients);
        }
        if signed.terms != *terms {
            return Ok(Claim::OtherTerms);
        }
        // The attempt that recorded it may have ended before the ledger or the replicas had it.
        if is_in_ledger && self.replicated.is_none() {
            return Ok(Claim::Signed(signed));
        }
        Ok(Claim::Signed(self.put_on_record(&signed, now).await?.signed))
    }
}

#[async_trait]
impl QuoteStore for RedisStore {
    async fn insert(&self, quote: &Quote, _now: Timestamp) -> Result<(), StoreError> {
        // Up to the next millisecond: Redis removes only what the domain already calls dead.
        let until = quote.must_accept_by.as_micros().div_ceil(1_000);
        let value = encoded(stored::encode_quote(quote, lapse_ms(quote)))?;
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
            ("recorded", Some(value)) => match stored::decode_record(id, &value) {
                Some(recorded) => self.signed(recorded, client, terms, now).await,
                None => Err(StoreError::Unreadable { key: keys.record }),
            },
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
        Ok(self.put_on_record(&signed, now).await?.signed)
    }

    async fn ping(&self) -> Result<(), StoreError> {
        let key = self.prefix.probe();
        self.ask(async |mut link| link.probe(&key).await).await
    }
}

/// The first instant at which a signature is no longer valid, in Unix milliseconds.
fn lapse_ms(quote: &Quote) -> u64 {
    (u64::from(quote.good_until.expires_at().get()) + 1) * 1_000
}

fn encoded(encoded: Encoded) -> Result<Vec<u8>, StoreError> {
    encoded.map_err(unencodable)
}

fn unencodable(error: impl std::error::Error + Send + Sync + 'static) -> StoreError {
    StoreError::Unavailable(Box::new(error))
}

/// A word and the value that may stand behind it.
fn first_two(answer: Vec<Vec<u8>>) -> (String, Option<Vec<u8>>) {
    let mut answer = answer.into_iter();
    let word = answer.next().unwrap_or_default();
    (String::from_utf8_lossy(&word).into_owned(), answer.next())
}

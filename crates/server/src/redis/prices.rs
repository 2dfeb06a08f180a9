//! Pushed prices that all replicas share: written to a hash in Redis, and read from there by each.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use async_trait::async_trait;
use firmquote_config::{Config, PriceSourceConfig, StoreConfig};
use firmquote_domain::Symbol;
use firmquote_market::{
    PriceListener, PriceSource, SourceError,
    push::{PricePublisher, PublishError, PushedPrice, PushedPriceReader},
};
use firmquote_store::redis::{SharedHash, SharedHashEvent};

use crate::{Error, error::Context as _};

/// The name of the shared hash, which follows the prefix of all keys.
const HASH_NAME: &str = "prices";

/// Where replicas share pushed prices.
pub(crate) struct SharedPrices(Arc<SharedHash>);

impl SharedPrices {
    /// Connects to the hash; `None` unless prices are pushed and the store is Redis. It belongs to the current runtime and
    /// may be opened while no server responds.
    ///
    /// # Errors
    /// For certificates that cannot be used.
    pub(crate) async fn connect(config: &Config) -> Result<Option<Arc<Self>>, Error> {
        let is_pushed = config.prices.sources.iter().any(|source| matches!(source, PriceSourceConfig::Push(_)));
        match &config.store {
            StoreConfig::Redis(redis) if is_pushed => {
                let hash =
                    SharedHash::connect(redis, HASH_NAME).await.context("store: cannot be used as configured")?;
                Ok(Some(Arc::new(Self(Arc::new(hash)))))
            }
            _ => Ok(None),
        }
    }

    /// Publishes prices for all replicas.
    pub(crate) fn publisher(&self) -> Arc<dyn PricePublisher> {
        Arc::new(RedisPublisher(Arc::clone(&self.0)))
    }

    /// Follows the prices of `symbols`.
    pub(crate) fn source(&self, symbols: &[Symbol]) -> Box<dyn PriceSource> {
        Box::new(PushedPriceSource::new(Arc::clone(&self.0), symbols))
    }
}

/// Publishes prices in Redis: one entry per asset, and all prices of a request in one message.
struct RedisPublisher(Arc<SharedHash>);

#[async_trait]
impl PricePublisher for RedisPublisher {
    async fn publish(&self, prices: &[PushedPrice]) -> Result<(), PublishError> {
        let unavailable = |error: Box<dyn std::error::Error + Send + Sync>| PublishError::Unavailable(error);
        let items = prices.iter().map(item).collect::<Result<Vec<_>, _>>();
        let items = items.map_err(|error| unavailable(error.into()))?;
        let symbols = prices.iter().map(|price| price.symbol.as_str());
        let entries: Vec<_> = symbols.zip(items.iter().map(String::as_str)).collect();
        let message = format!("{{\"prices\":[{}]}}", items.join(","));
        self.0.post(&entries, &message).await.map_err(|error| unavailable(error.into()))
    }
}

/// Returns the entry of a price. A price without a time gets that of Redis: the clocks of replicas differ, and a price
/// older than the previous one is ignored.
fn item(price: &PushedPrice) -> serde_json::Result<String> {
    let mut item = serde_json::to_value(price)?;
    if let (false, Some(members)) = (price.has_time, item.as_object_mut()) {
        members.insert("observed_at".to_owned(), SharedHash::NOW_MS.into());
    }
    Ok(item.to_string())
}

/// Delivers the entries of a shared hash and every message of its channel, until the subscription is lost.
struct PushedPriceSource {
    hash: Arc<SharedHash>,
    name: String,
    reader: PushedPriceReader,
    /// Whether an invalid post has been logged: such a writer seldom stops.
    is_reported: AtomicBool,
}

impl PushedPriceSource {
    /// Follows `hash` for the prices of `symbols`.
    fn new(hash: Arc<SharedHash>, symbols: &[Symbol]) -> Self {
        let name = format!("push {}", hash.name());
        Self { hash, name, reader: PushedPriceReader::new(symbols), is_reported: AtomicBool::new(false) }
    }

    fn forward(&self, posted: &SharedHashEvent, listener: &dyn PriceListener) {
        match posted {
            SharedHashEvent::Message(message) => {
                if let Err(error) = self.reader.receive_message(message, listener) {
                    self.report_once(&error.to_string());
                }
            }
            SharedHashEvent::Entry { field, value } => {
                match str::from_utf8(field).ok().and_then(|text| Symbol::new(text).ok()) {
                    Some(symbol) => self.reader.receive_entry(&symbol, value, listener),
                    None => self.report_once("a field of the hash is not a symbol"),
                }
            }
        }
    }

    /// Logs an invalid post once, without its contents.
    fn report_once(&self, error: &str) {
        if !self.is_reported.swap(true, Ordering::Relaxed) {
            let source = self.name();
            tracing::warn!(source, error, "ignoring invalid prices in Redis (reported once)");
        }
    }
}

#[async_trait]
impl PriceSource for PushedPriceSource {
    fn name(&self) -> &str {
        &self.name
    }

    async fn run(&self, listener: &dyn PriceListener) -> SourceError {
        let Err(error) = self.hash.follow(|posted| self.forward(&posted, listener)).await;
        SourceError::Disconnected(error.into())
    }
}

#[cfg(test)]
mod tests {
    use firmquote_domain::Timestamp;
    use firmquote_market::push::read_list;

    use super::*;

    #[test]
    fn a_price_without_a_time_is_posted_with_that_of_redis() {
        let now = Timestamp::from_seconds(1_763_700_000);
        for (time, expected) in [("", "\"<now ms>\""), (",\"observed_at\":1763700000123", "1763700000123")] {
            let list = format!("{{\"prices\":[{{\"symbol\":\"ETH\",\"price_usd\":\"2080\"{time}}}]}}");
            let prices = read_list(list.as_bytes(), now).unwrap();
            let posted = item(&prices[0]).unwrap();
            assert!(posted.contains(&format!("\"observed_at\":{expected}")), "{posted}");
        }
    }
}

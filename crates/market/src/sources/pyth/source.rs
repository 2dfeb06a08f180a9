//! Follows the stream of Hermes as long as it delivers prices.

use std::{collections::BTreeSet, convert::Infallible, sync::Arc, time::Duration};

use async_trait::async_trait;
use firmquote_domain::{B256, Clock, Symbol};
use firmquote_outbound::{HttpClient, HttpClientConfig, InvalidTls, Retry, read_body};
use hyper::{Response, StatusCode, Uri, body::Incoming};
use tokio::task::consume_budget;

use super::{PythConfig, request, stream, stream::Events, update};
use crate::{
    InvalidConfig, PriceListener, PriceSource, PriceSourceSettings, SourceError,
    sources::{
        connection::{IdleTimeout, open_within, run_for_lifetime},
        feed_timers::FeedTimers,
    },
};

/// The maximum size of a refusal that is read, in bytes.
const MAX_REFUSAL_BYTES: usize = 1 << 16;

/// A source of the prices of Pyth feeds, published as they arrive.
///
/// One [`run`](PriceSource::run) is one stream. It ends by itself, with [`SourceError::Disconnected`], when no price
/// arrived within the idle timeout, and when the stream has reached its lifetime: the next run starts a new one before
/// the server ends the old. A feed that the server does not know, whose values are invalid, or that is silent for the
/// idle timeout affects no other: it is reported, and the stream is opened anew while it is silent. Prices carry the
/// network's time, even if it is in the future.
pub struct PythSource {
    name: String,
    address: Uri,
    client: HttpClient,
    config: PythConfig,
    /// Each feed once, in order.
    feeds: Vec<B256>,
}

impl PythSource {
    /// Creates a source for `config` without connecting.
    ///
    /// # Errors
    /// [`InvalidConfig`] for an unusable configuration, and for `https` without a certificate authority to trust.
    pub fn new(config: PythConfig) -> Result<Self, InvalidConfig> {
        config.check()?;
        let feeds: BTreeSet<_> = config.feeds.iter().map(|(feed, _)| *feed).collect();
        let feeds: Vec<_> = feeds.into_iter().collect();
        let address = request::address(&config, &feeds)?;
        request::request(&address, &config)
            .map_err(|_| InvalidConfig("the API key is not a valid header value".to_owned()))?;
        let invalid = |error: InvalidTls| InvalidConfig(format!("no TLS: {error}"));
        let is_tls = address.scheme_str() == Some("https");
        let authorities = config.authorities.as_deref();
        let client_config =
            HttpClientConfig { is_tls, authorities, idle_timeout: Duration::ZERO, ..HttpClientConfig::default() };
        let client = HttpClient::new(client_config).map_err(invalid)?;
        Ok(Self { name: format!("pyth {}", address.host().unwrap_or_default()), address, client, config, feeds })
    }

    async fn request(&self, address: &Uri) -> Result<Response<Incoming>, SourceError> {
        let request = request::request(address, &self.config).map_err(SourceError::disconnected)?;
        self.client.send(request, Retry::Never).await.map_err(SourceError::disconnected)
    }

    /// Opens the stream. A server that refuses the request because of some feeds is asked for the others.
    async fn open(&self, listener: &dyn PriceListener) -> Result<Events, SourceError> {
        let mut response = self.request(&self.address).await?;
        if response.status() == StatusCode::NOT_FOUND {
            let refusal =
                read_body(response.into_body(), MAX_REFUSAL_BYTES).await.map_err(SourceError::disconnected)?;
            let refusal = String::from_utf8_lossy(&refusal).to_lowercase();
            let is_unknown = |feed: &&B256| refusal.contains(&format!("{feed:x}"));
            let (unknown, known): (Vec<B256>, Vec<_>) = self.feeds.iter().partition(is_unknown);
            if unknown.is_empty() || known.is_empty() {
                return Err(stream::not_found());
            }
            for feed in unknown {
                listener.report(Some(&feed.to_string()), "unknown to the server");
            }
            let address = request::address(&self.config, &known).map_err(SourceError::disconnected)?;
            response = self.request(&address).await?;
        }
        stream::check(response.status(), response.headers())?;
        Ok(Events::new(response.into_body()))
    }

    async fn follow(&self, listener: &dyn PriceListener) -> Result<Infallible, SourceError> {
        let open = || open_within(self.config.connect_timeout, self.open(listener));
        let mut events = open().await?;
        let mut idle = IdleTimeout::start(self.config.idle_timeout, "no price in time");
        let mut timers = FeedTimers::start(self.config.idle_timeout, self.feeds.len());
        loop {
            // Yields, so that the lifetime ends even if the server is never silent.
            consume_budget().await;
            match idle.limit(events.next()).await?? {
                Some(data) if self.publish(&data, &mut timers, listener) => idle.restart(),
                _ => {
                    idle.check()?;
                    continue;
                }
            }
            // Feeds that are silent while others are not.
            let silent = timers.take_silent();
            if silent.is_empty() {
                continue;
            }
            for (position, silence) in silent {
                let fault = format!("no price for {} s, the stream is opened anew", silence.as_secs());
                listener.report(self.feeds.get(position).map(ToString::to_string).as_deref(), &fault);
            }
            match open().await {
                Ok(renewed) => events = renewed,
                Err(error) => listener.report(None, &format!("the stream was not opened anew: {error}")),
            }
        }
    }

    /// Publishes the updates of an event for the configured feeds, and returns whether there were any. Other feeds are
    /// ignored; what is invalid is reported.
    fn publish(&self, data: &str, timers: &mut FeedTimers, listener: &dyn PriceListener) -> bool {
        let parsed = update::updates(data).unwrap_or_else(|error| vec![Err(error)]);
        let mut updates = Vec::new();
        for update in parsed {
            match update {
                Ok(update) => {
                    if let Ok(position) = self.feeds.binary_search(&update.feed) {
                        timers.restart(position);
                    }
                    let priced = self.config.feeds.iter().filter(|(feed, _)| *feed == update.feed);
                    updates.extend(priced.map(|(_, symbol)| (symbol, update.observation())));
                }
                Err(error) => listener.report(None, &error.to_string()),
            }
        }
        listener.receive(&updates);
        !updates.is_empty()
    }
}

impl PriceSourceSettings for PythConfig {
    fn symbols(&self) -> Vec<&Symbol> {
        self.feeds.iter().map(|(_, symbol)| symbol).collect()
    }

    fn create(&self, _clock: &Arc<dyn Clock>) -> Result<Box<dyn PriceSource>, InvalidConfig> {
        Ok(Box::new(PythSource::new(self.clone())?))
    }
}

#[async_trait]
impl PriceSource for PythSource {
    fn name(&self) -> &str {
        &self.name
    }

    async fn run(&self, listener: &dyn PriceListener) -> SourceError {
        run_for_lifetime(self.config.lifetime, "the stream", self.follow(listener)).await
    }
}

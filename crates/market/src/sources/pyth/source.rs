//! Follows the stream of Hermes as long as it delivers prices.

use std::{convert::Infallible, time::Duration};

use async_trait::async_trait;
use firmquote_outbound::{HttpClient, HttpClientConfig, InvalidTls, Retry};
use hyper::Uri;
use tokio::task::consume_budget;

use super::{PythConfig, request, stream, stream::Events, update};
use crate::{
    InvalidConfig, PriceListener, PriceSource, SourceError,
    sources::connection::{IdleTimeout, open_within, run_for_lifetime},
};

/// A source of the prices of Pyth feeds, published as they arrive.
///
/// One [`run`](PriceSource::run) is one stream. It ends by itself, with [`SourceError::Disconnected`], when no price
/// arrived within the idle timeout, and when the stream has reached its lifetime: the next run starts a new one before
/// the server ends the old. Prices carry the network's time, even if it is in the future.
pub struct PythSource {
    name: String,
    address: Uri,
    client: HttpClient,
    config: PythConfig,
}

impl PythSource {
    /// Creates a source for `config` without connecting.
    ///
    /// # Errors
    /// [`InvalidConfig`] for an unusable configuration, and for `https` without a certificate authority to trust.
    pub fn new(config: PythConfig) -> Result<Self, InvalidConfig> {
        config.check()?;
        let address = request::address(&config)?;
        request::request(&address, &config)
            .map_err(|_| InvalidConfig("the API key is not a valid header value".to_owned()))?;
        let invalid = |error: InvalidTls| InvalidConfig(format!("no TLS: {error}"));
        let is_tls = address.scheme_str() == Some("https");
        let authorities = config.authorities.as_deref();
        let client_config =
            HttpClientConfig { is_tls, authorities, idle_timeout: Duration::ZERO, ..HttpClientConfig::default() };
        let client = HttpClient::new(client_config).map_err(invalid)?;
        Ok(Self { name: format!("pyth {}", address.host().unwrap_or_default()), address, client, config })
    }

    async fn open(&self) -> Result<Events, SourceError> {
        let request = request::request(&self.address, &self.config).map_err(SourceError::disconnected)?;
        let response = self.client.send(request, Retry::Never).await.map_err(SourceError::disconnected)?;
        stream::check(response.status(), response.headers())?;
        Ok(Events::new(response.into_body()))
    }

    async fn follow(&self, listener: &dyn PriceListener) -> Result<Infallible, SourceError> {
        let mut events = open_within(self.config.connect_timeout, self.open()).await?;
        let mut idle = IdleTimeout::start(self.config.idle_timeout, "no price in time");
        loop {
            // Yields, so that the lifetime ends even if the server is never silent.
            consume_budget().await;
            match idle.limit(events.next()).await?? {
                Some(data) if self.publish(&data, listener)? => idle.restart(),
                _ => idle.check()?,
            }
        }
    }

    /// Publishes the updates of an event for the configured feeds, and returns whether there were any. Other feeds are
    /// ignored.
    fn publish(&self, data: &str, listener: &dyn PriceListener) -> Result<bool, SourceError> {
        let mut updates = Vec::new();
        for update in update::updates(data)? {
            let priced = self.config.feeds.iter().filter(|(id, _)| *id == update.feed);
            updates.extend(priced.map(|(_, symbol)| (symbol, update.observation())));
        }
        listener.receive(&updates);
        Ok(!updates.is_empty())
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

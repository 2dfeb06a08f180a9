//! Follows the tickers of an exchange as long as it sends them.

use std::{convert::Infallible, sync::Arc};

use async_trait::async_trait;
use firmquote_domain::Clock;
use firmquote_outbound::{Endpoint, InvalidEndpoint};
use futures_util::{SinkExt as _, StreamExt as _};
use tokio::{
    task::consume_budget,
    time::{Instant, timeout, timeout_at},
};
use tokio_tungstenite::{
    Connector,
    tungstenite::{Message, http::Uri},
};

use super::{ExchangeConfig, InvalidExchangeConfig, ticker::Ticker};
use crate::{
    PriceListener, PriceSource, SourceError,
    sources::{
        web::{self, shortened},
        web_socket::{self, Socket, dial},
    },
};

/// The maximum size of a message, in bytes: a ticker has some hundreds.
const MAX_MESSAGE: usize = 1 << 20;

const SCHEME: &str = "has to start with wss:// and a host";
const HOST_ONLY: &str = "cannot have credentials, a path or a query";

/// A source of the mid price between best bid and best ask as they change, with half of their distance as its
/// confidence.
///
/// One [`run`](PriceSource::run) is one connection. It ends by itself, with [`SourceError::Disconnected`], when no ticker
/// arrived within the idle timeout, and when the connection has reached its lifetime: the next run opens a new one
/// before the exchange ends the old. Prices carry the exchange's time if it sends one, even if it is in the future.
pub struct ExchangeSource {
    name: String,
    address: Uri,
    connector: Connector,
    feed: ExchangeConfig,
    clock: Arc<dyn Clock>,
}

impl ExchangeSource {
    /// Creates a source for `feed` without connecting. `clock` provides the time of prices that carry none.
    ///
    /// # Errors
    /// [`InvalidExchangeConfig`] for an unusable configuration, and for `wss` without a certificate authority to trust.
    pub fn new(feed: ExchangeConfig, clock: Arc<dyn Clock>) -> Result<Self, InvalidExchangeConfig> {
        feed.check()?;
        let address = address(&feed)?;
        let connector = web_socket::connector(address.scheme_str() == Some("wss"), feed.authorities.as_deref())
            .map_err(|error| InvalidExchangeConfig(format!("no TLS: {error}")))?;
        let name = format!("{} {}", feed.exchange, address.host().unwrap_or_default());
        Ok(Self { name, address, connector, feed, clock })
    }

    async fn open(&self) -> Result<Socket, SourceError> {
        let mut socket = dial(&self.address, self.connector.clone(), MAX_MESSAGE).await?;
        if let Some(subscription) = self.feed.exchange.venue().subscription(&products(&self.feed)) {
            socket.send(Message::text(subscription)).await.map_err(web_socket::source_error)?;
        }
        Ok(socket)
    }

    async fn follow(&self, listener: &dyn PriceListener) -> Result<Infallible, SourceError> {
        let opened = timeout(self.feed.connect_timeout, self.open()).await;
        let mut socket = opened.map_err(|_| SourceError::Disconnected("no response in time".into()))??;
        let silent = || SourceError::Disconnected("no ticker in time".into());
        let mut silent_at = Instant::now() + self.feed.idle_timeout;
        loop {
            // Yields, so that the lifetime ends even if the server is never silent.
            consume_budget().await;
            let message = timeout_at(silent_at, socket.next()).await.map_err(|_| silent())?;
            let message = message.ok_or_else(|| SourceError::Disconnected("the connection ended".into()))?;
            let tickers = self.read(message.map_err(web_socket::source_error)?)?;
            if self.publish(&tickers, listener) {
                silent_at = Instant::now() + self.feed.idle_timeout;
            } else if silent_at <= Instant::now() {
                return Err(silent());
            }
        }
    }

    /// Returns the tickers in a message. Pings are answered by the WebSocket library.
    fn read(&self, message: Message) -> Result<Vec<Ticker>, SourceError> {
        match message {
            Message::Text(text) => self.feed.exchange.venue().read(&text, self.clock.now()),
            Message::Close(why) => {
                let why = why.map(|why| format!(": {} {}", why.code, shortened(&why.reason))).unwrap_or_default();
                Err(SourceError::Disconnected(format!("the server closed the connection{why}").into()))
            }
            Message::Binary(_) => Err(SourceError::Protocol { reason: "a binary message".to_owned() }),
            Message::Ping(_) | Message::Pong(_) | Message::Frame(_) => Ok(Vec::new()),
        }
    }

    /// Publishes the prices of `tickers`, and returns whether one of them is of a configured product. Others are ignored.
    fn publish(&self, tickers: &[Ticker], listener: &dyn PriceListener) -> bool {
        let mut updates = Vec::new();
        for ticker in tickers {
            let is_priced = |product: &str| product.eq_ignore_ascii_case(&ticker.product);
            let priced = self.feed.products.iter().filter(|(product, _)| is_priced(product));
            updates.extend(priced.map(|(_, symbol)| (symbol, ticker.observation())));
        }
        listener.receive(&updates);
        !updates.is_empty()
    }
}

#[async_trait]
impl PriceSource for ExchangeSource {
    fn name(&self) -> &str {
        &self.name
    }

    async fn run(&self, listener: &dyn PriceListener) -> SourceError {
        web::within_lifetime(self.feed.lifetime, "the connection", self.follow(listener)).await
    }
}

/// Returns each product once.
fn products(feed: &ExchangeConfig) -> Vec<&str> {
    let mut products: Vec<_> = feed.products.iter().map(|(product, _)| product.as_str()).collect();
    products.sort_unstable();
    products.dedup();
    products
}

fn address(feed: &ExchangeConfig) -> Result<Uri, InvalidExchangeConfig> {
    let invalid = |reason: &str| InvalidExchangeConfig(format!("the address of {} {reason}", feed.exchange));
    let endpoint = Endpoint::parse(&feed.url).map_err(|error| match error {
        InvalidEndpoint::Scheme => invalid(SCHEME),
        InvalidEndpoint::Credentials => invalid(HOST_ONLY),
        error => invalid(&error.to_string()),
    })?;
    if !endpoint.is_web_socket() {
        return Err(invalid(SCHEME));
    }
    if endpoint.has_query() || endpoint.path() != "/" {
        return Err(invalid(HOST_ONLY));
    }
    let base = endpoint.join("").map_err(|error| invalid(&error.to_string()))?.to_string();
    let base = base.trim_end_matches('/');
    let address = feed.exchange.venue().address(base, &products(feed));
    address.parse().map_err(|_| invalid("is too long with so many products"))
}

//! Follows the tickers of an exchange as long as it sends them.

use std::{collections::HashSet, convert::Infallible, sync::Arc, time::Duration};

use async_trait::async_trait;
use firmquote_domain::{Clock, Symbol, Timestamp};
use firmquote_outbound::{Endpoint, InvalidEndpoint};
use futures_util::{SinkExt as _, StreamExt as _};
use tokio::{
    task::consume_budget,
    time::{Instant, timeout_at},
};
use tokio_tungstenite::{
    Connector,
    tungstenite::{Message, http::Uri},
};

use super::{
    ExchangeConfig,
    ticker::Ticker,
    venue::{Event, Refusal, RefusalSubject, Venue},
};
use crate::{
    InvalidConfig, PriceListener, PriceSource, PriceSourceSettings, SourceError,
    sources::{
        connection::{IdleTimeout, open_within, run_for_lifetime},
        excerpt,
        feed_timers::FeedTimers,
        web_socket::{self, Socket, connect},
    },
};

/// The maximum size of a message, in bytes: a ticker has some hundreds.
const MAX_MESSAGE_BYTES: usize = 1 << 20;

/// The time between two pings; exchanges limit the messages per second.
const PING_INTERVAL: Duration = Duration::from_secs(1);

/// The time since the last answered ping up to which a message counts as sent when it is received, in microseconds.
const MAX_DELAY_US: u64 = 2_000_000;

const INVALID_SCHEME: &str = "has to start with wss:// and a host";
const NOT_HOST_ONLY: &str = "cannot have credentials, a path or a query";

/// A source of the mid price between best bid and best ask as they change, with half of their distance as its
/// confidence.
///
/// One [`run`](PriceSource::run) is one connection. It ends by itself, with [`SourceError::Disconnected`], when no
/// ticker arrived within the idle timeout, and when the connection has reached its lifetime: the next run opens a new
/// one before the exchange ends the old. A product that the exchange refuses, that is silent for the idle timeout, or
/// whose messages are invalid affects no other: it is reported, and subscribed to again while it is silent. Prices carry
/// the exchange's time if it sends one, even if it is in the future; otherwise the time of receipt, or that of the last
/// answered ping while pings are unanswered.
pub struct ExchangeSource {
    name: String,
    address: Uri,
    connector: Connector,
    config: ExchangeConfig,
    /// Each product once.
    products: Vec<String>,
    clock: Arc<dyn Clock>,
}

impl ExchangeSource {
    /// Creates a source for `config` without connecting. `clock` provides the time of prices that carry none.
    ///
    /// # Errors
    /// [`InvalidConfig`] for an unusable configuration, and for `wss` without a certificate authority to trust.
    pub fn new(config: ExchangeConfig, clock: Arc<dyn Clock>) -> Result<Self, InvalidConfig> {
        config.check()?;
        let products = products(&config);
        let address = address(&config, &products)?;
        let connector = web_socket::connector(address.scheme_str() == Some("wss"), config.authorities.as_deref())
            .map_err(|error| InvalidConfig(format!("no TLS: {error}")))?;
        let name = format!("{} {}", config.exchange, address.host().unwrap_or_default());
        Ok(Self { name, address, connector, config, products, clock })
    }

    fn venue(&self) -> &'static dyn Venue {
        self.config.exchange.venue()
    }

    async fn subscribe(&self) -> Result<Socket, SourceError> {
        let mut socket = connect(&self.address, self.connector.clone(), MAX_MESSAGE_BYTES).await?;
        send(&mut socket, self.venue().subscriptions(&self.products)).await?;
        Ok(socket)
    }

    async fn follow(&self, listener: &dyn PriceListener) -> Result<Infallible, SourceError> {
        let mut liveness = Liveness { ping_at: Instant::now() + PING_INTERVAL, confirmed_at: self.clock.now() };
        let mut socket = open_within(self.config.connect_timeout, self.subscribe()).await?;
        let mut idle = IdleTimeout::start(self.config.idle_timeout, "no ticker within the idle timeout");
        let mut timers = FeedTimers::start(self.config.idle_timeout, self.products.len());
        let mut refused = HashSet::new();
        loop {
            // Yields, so that the lifetime ends even if the server is never silent.
            consume_budget().await;
            idle.check()?;
            if liveness.ping_at <= Instant::now() {
                let ping = liveness.ping(self.clock.now());
                let ping = self.venue().text_ping().map_or(ping, Message::text);
                idle.limit(socket.send(ping)).await?.map_err(web_socket::source_error)?;
            }
            let deadline = idle.expires_at.min(liveness.ping_at);
            let Ok(message) = timeout_at(deadline, socket.next()).await else { continue };
            let message = message.ok_or_else(|| SourceError::disconnected("the connection ended"))?;
            match self.read(message.map_err(web_socket::source_error)?, &mut liveness) {
                Ok(Event::Tickers(tickers)) => {
                    for position in tickers.iter().filter_map(|ticker| self.publish(ticker, listener)) {
                        idle.restart();
                        timers.restart(position);
                        refused.remove(&position);
                        idle.limit(self.renew_silent(&mut timers, &mut socket, listener)).await??;
                    }
                }
                Ok(Event::Refusal(refusal)) => self.refuse(refusal, &mut refused, listener)?,
                Ok(Event::Other) => {}
                Err(error @ SourceError::Protocol { .. }) => listener.report(None, &error.to_string()),
                Err(error) => return Err(error),
            }
        }
    }

    /// Returns the event in a message. Pings are answered by the WebSocket library.
    fn read(&self, message: Message, liveness: &mut Liveness) -> Result<Event, SourceError> {
        let now = self.clock.now();
        match message {
            Message::Text(text) => self.venue().read(&text, liveness.time_at(now)),
            Message::Close(why) => {
                let why = why.map(|why| format!(": {} {}", why.code, excerpt(&why.reason))).unwrap_or_default();
                Err(SourceError::disconnected(format!("the server closed the connection{why}")))
            }
            Message::Binary(_) => Err(SourceError::protocol("a binary message")),
            Message::Pong(payload) => {
                liveness.receive(&payload, now);
                Ok(Event::Other)
            }
            Message::Ping(_) | Message::Frame(_) => Ok(Event::Other),
        }
    }

    /// Publishes the price of `ticker`, and returns the position of its product, if that is configured.
    fn publish(&self, ticker: &Ticker, listener: &dyn PriceListener) -> Option<usize> {
        let is_priced = |product: &String| product.eq_ignore_ascii_case(&ticker.product);
        let position = self.products.iter().position(is_priced)?;
        let priced = self.config.products.iter().filter(|(product, _)| is_priced(product));
        let updates: Vec<_> = priced.map(|(_, symbol)| (symbol, ticker.observation())).collect();
        listener.receive(&updates);
        Some(position)
    }

    /// Requests products anew that are silent while others are not, and reports them.
    async fn renew_silent(
        &self,
        timers: &mut FeedTimers,
        socket: &mut Socket,
        listener: &dyn PriceListener,
    ) -> Result<(), SourceError> {
        let mut silent = Vec::new();
        for (position, silence) in timers.take_silent() {
            let Some(product) = self.products.get(position) else { continue };
            listener.report(Some(product), &format!("no ticker for {} s, requested again", silence.as_secs()));
            silent.push((position, product.as_str()));
        }
        if silent.is_empty() { Ok(()) } else { send(socket, self.venue().renewal(&silent)).await }
    }

    /// Reports the refused product.
    ///
    /// # Errors
    /// [`SourceError::Protocol`] if the refusal is not about one of several products, or every product is refused.
    fn refuse(
        &self,
        refusal: Refusal,
        refused: &mut HashSet<usize>,
        listener: &dyn PriceListener,
    ) -> Result<(), SourceError> {
        let product = refusal.product(&self.products);
        refused.extend(product);
        if let Some(product) = product.and_then(|position| self.products.get(position))
            && refused.len() < self.products.len()
        {
            listener.report(Some(product), &refusal.reason);
            return Ok(());
        }
        if refusal.subject == RefusalSubject::Several {
            // A request for several products: they are requested again while they are silent.
            listener.report(None, &refusal.reason);
            return Ok(());
        }
        Err(SourceError::Protocol { reason: refusal.reason })
    }
}

/// Sends requests.
async fn send(socket: &mut Socket, requests: Vec<String>) -> Result<(), SourceError> {
    for request in requests {
        socket.send(Message::text(request)).await.map_err(web_socket::source_error)?;
    }
    Ok(())
}

/// The bound on the delay of a connection's messages. They arrive in order, so those after the answer to a ping were
/// sent after that ping.
struct Liveness {
    /// The time of the next ping.
    ping_at: Instant,
    /// The time of sending the last answered ping.
    confirmed_at: Timestamp,
}

impl Liveness {
    /// Returns a ping to be sent at `now`, and schedules the next.
    fn ping(&mut self, now: Timestamp) -> Message {
        self.ping_at = Instant::now() + PING_INTERVAL;
        Message::Ping(now.as_micros().to_be_bytes().to_vec().into())
    }

    /// Receives the answer to a ping, which repeats what the ping contained.
    fn receive(&mut self, payload: &[u8], now: Timestamp) {
        if let Ok(sent) = payload.try_into().map(u64::from_be_bytes).map(Timestamp::from_micros) {
            self.confirmed_at = self.confirmed_at.max(sent).min(now);
        }
    }

    /// Returns the time of a message that was received at `now`: that time, unless the message may be much older.
    fn time_at(&self, now: Timestamp) -> Timestamp {
        if now.micros_since(self.confirmed_at) <= MAX_DELAY_US { now } else { self.confirmed_at }
    }
}

impl PriceSourceSettings for ExchangeConfig {
    fn symbols(&self) -> Vec<&Symbol> {
        self.products.iter().map(|(_, symbol)| symbol).collect()
    }

    fn create(&self, clock: &Arc<dyn Clock>) -> Result<Box<dyn PriceSource>, InvalidConfig> {
        Ok(Box::new(ExchangeSource::new(self.clone(), Arc::clone(clock))?))
    }
}

#[async_trait]
impl PriceSource for ExchangeSource {
    fn name(&self) -> &str {
        &self.name
    }

    async fn run(&self, listener: &dyn PriceListener) -> SourceError {
        run_for_lifetime(self.config.lifetime, "the connection", self.follow(listener)).await
    }
}

/// Returns each product once.
fn products(config: &ExchangeConfig) -> Vec<String> {
    let mut products: Vec<_> = config.products.iter().map(|(product, _)| product.clone()).collect();
    products.sort_unstable_by_key(|product| product.to_ascii_uppercase());
    products.dedup_by(|a, b| a.eq_ignore_ascii_case(b));
    products
}

fn address(config: &ExchangeConfig, products: &[String]) -> Result<Uri, InvalidConfig> {
    let invalid = |reason: &str| InvalidConfig(format!("the address of {} {reason}", config.exchange));
    let endpoint = Endpoint::parse(&config.url).map_err(|error| match error {
        InvalidEndpoint::Scheme => invalid(INVALID_SCHEME),
        InvalidEndpoint::Credentials => invalid(NOT_HOST_ONLY),
        error => invalid(&error.to_string()),
    })?;
    if !endpoint.is_web_socket() {
        return Err(invalid(INVALID_SCHEME));
    }
    if endpoint.has_query() || endpoint.path() != "/" {
        return Err(invalid(NOT_HOST_ONLY));
    }
    let base = endpoint.join("").map_err(|error| invalid(&error.to_string()))?.to_string();
    let base = base.trim_end_matches('/');
    let address = config.exchange.venue().address(base, products);
    address.parse().map_err(|_| invalid("is too long with so many products"))
}

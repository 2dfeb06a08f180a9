//! What a source of exchange prices is told: which exchange, which of its products are which assets, how long to wait.

use std::{collections::HashSet, fmt, time::Duration};

use firmquote_domain::Symbol;

/// The longest that any of the times may be; longer ones are a mistake.
const MAX_DURATION: Duration = Duration::from_hours(24 * 30);

/// The exchanges whose language is spoken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exchange {
    /// Binance Spot: the streams `<symbol>@bookTicker`, which tell no time; a price is of when it came.
    Binance,
    /// Coinbase Exchange: the channel `ticker`, which speaks when a trade is made and tells its time.
    Coinbase,
}

impl Exchange {
    /// Where the exchange serves market data to everybody.
    pub const fn public_url(self) -> &'static str {
        match self {
            Self::Binance => "wss://stream.binance.com:9443",
            Self::Coinbase => "wss://ws-feed.exchange.coinbase.com",
        }
    }

    /// Whether a product can have that name.
    fn has_name(self, product: &str) -> bool {
        let is_separator = |byte| self == Self::Coinbase && byte == b'-';
        !product.is_empty() && product.bytes().all(|byte| byte.is_ascii_alphanumeric() || is_separator(byte))
    }
}

impl fmt::Display for Exchange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Binance => "binance",
            Self::Coinbase => "coinbase",
        })
    }
}

/// What a source of exchange prices is told.
#[derive(Clone, Debug)]
pub struct ExchangeConfig {
    /// The exchange.
    pub exchange: Exchange,
    /// Where it is, such as [`Exchange::public_url`]: `wss://host` with a port where there is one, without path and
    /// query. `ws://` is for tests.
    pub url: String,
    /// Certificates of the authorities that may have signed the server's, in PEM; those that this system trusts when
    /// absent.
    pub authorities: Option<Vec<u8>>,
    /// Products of the exchange, by its names, with the assets whose prices they are: `ETHUSDT` of Binance, `ETH-USD`
    /// of Coinbase. Two assets may share a product, one asset cannot have two.
    pub products: Vec<(String, Symbol)>,
    /// How long it may take until the exchange is asked for its tickers: name, connection, TLS and handshake.
    pub connect_timeout: Duration,
    /// How long there may be no ticker of any of the products. Pings and heartbeats do not count.
    pub idle_timeout: Duration,
    /// How long one connection is used. Binance ends every connection after 24 hours; somewhat less chooses the moment.
    pub lifetime: Duration,
}

impl ExchangeConfig {
    /// # Errors
    /// [`InvalidExchangeConfig`] for no products, names that no product has, an asset with two products, and times of zero
    /// or of more than 30 days.
    pub(super) fn check(&self) -> Result<(), InvalidExchangeConfig> {
        if self.products.is_empty() {
            return Err(InvalidExchangeConfig("no products".to_owned()));
        }
        if let Some((name, _)) = self.products.iter().find(|(product, _)| !self.exchange.has_name(product)) {
            return Err(InvalidExchangeConfig(format!("{name:?} is no product of {}", self.exchange)));
        }
        let mut symbols = HashSet::new();
        if let Some((_, twice)) = self.products.iter().find(|(_, symbol)| !symbols.insert(symbol)) {
            return Err(InvalidExchangeConfig(format!("two products for {twice}")));
        }
        let times = [self.connect_timeout, self.idle_timeout, self.lifetime];
        if times.into_iter().any(|time| time.is_zero() || time > MAX_DURATION) {
            return Err(InvalidExchangeConfig("each time has to be more than zero and at most 30 days".to_owned()));
        }
        Ok(())
    }
}

/// What no source can be made of, whatever the exchange does.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct InvalidExchangeConfig(pub(super) String);

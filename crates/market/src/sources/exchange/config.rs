//! The configuration of an exchange source: the exchange, the products of the assets, and the timeouts.

use std::{fmt, time::Duration};

use firmquote_domain::Symbol;

use super::{binance::Binance, coinbase::Coinbase, kraken::Kraken, okx::Okx, venue::Venue};
use crate::{
    InvalidConfig,
    sources::{connection::check_durations, first_duplicate},
};

/// The supported exchanges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exchange {
    /// Binance Spot.
    Binance,
    /// Coinbase Exchange.
    Coinbase,
    /// Kraken.
    Kraken,
    /// OKX.
    Okx,
}

impl Exchange {
    /// All exchanges, in display order.
    pub const ALL: [Self; 4] = [Self::Binance, Self::Coinbase, Self::Kraken, Self::Okx];

    /// Returns the name, as configured.
    pub fn name(self) -> &'static str {
        self.venue().name()
    }

    /// Returns the address at which the exchange publishes market data.
    pub fn public_url(self) -> &'static str {
        self.venue().public_url()
    }

    /// Returns the protocol of the exchange.
    pub(super) const fn venue(self) -> &'static dyn Venue {
        match self {
            Self::Binance => &Binance,
            Self::Coinbase => &Coinbase,
            Self::Kraken => &Kraken,
            Self::Okx => &Okx,
        }
    }

    /// Whether `product` has the form of the exchange's names of spot products: those of derivatives are longer.
    fn is_valid_product(self, product: &str) -> bool {
        let is_currency = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
        match self.venue().separator() {
            Some(separator) => {
                product.split_once(separator).is_some_and(|(one, other)| is_currency(one) && is_currency(other))
            }
            None => is_currency(product),
        }
    }

    /// Describes the names of products.
    fn allowed_products(self) -> String {
        match self.venue().separator() {
            Some(separator) => format!("two currencies of letters and digits, with {separator} between them"),
            None => "letters and digits".to_owned(),
        }
    }
}

impl fmt::Display for Exchange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The configuration of an [`ExchangeSource`](super::ExchangeSource).
#[derive(Clone, Debug)]
pub struct ExchangeConfig {
    /// The exchange.
    pub exchange: Exchange,
    /// The address of the exchange, such as [`Exchange::public_url`]: `wss://host` with an optional port, without path
    /// and query. `ws://` is for tests.
    pub url: String,
    /// The certificate authorities to trust, in PEM; those of the system if absent.
    pub authorities: Option<Vec<u8>>,
    /// The exchange's names of products, with the assets that they price: `ETHUSDT` at Binance, `ETH-USD` at Coinbase,
    /// `ETH/USD` at Kraken, `ETH-USDT` at OKX. Two assets may share a product; one asset cannot have two.
    pub products: Vec<(String, Symbol)>,
    /// The time limit until the tickers are requested: name resolution, connection, TLS and handshake.
    pub connect_timeout: Duration,
    /// The maximum time without a ticker of any of the products. Pings and heartbeats do not count.
    pub idle_timeout: Duration,
    /// How long one connection is used. Binance ends every connection after 24 hours; with a shorter lifetime the
    /// client chooses the moment.
    pub lifetime: Duration,
}

impl ExchangeConfig {
    /// # Errors
    /// [`InvalidConfig`] for no products, invalid product names, an asset with two products, and times of zero
    /// or of more than 30 days.
    pub(super) fn check(&self) -> Result<(), InvalidConfig> {
        if self.products.is_empty() {
            return Err(InvalidConfig("no products".to_owned()));
        }
        if let Some((name, _)) = self.products.iter().find(|(product, _)| !self.exchange.is_valid_product(product)) {
            let (exchange, allowed) = (self.exchange, self.exchange.allowed_products());
            return Err(InvalidConfig(format!("{name:?} is not a product of {exchange}, allowed: {allowed}")));
        }
        if let Some(symbol) = first_duplicate(self.products.iter().map(|(_, symbol)| symbol)) {
            return Err(InvalidConfig(format!("two products for {symbol}")));
        }
        check_durations([self.connect_timeout, self.idle_timeout, self.lifetime]).map_err(InvalidConfig)
    }
}

//! A configured source of prices and the assets it names.

use firmquote_domain::{ChainId, Symbol};
use firmquote_market::{chainlink::ChainlinkConfig, exchange::ExchangeConfig, pyth::PythConfig};

/// A `[[price_source]]`.
pub enum PriceSourceConfig {
    /// `kind = "pyth"`.
    Pyth(PythConfig),
    /// `kind` is the name of an exchange.
    Exchange(ExchangeConfig),
    /// `kind = "chainlink"`, on this chain.
    Chainlink(ChainId, ChainlinkConfig),
    /// `kind = "static"`: `price_usd` of these assets.
    Static(Vec<Symbol>),
    /// `kind = "push"`.
    Push(Vec<Symbol>),
    /// `kind = "host"`: the source of this name that the program provides in which the service is embedded.
    Host(String, Vec<Symbol>),
}

impl PriceSourceConfig {
    /// Whether the source is static: its prices are the configured ones and never move.
    pub const fn is_static(&self) -> bool {
        matches!(self, Self::Static(_))
    }

    /// Whether the source accepts pushed prices.
    pub const fn is_push(&self) -> bool {
        matches!(self, Self::Push(_))
    }

    /// Returns the name of the source that the embedding program provides; `None` for another kind.
    pub fn host_name(&self) -> Option<&str> {
        if let Self::Host(name, _) = self { Some(name) } else { None }
    }

    /// Returns the assets of the source.
    pub fn symbols(&self) -> impl Iterator<Item = &Symbol> {
        let symbols: Vec<&Symbol> = match self {
            Self::Pyth(feed) => feed.feeds.iter().map(|(_, symbol)| symbol).collect(),
            Self::Exchange(feed) => feed.products.iter().map(|(_, symbol)| symbol).collect(),
            Self::Push(symbols) | Self::Static(symbols) | Self::Host(_, symbols) => symbols.iter().collect(),
            Self::Chainlink(_, feeds) => feeds.feeds.iter().map(|feed| &feed.symbol).collect(),
        };
        symbols.into_iter()
    }
}

//! A configured `[[price_source]]` and the assets it names.

use firmquote_domain::{ChainId, Symbol};
use firmquote_market::{chainlink::ChainlinkConfig, exchange::ExchangeConfig, pyth::PythConfig};

use crate::document::{
    error::KeyError,
    reader::{Keys, Table},
    values::one_of,
};

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

pub(crate) const KEYS: Keys = Keys::new(&[
    "kind",
    "name",
    "url",
    "api_key_env",
    "ca_file",
    "connect_timeout_ms",
    "idle_timeout_ms",
    "lifetime_seconds",
    "chain_id",
    "asset",
]);
/// Reads the `asset` tables: the source's id of each asset, read by `id`, with its symbol.
pub(super) fn assets<T>(
    table: &Table<'_>,
    keys: &Keys,
    pool_symbols: &[Symbol],
    id: impl Fn(&Table<'_>) -> Result<T, KeyError>,
) -> Result<Vec<(T, Symbol)>, KeyError> {
    let field = table.field("asset");
    let none = field.not_allowed("one [[price_source.asset]] or more");
    let mut found: Vec<(T, Symbol)> = Vec::new();
    for table in field.tables(keys)? {
        let (symbol, field) = (table.field("symbol").value(Symbol::new)?, table.field("symbol"));
        if !pool_symbols.contains(&symbol) {
            return Err(field.not_allowed(one_of("the symbol of a [[pool.asset]]", pool_symbols.iter())));
        }
        if found.iter().any(|(_, other)| *other == symbol) {
            return Err(field.not_allowed("a symbol that no other asset of this source has"));
        }
        found.push((id(&table)?, symbol));
    }
    if found.is_empty() { Err(none) } else { Ok(found) }
}

//! A configured source of prices: its kind, and the assets it names.

use firmquote_domain::{ChainId, Symbol};
use firmquote_market::{ChainlinkConfig, PriceSourceSettings};

use crate::document::{deserializer::Tables, error::KeyError, field::Field, values::text::one_of};

/// A `[[price_source]]`.
pub enum PriceSourceConfig {
    /// A source that needs nothing else of the configuration.
    Independent(Box<dyn PriceSourceSettings>),
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
            Self::Independent(settings) => settings.symbols(),
            Self::Push(symbols) | Self::Static(symbols) | Self::Host(_, symbols) => symbols.iter().collect(),
            Self::Chainlink(_, feeds) => feeds.feeds.iter().map(|feed| &feed.symbol).collect(),
        };
        symbols.into_iter()
    }
}

/// Returns the assets of the source at `field`: the source's id of each, taken from its table by `split`, with its
/// symbol.
///
/// # Errors
/// [`KeyError`] when there is none, for an asset of no pool, and for a duplicate.
pub(super) fn assets<T, I>(
    Tables(tables): Tables<T>,
    field: &Field<'_>,
    pool_symbols: &[Symbol],
    split: impl Fn(T) -> (I, Symbol),
) -> Result<Vec<(I, Symbol)>, KeyError> {
    let field = field.key("asset");
    let mut assets: Vec<(I, Symbol)> = Vec::new();
    for (table, entry) in tables.into_iter().zip(field.entries()) {
        let (id, symbol) = split(table);
        let refused = |allowed: String| Err(entry.key("symbol").not_allowed(allowed));
        if !pool_symbols.contains(&symbol) {
            return refused(one_of("the symbol of a [[pool.asset]]", pool_symbols.iter()));
        }
        if assets.iter().any(|(_, other)| *other == symbol) {
            return refused("a symbol that no other asset of this source has".to_owned());
        }
        assets.push((id, symbol));
    }
    if assets.is_empty() { Err(field.not_allowed("one [[price_source.asset]] or more")) } else { Ok(assets) }
}

//! `[[price_source]]`: the kinds of sources. Each kind has its own keys.

use firmquote_domain::Symbol;
use firmquote_market::exchange::Exchange;
use serde::Deserialize;

use super::{chainlink, source_config::PriceSourceConfig, streams};
use crate::{
    ChainConfig,
    document::{
        deserializer::Tables,
        error::{KeyError, Problem},
        field::Field,
        values::text::{FromText, Label, Text, one_of, word},
    },
};

/// The kind of a source.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Pyth,
    Chainlink,
    Exchange(Exchange),
    Push,
    Static,
    Host,
}

impl FromText for Kind {
    fn from_text(text: &str) -> Result<Self, String> {
        let exchanges = Exchange::ALL.map(|exchange| (exchange.name(), Self::Exchange(exchange)));
        let kinds = [
            &[("pyth", Self::Pyth), ("chainlink", Self::Chainlink)],
            exchanges.as_slice(),
            &[("push", Self::Push), ("static", Self::Static), ("host", Self::Host)],
        ];
        word(&kinds.concat(), text)
    }
}

/// A source that is not queried: the configured `price_usd`, or prices that are pushed.
#[derive(Deserialize)]
struct UnqueriedTable {
    #[serde(rename = "kind")]
    _kind: Text<Kind>,
    asset: Tables<SymbolTable>,
}

/// A source of the program in which the service is embedded.
#[derive(Deserialize)]
struct HostTable {
    #[serde(rename = "kind")]
    _kind: Text<Kind>,
    /// The name under which the program provides it.
    name: Label<64>,
    asset: Tables<SymbolTable>,
}

#[derive(Deserialize)]
struct SymbolTable {
    symbol: Text<Symbol>,
}

/// Reads the table at `field`.
///
/// # Errors
/// [`KeyError`] for the first invalid key, or one of another kind of source.
pub(super) fn read(
    field: &Field<'_>,
    chains: &[ChainConfig],
    pool_symbols: &[Symbol],
) -> Result<PriceSourceConfig, KeyError> {
    let kind: Text<Kind> = field.key("kind").read()?;
    read_kind(kind.0, field, chains, pool_symbols).map_err(|mut error| {
        if let Problem::UnknownKey { kind, .. } = &mut error.problem {
            *kind = field.key("kind").text().map(str::to_owned);
        }
        error
    })
}

fn read_kind(
    kind: Kind,
    field: &Field<'_>,
    chains: &[ChainConfig],
    pool_symbols: &[Symbol],
) -> Result<PriceSourceConfig, KeyError> {
    let symbols = |assets| {
        let found = self::assets(assets, field, pool_symbols, |asset: SymbolTable| ((), asset.symbol.0))?;
        Ok::<_, KeyError>(found.into_iter().map(|((), symbol)| symbol).collect())
    };
    match kind {
        Kind::Pyth => streams::pyth(field, pool_symbols),
        Kind::Exchange(exchange) => streams::exchange(exchange, field, pool_symbols),
        Kind::Chainlink => chainlink::read(field, chains, pool_symbols),
        Kind::Push => Ok(PriceSourceConfig::Push(symbols(field.read::<UnqueriedTable>()?.asset)?)),
        Kind::Static => Ok(PriceSourceConfig::Static(symbols(field.read::<UnqueriedTable>()?.asset)?)),
        Kind::Host => {
            let table: HostTable = field.read()?;
            Ok(PriceSourceConfig::Host(table.name.0, symbols(table.asset)?))
        }
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

//! The kinds of `[[price_source]]`: another one is a row here, its table, and its module in `firmquote-market`.

use firmquote_domain::Symbol;
use firmquote_market::exchange::Exchange;
use serde::Deserialize;

use super::{
    chainlink,
    source_config::{PriceSourceConfig, assets},
    streams,
};
use crate::{
    ChainConfig,
    document::{
        deserializer::Tables,
        error::{KeyError, Problem},
        field::Field,
        values::text::{FromText, Label, Text, word},
    },
};

/// The kind of a source; each has its own keys.
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
    let symbols = |tables| {
        let found = assets(tables, field, pool_symbols, |asset: SymbolTable| ((), asset.symbol.0))?;
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

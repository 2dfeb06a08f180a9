//! `[[price_source]]`: another kind is a row here and in `kind.rs`, its table, and its module in `firmquote-market`.

use firmquote_domain::Symbol;
use serde::Deserialize;

use super::{
    chainlink,
    kind::Kind,
    source_config::{PriceSourceConfig, assets},
    streams,
};
use crate::{
    ChainConfig,
    document::{
        deserializer::Tables,
        error::{KeyError, Problem},
        field::Field,
        values::text::{Label, Text},
    },
};

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

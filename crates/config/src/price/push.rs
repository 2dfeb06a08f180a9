//! `[[price_source]]` with `kind = "push"`: the operator's own backend pushes the prices.

use firmquote_domain::Symbol;

use super::{SOURCE_KEYS, source_config::assets};
use crate::document::{
    error::KeyError,
    reader::{Keys, Table, refuse_present},
};

const ASSET_KEYS: Keys = Keys::new(&["symbol"]);

/// Reads a table: one `asset` or more, each with nothing but the `symbol` of a pool's asset, under which its price is
/// pushed.
///
/// # Errors
/// [`KeyError`] for the first invalid key, or one of another kind of source.
pub(super) fn read(table: &Table<'_>, pool_symbols: &[Symbol]) -> Result<Vec<Symbol>, KeyError> {
    symbols(table, "push", &["kind", "asset"], pool_symbols)
}

/// Reads the assets of a source of this kind, which is not queried and has no keys but `own_keys`.
///
/// # Errors
/// [`KeyError`] for the first invalid key, or one of another kind of source.
pub(super) fn symbols(
    table: &Table<'_>,
    kind: &str,
    own_keys: &[&str],
    pool_symbols: &[Symbol],
) -> Result<Vec<Symbol>, KeyError> {
    let others = SOURCE_KEYS.names.iter().filter(|key| !own_keys.contains(key));
    let allowed = format!("only with another kind than {kind:?}");
    refuse_present(others.map(|key| table.field(key).secret()), &allowed)?;
    let found = assets(table, &ASSET_KEYS, pool_symbols, |_| Ok(()))?;
    Ok(found.into_iter().map(|((), symbol)| symbol).collect())
}

//! `[[price_source]]` with `kind = "push"`: the operator's own backend pushes the prices.

use firmquote_domain::Symbol;

use super::{SOURCE_KEYS, source_config::assets};
use crate::document::{
    error::KeyError,
    reader::{Keys, Table, refuse_present},
};

/// The allowed keys; all others are for sources that are queried.
const OWN_KEYS: [&str; 2] = ["kind", "asset"];
const ASSET_KEYS: Keys = Keys::new(&["symbol"]);

/// Reads a table: one `asset` or more, each with nothing but the `symbol` of a pool's asset, under which its price is
/// pushed.
///
/// # Errors
/// [`KeyError`] for the first invalid key, or one of another kind of source.
pub(super) fn read(table: &Table<'_>, pool_symbols: &[Symbol]) -> Result<Vec<Symbol>, KeyError> {
    let others = SOURCE_KEYS.names.iter().filter(|key| !OWN_KEYS.contains(key));
    refuse_present(others.map(|key| table.field(key).secret()), "only with another kind than \"push\"")?;
    let found = assets(table, &ASSET_KEYS, pool_symbols, |_| Ok(()))?;
    Ok(found.into_iter().map(|((), symbol)| symbol).collect())
}

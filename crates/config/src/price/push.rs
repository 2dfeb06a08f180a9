//! `[[price_source]]` with `kind = "push"`: the operator's own backend sends the prices, so nobody is asked.

use firmquote_domain::Symbol;

use super::{PriceSourceConfig, PricesConfig, SOURCE_KEYS, source::assets};
use crate::{
    document::{
        error::Mistake,
        reader::{Keys, Table},
    },
    server,
    store::StoreConfig,
};

/// What the table has; all other keys are for sources that are asked.
const OWN_KEYS: [&str; 2] = ["kind", "asset"];
const ASSET_KEYS: Keys = Keys::new(&["symbol"]);

/// Reads a table: one `asset` or more, each with nothing but the `symbol` of a pool's asset, by which its price is sent.
///
/// # Errors
/// [`Mistake`] for the first key that is wrong, or of another kind of source.
pub(super) fn read(table: &Table<'_>, listed: &[Symbol]) -> Result<Vec<Symbol>, Mistake> {
    for key in SOURCE_KEYS.now.iter().filter(|key| !OWN_KEYS.contains(key)) {
        let field = table.field(key).secret();
        if field.is_there() {
            return Err(field.not_allowed("only with another kind than \"push\""));
        }
    }
    let found = assets(table, &ASSET_KEYS, listed, |_| Ok(()))?;
    Ok(found.into_iter().map(|((), symbol)| symbol).collect())
}

/// Checks that there is one source of this kind at most, and a way for prices to come to it: requests with the admin
/// token, or Redis. `tables` are those of the sources of `prices`, `root` is the whole file.
///
/// # Errors
/// [`Mistake`] where there is another, or no way.
pub(crate) fn check(
    tables: &[Table<'_>],
    prices: &PricesConfig,
    root: &Table<'_>,
    has_token: bool,
    store: &StoreConfig,
) -> Result<(), Mistake> {
    let pushed = |(_, source): &(&Table<'_>, &PriceSourceConfig)| matches!(source, PriceSourceConfig::Push(_));
    let mut pushed = tables.iter().zip(&prices.sources).filter(pushed);
    if pushed.next().is_none() {
        return Ok(());
    }
    if let Some((table, _)) = pushed.next() {
        return Err(table
            .field("kind")
            .not_allowed("another kind: one source of kind \"push\" tells all that is sent"));
    }
    if has_token || matches!(store, StoreConfig::Redis(_)) {
        return Ok(());
    }
    let token = root.field("server").table(&server::KEYS)?.field("admin_token_sha256");
    Err(token.not_allowed(
        "the SHA-256 of an admin token, as `firmquote credential new-admin-token` makes it: nobody else can send prices to \
         a [[price_source]] of kind \"push\" with a store in memory",
    ))
}

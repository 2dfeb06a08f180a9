//! `[[price_source]]` with `kind = "host"`: a source of the program in which the service is embedded.

use firmquote_domain::Symbol;

use super::{PriceSourceConfig, push};
use crate::document::{error::KeyError, reader::Table};

/// Reads a table: the `name` under which the program provides the source, and one `asset` or more, each with nothing but
/// the `symbol` of a pool's asset.
///
/// # Errors
/// [`KeyError`] for the first invalid key, or one of another kind of source.
pub(super) fn read(table: &Table<'_>, pool_symbols: &[Symbol]) -> Result<PriceSourceConfig, KeyError> {
    let symbols = push::symbols(table, "host", &["kind", "name", "asset"], pool_symbols)?;
    Ok(PriceSourceConfig::Host(table.field("name").label(64)?, symbols))
}

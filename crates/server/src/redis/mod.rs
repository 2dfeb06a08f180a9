//! What of the service is about a store in Redis: its connection, its ledger, pushed prices, and what `check` says of it.

mod inspection;
mod ledger;
mod ledger_archive;
mod prices;

use firmquote_store::redis::RedisConfig;

use crate::{Error, error::Context as _};
pub(crate) use firmquote_store::redis::RedisStore;
pub(crate) use inspection::{inspect, is_book_per_master};
pub(crate) use ledger::{fold_ledger, ledger_begins_at};
pub(crate) use ledger_archive::follow_archive;
pub(crate) use prices::SharedPrices;

/// Opens the Redis store.
///
/// # Errors
/// For certificates that cannot be used.
pub(crate) async fn connect(config: &RedisConfig) -> Result<RedisStore, Error> {
    RedisStore::connect(config).await.context("store: cannot be used as configured")
}

//! What takes the place of a store in Redis in a build without it, which refuses configurations that have one.

use std::{future::Ready, ops::Range, sync::Arc};

use firmquote_config::Config;
use firmquote_domain::{Clock, PoolSpec, Symbol, Timestamp};
use firmquote_market::{PriceSource, push::PricePublisher};
use prometheus::Registry;

use crate::Error;

/// There is none.
pub(crate) enum RedisStore {}

/// There are none.
pub(crate) enum SharedPrices {}

pub(crate) async fn ledger_begins_at(store: &RedisStore) -> Result<Option<Timestamp>, String> {
    match *store {}
}

pub(crate) async fn fold_ledger<T>(
    store: &RedisStore,
    _: &Range<Timestamp>,
    _: T,
    _: impl Fn(&mut T, &[u8]),
) -> Result<T, String> {
    match *store {}
}

pub(crate) fn follow_archive(store: Arc<RedisStore>, _: Arc<dyn Clock>, _: &Registry) -> prometheus::Result<Ready<()>> {
    match *store {}
}

/// Warns of nothing.
pub(crate) async fn inspect(_: &Config, _: &dyn Clock) -> Result<Vec<String>, Error> {
    Ok(Vec::new())
}

pub(crate) const fn is_book_per_master(_: &Config, _: &PoolSpec) -> bool {
    false
}

impl SharedPrices {
    /// Returns `None`.
    pub(crate) async fn connect(_: &Config) -> Result<Option<Arc<Self>>, Error> {
        Ok(None)
    }

    pub(crate) fn publisher(&self) -> Arc<dyn PricePublisher> {
        match *self {}
    }

    pub(crate) fn source(&self, _: &[Symbol]) -> Box<dyn PriceSource> {
        match *self {}
    }
}

//! The pairs of the pools as metrics name them.

use std::{collections::HashMap, sync::Arc};

use arc_swap::ArcSwap;
use firmquote_config::Config;
use firmquote_domain::{Pair, PoolId, Volatility};

/// The pairs of each pool, in its order, with the volatility that is configured: those of the configuration in force.
pub(crate) struct ShownPairs(pub(super) ArcSwap<HashMap<PoolId, Vec<(String, Volatility)>>>);

impl ShownPairs {
    /// The pairs of `config`.
    pub(crate) fn of(config: &Config) -> Self {
        Self(ArcSwap::from_pointee(named(config)))
    }

    /// Those of `config` from now on.
    pub(crate) fn replace(&self, config: &Config) {
        self.0.store(Arc::new(named(config)));
    }
}

fn named(config: &Config) -> HashMap<PoolId, Vec<(String, Volatility)>> {
    let pools = config.pools.iter().map(|pool| {
        let pairs = pool.pool.spec().pairs.iter();
        let name = |pair: &Pair| pair.assets.each_ref().map(|symbol| symbol.as_str()).join("/");
        (pool.id(), pairs.map(|pair| (name(pair), pair.fee.annual_volatility)).collect())
    });
    pools.collect()
}

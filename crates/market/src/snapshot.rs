//! What is known of the pools at one instant.

use std::{collections::HashMap, sync::Arc};

use firmquote_domain::{Amount, PoolId, Price, U256};

/// Price and reserve of one asset in one pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AssetState {
    /// Price of one whole token.
    pub price: Price,
    /// Base units in the pool's books.
    pub reserve: Amount,
}

/// Prices and reserves of one pool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PoolState {
    /// One entry for each asset of the pool, in the pool's order.
    pub assets: Vec<AssetState>,
    /// Pool tokens in circulation, in their base units.
    pub pool_tokens: U256,
}

/// What is known of all pools at one instant. Never changed: a new one takes its place.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    pools: HashMap<PoolId, Arc<PoolState>>,
}

impl Snapshot {
    /// The state of `pool`, or `None` if nothing is known of it.
    pub fn pool(&self, pool: PoolId) -> Option<&Arc<PoolState>> {
        self.pools.get(&pool)
    }

    /// The same snapshot with another state for `pool`.
    #[must_use]
    pub fn with(mut self, pool: PoolId, state: PoolState) -> Self {
        self.pools.insert(pool, Arc::new(state));
        self
    }
}

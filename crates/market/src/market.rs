//! The market: an immutable snapshot of prices and reserves with the time each is trusted for, and the place where
//! quotes find the newest.

use std::{collections::HashMap, sync::Arc};

use arc_swap::{ArcSwap, Guard};
use firmquote_domain::{Amount, PoolId, Price, Timestamp, U256};

use crate::{EstimatedVolatility, Rejection, Trusted};

/// Holds the newest snapshot. Reading takes no lock and never waits for a writer.
#[derive(Debug, Default)]
pub struct Market(ArcSwap<Snapshot>);

impl Market {
    /// A market that starts with `snapshot`.
    pub fn new(snapshot: Snapshot) -> Self {
        Self(ArcSwap::from_pointee(snapshot))
    }

    /// The newest snapshot. It stays as it is while it is held; hold it for one request at most.
    pub fn snapshot(&self) -> Guard<Arc<Snapshot>> {
        self.0.load()
    }

    /// Puts `snapshot` in place of the present one; requests under way keep what they read.
    pub fn replace(&self, snapshot: Snapshot) {
        self.0.store(Arc::new(snapshot));
    }
}

/// Price and reserve of one asset in one pool, each trusted for a time, or the reason why it is not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssetState {
    /// Price of one whole token.
    pub price: Result<Trusted<Price>, Rejection>,
    /// Base units in the pool's books.
    pub reserve: Result<Trusted<Amount>, Rejection>,
}

impl AssetState {
    /// Price and reserve, if both are trusted at `now`.
    ///
    /// # Errors
    /// Why one of them is not, the price first.
    pub fn at(&self, now: Timestamp) -> Result<(Price, Amount), Rejection> {
        Ok((self.price_at(now)?, self.reserve_at(now)?))
    }

    /// The price, if it is trusted at `now`.
    ///
    /// # Errors
    /// Why it is not.
    pub fn price_at(&self, now: Timestamp) -> Result<Price, Rejection> {
        self.price.as_ref().map_err(Clone::clone)?.at(now)
    }

    /// The reserve, if it is trusted at `now`.
    ///
    /// # Errors
    /// Why it is not.
    pub fn reserve_at(&self, now: Timestamp) -> Result<Amount, Rejection> {
        self.reserve.as_ref().map_err(Clone::clone)?.at(now).map_err(of_reserves)
    }
}

/// The same about reserves, for which there are words of their own.
fn of_reserves(rejection: Rejection) -> Rejection {
    match rejection {
        Rejection::Old { age_ms, most_ms } => Rejection::OldReserves { age_ms, most_ms },
        other => other,
    }
}

/// Prices and reserves of one pool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PoolState {
    /// One entry for each asset of the pool, in the pool's order.
    pub assets: Vec<AssetState>,
    /// Pool tokens in circulation, in their base units.
    pub pool_tokens: U256,
    /// One entry for each pair of the pool, in the pool's order: the volatility that is estimated at present, or `None`
    /// where the configured one holds. May be shorter than the pool's list; the rest is `None`.
    pub volatilities: Vec<Option<EstimatedVolatility>>,
}

impl PoolState {
    /// Prices and reserves that are trusted for ever, as those of a configuration file are, in the pool's order.
    pub fn fixed(assets: impl IntoIterator<Item = (Price, Amount)>, pool_tokens: U256) -> Self {
        let fixed = |(price, reserve)| AssetState {
            price: Ok(Trusted::for_ever(price)),
            reserve: Ok(Trusted::for_ever(reserve)),
        };
        Self { assets: assets.into_iter().map(fixed).collect(), pool_tokens, volatilities: Vec::new() }
    }
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

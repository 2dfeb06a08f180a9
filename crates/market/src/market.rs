//! The market: an immutable snapshot of prices and reserves, each with the period for which it is trusted, and the
//! holder of the newest snapshot.

use std::{collections::HashMap, sync::Arc};

use arc_swap::{ArcSwap, Guard};
use firmquote_domain::{Amount, B256, BasisPoints, PoolId, Price, Timestamp, U256};

use crate::{EstimatedVolatility, Rejection, Trusted};

/// The holder of the newest snapshot. Reading takes no lock and never waits for a writer.
#[derive(Debug, Default)]
pub struct Market(ArcSwap<Snapshot>);

impl Market {
    /// Creates a market that starts with `snapshot`.
    pub fn new(snapshot: Snapshot) -> Self {
        Self(ArcSwap::from_pointee(snapshot))
    }

    /// Returns the newest snapshot. It does not change while it is held; hold it for at most one request.
    pub fn snapshot(&self) -> Guard<Arc<Snapshot>> {
        self.0.load()
    }

    /// Replaces the current snapshot; requests in progress keep the one they loaded.
    pub fn replace(&self, snapshot: Snapshot) {
        self.0.store(Arc::new(snapshot));
    }
}

/// Price and reserve of one asset in one pool, each trusted for a limited time, or the reason why it is not trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssetState {
    /// Price of one whole token.
    pub price: Result<Trusted<Price>, Rejection>,
    /// Base units in the pool's books.
    pub reserve: Result<Trusted<Amount>, Rejection>,
}

impl AssetState {
    /// Returns price and reserve, if both are trusted at `now`.
    ///
    /// # Errors
    /// The [`Rejection`] of the price, otherwise that of the reserve.
    pub fn at(&self, now: Timestamp) -> Result<(Price, Amount), Rejection> {
        Ok((self.price_at(now)?, self.reserve_at(now)?))
    }

    /// Returns the price, if it is trusted at `now`.
    ///
    /// # Errors
    /// The [`Rejection`] of the price.
    pub fn price_at(&self, now: Timestamp) -> Result<Price, Rejection> {
        self.price.as_ref().map_err(Clone::clone)?.at(now)
    }

    /// Returns the reserve, if it is trusted at `now`.
    ///
    /// # Errors
    /// The [`Rejection`] of the reserve.
    pub fn reserve_at(&self, now: Timestamp) -> Result<Amount, Rejection> {
        self.reserve.as_ref().map_err(Clone::clone)?.at(now).map_err(reserve_rejection)
    }
}

/// Converts a rejection to its variant for reserves, if one exists.
fn reserve_rejection(rejection: Rejection) -> Rejection {
    match rejection {
        Rejection::Old { age_ms, max_age_ms } => Rejection::OldReserves { age_ms, max_age_ms },
        other => other,
    }
}

/// Prices and reserves of one pool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PoolState {
    /// One entry for each asset of the pool, in the pool's order.
    pub assets: Vec<AssetState>,
    /// The block number of the reserves; `None` for reserves that are not read from a chain.
    pub block: Option<u64>,
    /// The hash of this block.
    pub block_hash: Option<B256>,
    /// Pool tokens in circulation, in their base units.
    pub pool_tokens: U256,
    /// One entry for each pair of the pool, in the pool's order: the current volatility estimate, or `None` if the
    /// configured volatility applies. May be shorter than the pool's list; missing entries count as `None`.
    pub volatilities: Vec<Option<EstimatedVolatility>>,
    /// What breakers add to the fee of every pair.
    pub fee_increase: BasisPoints,
}

impl PoolState {
    /// Creates a state whose prices and reserves never expire, as those of a configuration file, in the pool's order.
    pub fn fixed(assets: impl IntoIterator<Item = (Price, Amount)>, pool_tokens: U256) -> Self {
        let fixed = |(price, reserve)| AssetState {
            price: Ok(Trusted::without_expiry(price)),
            reserve: Ok(Trusted::without_expiry(reserve)),
        };
        Self { assets: assets.into_iter().map(fixed).collect(), block: None, pool_tokens, ..Self::default() }
    }
}

/// The state of all pools at one instant. Immutable: every update creates a new snapshot.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    pools: HashMap<PoolId, Arc<PoolState>>,
}

impl Snapshot {
    /// Returns the state of `pool`, or `None` if it is unknown.
    pub fn pool(&self, pool: PoolId) -> Option<&Arc<PoolState>> {
        self.pools.get(&pool)
    }

    /// Returns the snapshot with the state of `pool` replaced.
    #[must_use]
    pub fn with(mut self, pool: PoolId, state: PoolState) -> Self {
        self.pools.insert(pool, Arc::new(state));
        self
    }
}

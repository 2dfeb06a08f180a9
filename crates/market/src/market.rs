//! The market: an immutable snapshot of prices and reserves, each with the period for which it is trusted, and the
//! holder of the newest snapshot.

use std::{collections::BTreeMap, sync::Arc};

use arc_swap::{ArcSwap, Guard};
use firmquote_domain::{Amount, B256, BasisPoints, FeeAdjustment, PoolId, Price, Timestamp, U256};

use crate::{EstimatedVolatility, Rejection, Trusted};

/// Maximum number of adjusted snapshots that are retained; beyond it, the oldest is made again.
const MAX_ADJUSTED_SNAPSHOTS: usize = 64;

/// The holder of the newest snapshot. Reading takes no lock and never waits for a writer.
#[derive(Debug, Default)]
pub struct Market {
    newest: ArcSwap<Snapshot>,
    /// The latest adjusted snapshots, one for each adjustment in use.
    adjusted: ArcSwap<Vec<Arc<AdjustedSnapshot>>>,
}

/// A snapshot for clients whose fees are adjusted.
#[derive(Debug)]
struct AdjustedSnapshot {
    fee_adjustment: FeeAdjustment,
    /// The snapshot that it was made of.
    base: Arc<Snapshot>,
    adjusted: Arc<Snapshot>,
}

impl Market {
    /// Creates a market that starts with `snapshot`.
    pub fn new(snapshot: Snapshot) -> Self {
        Self { newest: ArcSwap::from_pointee(snapshot), adjusted: ArcSwap::default() }
    }

    /// Returns the newest snapshot. It does not change while it is held; hold it for at most one request.
    pub fn snapshot(&self) -> Guard<Arc<Snapshot>> {
        self.newest.load()
    }

    /// Returns the newest snapshot for clients with this adjustment of fees. While a pool stays the same, so does its
    /// state, by address.
    pub fn adjusted_snapshot(&self, fee_adjustment: FeeAdjustment) -> Guard<Arc<Snapshot>> {
        let newest = self.snapshot();
        if fee_adjustment.is_none() {
            return newest;
        }
        let known = self.adjusted.load();
        let previous = known.iter().find(|known| known.fee_adjustment == fee_adjustment);
        if let Some(current) = previous.filter(|previous| Arc::ptr_eq(&previous.base, &newest)) {
            return Guard::from_inner(Arc::clone(&current.adjusted));
        }
        let previous = previous.map(|previous| (&*previous.base, &*previous.adjusted));
        let adjusted = Arc::new(newest.with_fee_adjustment(fee_adjustment, previous));
        let entry = AdjustedSnapshot { fee_adjustment, base: Arc::clone(&newest), adjusted: Arc::clone(&adjusted) };
        let entry = Arc::new(entry);
        // If another thread adds one meanwhile, it is made again by its next request.
        let others = known.iter().filter(|known| known.fee_adjustment != fee_adjustment);
        let entries = [entry].into_iter().chain(others.cloned()).take(MAX_ADJUSTED_SNAPSHOTS);
        self.adjusted.store(Arc::new(entries.collect()));
        Guard::from_inner(adjusted)
    }

    /// Replaces the current snapshot; requests in progress keep the one they loaded.
    pub fn replace(&self, snapshot: Snapshot) {
        self.newest.store(Arc::new(snapshot));
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
    /// How the fee of every pair is adjusted for the client that the state is of; not at all in the market's own
    /// snapshots.
    pub fee_adjustment: FeeAdjustment,
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
    /// Few: comparing ids is faster than hashing one.
    pools: BTreeMap<PoolId, Arc<PoolState>>,
}

impl Snapshot {
    /// Returns the state of `pool`, or `None` if it is unknown.
    pub fn pool(&self, pool: PoolId) -> Option<&Arc<PoolState>> {
        self.pools.get(&pool)
    }

    /// Returns the snapshot with this adjustment of all fees, with the states of an earlier adjusted one for pools that
    /// have not changed since its base.
    fn with_fee_adjustment(&self, fee_adjustment: FeeAdjustment, earlier: Option<(&Self, &Self)>) -> Self {
        let adjusted = |(pool, state): (&PoolId, &Arc<PoolState>)| {
            let unchanged = earlier.and_then(|(base, adjusted)| {
                base.pool(*pool).filter(|base| Arc::ptr_eq(base, state)).and_then(|_| adjusted.pool(*pool))
            });
            let adjusted = || Arc::new(PoolState { fee_adjustment, ..PoolState::clone(state) });
            (*pool, unchanged.map_or_else(adjusted, Arc::clone))
        };
        Self { pools: self.pools.iter().map(adjusted).collect() }
    }

    /// Returns the snapshot with the state of `pool` replaced.
    #[must_use]
    pub fn with(mut self, pool: PoolId, state: PoolState) -> Self {
        self.pools.insert(pool, Arc::new(state));
        self
    }
}

#[cfg(test)]
mod tests {
    use firmquote_domain::{Address, ChainId};

    use super::*;

    #[test]
    fn adjusted_states_stay_the_same_until_their_pool_changes() {
        let pools =
            [1, 2].map(|byte| PoolId { chain_id: ChainId::new(1).unwrap(), address: Address::repeat_byte(byte) });
        let [discount, surcharge] = ["-2", "3"].map(|text| text.parse::<FeeAdjustment>().unwrap());
        let state = |block| PoolState { block: Some(block), ..PoolState::default() };
        let first = pools.iter().fold(Snapshot::default(), |snapshot, pool| snapshot.with(*pool, state(1)));
        let market = Market::new(first.clone());
        let states = |adjustment| {
            let snapshot = market.adjusted_snapshot(adjustment);
            pools.map(|pool| Arc::clone(snapshot.pool(pool).unwrap()))
        };
        let (before, dearer) = (states(discount), states(surcharge));
        assert_eq!([before[0].fee_adjustment, dearer[0].fee_adjustment], [discount, surcharge]);
        assert!(states(FeeAdjustment::default())[0].fee_adjustment.is_none());
        market.replace(first.with(pools[0], state(2)));
        let after = states(discount);
        assert_eq!((after[0].block, after[0].fee_adjustment), (Some(2), discount));
        assert!(Arc::ptr_eq(&before[1], &after[1]), "of the pool that has not changed");
        assert!(Arc::ptr_eq(&states(discount)[0], &after[0]) && Arc::ptr_eq(&states(surcharge)[1], &dearer[1]));
    }
}

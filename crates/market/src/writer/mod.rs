//! The writer of the market: it receives prices and reserves, and publishes the snapshots that quotes read.

mod pool_inputs;
mod tracked_pool;

use std::{collections::BTreeMap, sync::Arc};

use firmquote_domain::{BasisPoints, InvalidValue, PoolId, Symbol, Timestamp};
use parking_lot::Mutex;

use self::tracked_pool::TrackedPool;
use crate::{AssetStatus, CompositePrice, EstimateState, LivePrice, Market, Observation, Rejection, Snapshot, Trusted};
pub use pool_inputs::{PoolInputs, PriceInput, ReserveInput, Reserves};
pub use tracked_pool::PoolStatus;

/// The writer of a [`Market`]. Writers block each other for some microseconds; readers never wait.
#[derive(Debug)]
pub struct MarketWriter(Mutex<State>);

#[derive(Debug)]
struct State {
    market: Arc<Market>,
    composite_prices: Vec<(Symbol, CompositePrice)>,
    pools: Vec<TrackedPool>,
}

/// All live assets and all pools.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarketStatus {
    /// The assets with a [`CompositePrice`], in the order of the writer.
    pub assets: Vec<AssetStatus>,
    /// The pools, in the order of the writer.
    pub pools: Vec<PoolStatus>,
}

impl MarketWriter {
    /// Creates a writer to `market` with these pools, and one of `composite_prices` for each live symbol.
    pub fn new(
        market: Arc<Market>,
        composite_prices: Vec<(Symbol, CompositePrice)>,
        pools: Vec<PoolInputs>,
        now: Timestamp,
    ) -> Self {
        let pools = pools.into_iter().map(|pool| TrackedPool::new(pool, None)).collect();
        let writer = Self(Mutex::new(State { market, composite_prices, pools }));
        writer.refresh(now);
        writer
    }

    /// Replaces the pools, the live prices and the market that is written, all in one step.
    ///
    /// A pool that existed before keeps the reserves that were received and, for each pair with the same price origins
    /// and volatility rule, the estimate. The previous market stays unchanged: readers that hold it together with the
    /// previous pools continue with both.
    pub fn replace(&self, market: Arc<Market>, prices: &[LivePrice], pools: Vec<PoolInputs>, now: Timestamp) {
        let mut state = self.0.lock();
        let replacing = |price: &LivePrice| {
            let previous = state.composite_prices.iter().find(|(symbol, _)| *symbol == price.symbol);
            let previous = previous.map(|(_, composite_price)| composite_price);
            (price.symbol.clone(), CompositePrice::replacing(previous, price, now))
        };
        state.composite_prices = prices.iter().map(replacing).collect();
        let earlier = std::mem::take(&mut state.pools);
        let tracked = |pool: PoolInputs| {
            let earlier = earlier.iter().find(|earlier| earlier.pool.id == pool.id);
            TrackedPool::new(pool, earlier)
        };
        state.pools = pools.into_iter().map(tracked).collect();
        state.market = market;
        state.publish(now, |_| true);
    }

    /// Receives updates, each of the source at a position of an asset, and publishes them together. Unknown symbols and
    /// positions are ignored.
    pub fn receive<'u>(
        &self,
        updates: impl IntoIterator<Item = (&'u Symbol, usize, Result<Observation, InvalidValue>)>,
        now: Timestamp,
    ) {
        let mut state = self.0.lock();
        let mut changed = Vec::new();
        for (symbol, position, update) in updates {
            if let Some(composite_price) = state.composite_price(symbol) {
                composite_price.receive(position, update, now);
                changed.push(symbol);
            }
        }
        if !changed.is_empty() {
            state.publish(now, |pool| changed.iter().any(|symbol| pool.depends_on(symbol)));
        }
    }

    /// Replaces the reserves of a pool; ignored for unknown pools and for those with fixed reserves.
    pub fn set_reserves(&self, pool: PoolId, reserves: Result<Trusted<Reserves>, Rejection>, now: Timestamp) {
        let mut state = self.0.lock();
        let is_target =
            |tracked: &&mut TrackedPool| tracked.pool.id == pool && tracked.pool.reserves == ReserveInput::Live;
        if let Some(existing) = state.pools.iter_mut().find(is_target) {
            existing.reserves = reserves;
            state.publish(now, |existing| existing.id == pool);
        }
    }

    /// Sets what breakers add to the fees of a pool; ignored for unknown pools.
    pub fn set_fee_increase(&self, pool: PoolId, fee_increase: BasisPoints, now: Timestamp) {
        let mut state = self.0.lock();
        let is_target = |tracked: &&mut TrackedPool| tracked.pool.id == pool && tracked.fee_increase != fee_increase;
        if let Some(existing) = state.pools.iter_mut().find(is_target) {
            existing.fee_increase = fee_increase;
            state.publish(now, |existing| existing.id == pool);
        }
    }

    /// Publishes all pools again: another source may have to replace one that went silent.
    pub fn refresh(&self, now: Timestamp) {
        self.0.lock().publish(now, |_| true);
    }

    /// Returns the state of each volatility estimate by its name: two estimates of the same name measure the same rate
    /// with the same parameters, in any process. `None` for an estimate without samples.
    pub fn estimates(&self) -> BTreeMap<String, Option<EstimateState>> {
        let mut state = self.0.lock();
        let named = state.pools.iter_mut().flat_map(TrackedPool::named_estimates);
        named.map(|(name, estimate)| (name, estimate.state().cloned())).collect()
    }

    /// Continues the estimates of other processes, where they
    /// [take precedence](crate::VolatilityEstimate::continue_from), and publishes the pools that this changes. Unknown
    /// names are ignored.
    pub fn continue_estimates(&self, others: &BTreeMap<String, EstimateState>, now: Timestamp) {
        let mut state = self.0.lock();
        let mut changed = Vec::new();
        for tracked in &mut state.pools {
            let mut is_changed = false;
            for (name, estimate) in tracked.named_estimates() {
                is_changed |= others.get(&name).is_some_and(|other| estimate.continue_from(other, now));
            }
            changed.extend(is_changed.then_some(tracked.pool.id));
        }
        if !changed.is_empty() {
            state.publish(now, |pool| changed.contains(&pool.id));
        }
    }

    /// Returns the status of all assets and pools at `now`. Writers wait while the state is copied, not while it is
    /// evaluated.
    pub fn status(&self, now: Timestamp) -> MarketStatus {
        let (composite_prices, pools) = {
            let state = self.0.lock();
            (state.composite_prices.clone(), state.pools.iter().map(TrackedPool::status).collect())
        };
        MarketStatus {
            assets: composite_prices.into_iter().map(|(symbol, price)| price.status(symbol, now)).collect(),
            pools,
        }
    }
}

impl State {
    fn composite_price(&mut self, symbol: &Symbol) -> Option<&mut CompositePrice> {
        self.composite_prices.iter_mut().find(|(existing, _)| existing == symbol).map(|(_, price)| price)
    }

    /// Publishes a snapshot in which the affected pools are recomputed.
    fn publish(&mut self, now: Timestamp, is_affected: impl Fn(&PoolInputs) -> bool) {
        let mut snapshot = Snapshot::clone(&self.market.snapshot());
        for tracked in self.pools.iter_mut().filter(|tracked| is_affected(&tracked.pool)) {
            snapshot = snapshot.with(tracked.pool.id, tracked.sample_state(&self.composite_prices, now));
        }
        self.market.replace(snapshot);
    }
}

//! The market as it is written: whoever hears something of prices or reserves tells it here, and the next quote knows.

mod pool;
mod tracked_pool;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use firmquote_domain::{InvalidValue, PoolId, Price, Symbol, Timestamp};

use self::tracked_pool::TrackedPool;
use crate::{CompositePrice, Market, MarketStatus, Observation, PriceRules, Rejection, Snapshot, Trusted};
pub use pool::{PoolOrigins, PriceOrigin, ReserveOrigin, Reserves};

/// Writes a [`Market`]. Writers wait for each other for some microseconds; readers wait for nobody.
#[derive(Debug)]
pub struct MarketWriter(Mutex<State>);

#[derive(Debug)]
struct State {
    market: Arc<Market>,
    panels: Vec<(Symbol, CompositePrice)>,
    pools: Vec<TrackedPool>,
}

/// A price that never changes: the symbol of its panel, the position of its source there, and the price.
pub type FixedPrice = (Symbol, usize, Price);

impl MarketWriter {
    /// Starts with these panels, one for each symbol that is live, and pools, and writes to `market`.
    pub fn new(
        market: Arc<Market>,
        panels: Vec<(Symbol, CompositePrice)>,
        pools: Vec<PoolOrigins>,
        now: Timestamp,
    ) -> Self {
        let pools = pools.into_iter().map(|pool| TrackedPool::new(pool, None)).collect();
        let live = Self(Mutex::new(State { market, panels, pools }));
        live.refresh(now);
        live
    }

    /// Goes on with these pools, fixed prices and rules of prices, and writes to `market`, all in one step; what is known of
    /// prices stays.
    ///
    /// A pool that was there keeps the reserves that were heard and, for each pair whose prices come from where they came
    /// from and are estimated as they were, the estimate. The market that was written so far stays as it is: readers that
    /// hold it with the pools as they were go on with both.
    pub fn replace_pools(
        &self,
        market: Arc<Market>,
        pools: Vec<PoolOrigins>,
        (fixed, rules): (&[FixedPrice], &[(Symbol, PriceRules)]),
        now: Timestamp,
    ) {
        let mut state = self.state();
        for (symbol, rules) in rules {
            if let Some((_, panel)) = state.panels.iter_mut().find(|(existing, _)| existing == symbol) {
                panel.set_rules(*rules, now);
            }
        }
        for (symbol, position, price) in fixed {
            if let Some((_, panel)) = state.panels.iter_mut().find(|(existing, _)| existing == symbol) {
                panel.fix(*position, *price);
            }
        }
        let earlier = std::mem::take(&mut state.pools);
        let tracked = |pool: PoolOrigins| {
            let earlier = earlier.iter().find(|earlier| earlier.pool.id == pool.id);
            TrackedPool::new(pool, earlier)
        };
        state.pools = pools.into_iter().map(tracked).collect();
        state.market = market;
        state.publish(now, |_| true);
    }

    /// Takes what the source at `position` of the asset's panel says. Symbols and sources that are not there are not heard.
    pub fn receive(&self, symbol: &Symbol, position: usize, update: Result<Observation, InvalidValue>, now: Timestamp) {
        let mut state = self.state();
        if let Some((_, panel)) = state.panels.iter_mut().find(|(existing, _)| existing == symbol) {
            panel.receive(position, update, now);
            state.publish(now, |pool| pool.hears(symbol));
        }
    }

    /// Takes what is known of a pool's reserves from now on; of one whose reserves are fixed nothing is heard.
    pub fn set_reserves(&self, pool: PoolId, reserves: Result<Trusted<Reserves>, Rejection>, now: Timestamp) {
        let mut state = self.state();
        let heard =
            |tracked: &&mut TrackedPool| tracked.pool.id == pool && tracked.pool.reserves == ReserveOrigin::Live;
        if let Some(existing) = state.pools.iter_mut().find(heard) {
            existing.reserves = reserves;
            state.publish(now, |existing| existing.id == pool);
        }
    }

    /// Looks at everything again: another source may have to step in for one that went silent.
    pub fn refresh(&self, now: Timestamp) {
        self.state().publish(now, |_| true);
    }

    /// All that is known at `now`, to be shown. Writers wait while it is copied, not while it is looked at.
    pub fn status(&self, now: Timestamp) -> MarketStatus {
        let (panels, pools) = {
            let state = self.state();
            (state.panels.clone(), state.pools.iter().map(TrackedPool::status).collect())
        };
        MarketStatus { assets: panels.into_iter().map(|(symbol, panel)| panel.status(symbol, now)).collect(), pools }
    }

    /// A writer that panicked left the state whole: every change is one assignment.
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Writes the pools that are affected anew.
    fn publish(&mut self, now: Timestamp, is_affected: impl Fn(&PoolOrigins) -> bool) {
        let mut snapshot = Snapshot::clone(&self.market.snapshot());
        for tracked in self.pools.iter_mut().filter(|tracked| is_affected(&tracked.pool)) {
            snapshot = snapshot.with(tracked.pool.id, tracked.state(&self.panels, now));
        }
        self.market.replace(snapshot);
    }
}

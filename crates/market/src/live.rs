//! The market as it is written: whoever hears something of prices or reserves tells it here, and the next quote knows.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use firmquote_domain::{Amount, InvalidValue, PoolId, Price, Symbol, Timestamp, U256};

use crate::{
    AssetState, Distrust, Market, Observation, Panel, PoolState, Snapshot, Trusted, VolatilityEstimate, VolatilityRule,
};

/// Where the prices of one asset come from.
#[derive(Clone, Debug)]
pub enum PriceOrigin {
    /// A number that never changes.
    Fixed(Price),
    /// Live sources.
    Panel(Panel),
}

/// A pool to be kept up to date.
#[derive(Clone, Debug)]
pub struct LivePool {
    /// Chain and contract.
    pub id: PoolId,
    /// The assets of the pool, in its order.
    pub assets: Vec<Symbol>,
    /// What is known of its reserves before anything is heard.
    pub reserves: Result<Trusted<Reserves>, Distrust>,
    /// For each pair of the pool, in its order: the positions of its assets, and how its volatility is estimated, if it is.
    pub pairs: Vec<([usize; 2], Option<VolatilityRule>)>,
}

/// What a pool holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reserves {
    /// Base units of each asset in the pool's books, in the pool's order; zero is no reserve to quote on.
    pub amounts: Vec<U256>,
    /// Pool tokens in circulation, in their base units.
    pub pool_tokens: U256,
}

/// Writes a [`Market`]. Writers wait for each other for some microseconds; readers wait for nobody.
#[derive(Debug)]
pub struct LiveMarket {
    market: Arc<Market>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    prices: Vec<(Symbol, PriceOrigin)>,
    pools: Vec<(LivePool, Vec<Option<VolatilityEstimate>>)>,
}

impl LiveMarket {
    /// Starts with these prices, one for each symbol, and pools, and writes to `market`.
    pub fn new(market: Arc<Market>, prices: Vec<(Symbol, PriceOrigin)>, pools: Vec<LivePool>, now: Timestamp) -> Self {
        let with_estimates = |pool: LivePool| {
            let estimates = pool.pairs.iter().map(|(_, rule)| rule.map(VolatilityEstimate::new)).collect();
            (pool, estimates)
        };
        let state = State { prices, pools: pools.into_iter().map(with_estimates).collect() };
        let live = Self { market, state: Mutex::new(state) };
        live.refresh(now);
        live
    }

    /// Takes what the source at `position` of the asset's panel says. Symbols and sources that are not there are not heard.
    pub fn hear(&self, symbol: &Symbol, position: usize, said: Result<Observation, InvalidValue>, now: Timestamp) {
        let mut state = self.state();
        let origin = state.prices.iter_mut().find(|(known, _)| known == symbol);
        if let Some((_, PriceOrigin::Panel(panel))) = origin {
            panel.hear(position, said, now);
            self.publish(&mut state, now, |pool| pool.assets.contains(symbol));
        }
    }

    /// Takes what is known of a pool's reserves from now on.
    pub fn set_reserves(&self, pool: PoolId, reserves: Result<Trusted<Reserves>, Distrust>, now: Timestamp) {
        let mut state = self.state();
        if let Some((known, _)) = state.pools.iter_mut().find(|(known, _)| known.id == pool) {
            known.reserves = reserves;
            self.publish(&mut state, now, |known| known.id == pool);
        }
    }

    /// Looks at everything again: another source may have to step in for one that went silent.
    pub fn refresh(&self, now: Timestamp) {
        self.publish(&mut self.state(), now, |_| true);
    }

    fn publish(&self, state: &mut State, now: Timestamp, is_affected: impl Fn(&LivePool) -> bool) {
        let State { prices, pools } = state;
        let mut snapshot = Snapshot::clone(&self.market.snapshot());
        for (pool, estimates) in pools.iter_mut().filter(|(pool, _)| is_affected(pool)) {
            snapshot = snapshot.with(pool.id, pool_state(pool, estimates, prices, now));
        }
        self.market.replace(snapshot);
    }

    /// A writer that panicked left the state whole: every change is one assignment.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn pool_state(
    pool: &LivePool,
    estimates: &mut [Option<VolatilityEstimate>],
    prices: &[(Symbol, PriceOrigin)],
    now: Timestamp,
) -> PoolState {
    let price = |symbol: &Symbol| match prices.iter().find(|(known, _)| known == symbol) {
        Some((_, PriceOrigin::Fixed(price))) => Ok(Trusted::for_ever(*price)),
        Some((_, PriceOrigin::Panel(panel))) => panel.price(now),
        None => Err(Distrust::Silent),
    };
    let prices: Vec<_> = pool.assets.iter().map(price).collect();
    let volatilities = pool.pairs.iter().zip(estimates).map(|(([one, other], _), estimate)| {
        let estimate = estimate.as_mut()?;
        let known = |position: &usize| prices.get(*position)?.as_ref().ok().map(|trusted| trusted.value);
        if let (Some(one), Some(other)) = (known(one), known(other)) {
            estimate.sample([one, other], now);
        }
        estimate.annual(now)
    });
    let volatilities = volatilities.collect();
    let assets = prices.into_iter().enumerate();
    PoolState {
        assets: assets.map(|(position, price)| AssetState { price, reserve: reserve(pool, position) }).collect(),
        pool_tokens: pool.reserves.as_ref().map_or(U256::ZERO, |reserves| reserves.value.pool_tokens),
        volatilities,
    }
}

fn reserve(pool: &LivePool, position: usize) -> Result<Trusted<Amount>, Distrust> {
    let Trusted { value, since, until } = pool.reserves.as_ref().map_err(Clone::clone)?;
    let amount = value.amounts.get(position).copied().and_then(Amount::new);
    let amount = amount.ok_or_else(|| Distrust::Reserves("the pool holds none of it".to_owned()))?;
    Ok(Trusted { value: amount, since: *since, until: *until })
}

//! The market as it is written: whoever hears something of prices or reserves tells it here, and the next quote knows.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use firmquote_domain::{Amount, InvalidValue, PoolId, Price, Symbol, Timestamp, U256};

use crate::{
    AssetState, Distrust, Market, MarketStatus, Observation, Panel, PoolState, PoolStatus, Snapshot, Trusted,
    VolatilityEstimate, VolatilityRule,
};

/// Where the price of an asset of a pool comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PriceOrigin {
    /// A number that never changes.
    Fixed(Price),
    /// The panel of that name.
    Live(Symbol),
}

/// A pool to be kept up to date.
#[derive(Clone, Debug)]
pub struct LivePool {
    /// Chain and contract.
    pub id: PoolId,
    /// Where the prices of the pool's assets come from, in its order.
    pub prices: Vec<PriceOrigin>,
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
    panels: Vec<(Symbol, Panel)>,
    pools: Vec<(LivePool, Vec<Option<VolatilityEstimate>>)>,
}

impl LiveMarket {
    /// Starts with these panels, one for each symbol that is live, and pools, and writes to `market`.
    pub fn new(market: Arc<Market>, panels: Vec<(Symbol, Panel)>, pools: Vec<LivePool>, now: Timestamp) -> Self {
        let with_estimates = |pool: LivePool| {
            let estimates = pool.pairs.iter().map(|(_, rule)| rule.map(VolatilityEstimate::new)).collect();
            (pool, estimates)
        };
        let state = State { panels, pools: pools.into_iter().map(with_estimates).collect() };
        let live = Self { market, state: Mutex::new(state) };
        live.refresh(now);
        live
    }

    /// Takes what the source at `position` of the asset's panel says. Symbols and sources that are not there are not heard.
    pub fn hear(&self, symbol: &Symbol, position: usize, said: Result<Observation, InvalidValue>, now: Timestamp) {
        let mut state = self.state();
        if let Some((_, panel)) = state.panels.iter_mut().find(|(known, _)| known == symbol) {
            panel.hear(position, said, now);
            let origin = PriceOrigin::Live(symbol.clone());
            self.publish(&mut state, now, |pool| pool.prices.contains(&origin));
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

    /// All that is known at `now`, to be shown. Writers wait while it is copied, not while it is looked at.
    pub fn status(&self, now: Timestamp) -> MarketStatus {
        let (panels, pools) = {
            let state = self.state();
            (state.panels.clone(), state.pools.iter().map(pool_status).collect())
        };
        MarketStatus { assets: panels.into_iter().map(|(symbol, panel)| panel.status(symbol, now)).collect(), pools }
    }

    fn publish(&self, state: &mut State, now: Timestamp, is_affected: impl Fn(&LivePool) -> bool) {
        let State { panels, pools } = state;
        let mut snapshot = Snapshot::clone(&self.market.snapshot());
        for (pool, estimates) in pools.iter_mut().filter(|(pool, _)| is_affected(pool)) {
            snapshot = snapshot.with(pool.id, pool_state(pool, estimates, panels, now));
        }
        self.market.replace(snapshot);
    }

    /// A writer that panicked left the state whole: every change is one assignment.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn pool_status((pool, estimates): &(LivePool, Vec<Option<VolatilityEstimate>>)) -> PoolStatus {
    let reserves = pool.reserves.as_ref().map_err(Clone::clone);
    PoolStatus {
        id: pool.id,
        reserves: reserves.map(|Trusted { since, until, .. }| Trusted { value: (), since: *since, until: *until }),
        volatilities: estimates.iter().map(|estimate| estimate.as_ref()?.estimated()).collect(),
    }
}

fn pool_state(
    pool: &LivePool,
    estimates: &mut [Option<VolatilityEstimate>],
    panels: &[(Symbol, Panel)],
    now: Timestamp,
) -> PoolState {
    let price = |origin: &PriceOrigin| match origin {
        PriceOrigin::Fixed(price) => Ok(Trusted::for_ever(*price)),
        PriceOrigin::Live(symbol) => {
            let panel = panels.iter().find(|(known, _)| known == symbol);
            panel.map_or(Err(Distrust::Silent), |(_, panel)| panel.price(now))
        }
    };
    let prices: Vec<_> = pool.prices.iter().map(price).collect();
    let volatilities = pool.pairs.iter().zip(estimates).map(|(([one, other], _), estimate)| {
        let estimate = estimate.as_mut()?;
        let known = |position: &usize| prices.get(*position)?.as_ref().ok().map(|trusted| trusted.value);
        if let (Some(one), Some(other)) = (known(one), known(other)) {
            estimate.sample([one, other], now);
        }
        estimate.estimated()
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

//! A pool with its reserves and volatility estimates.

use firmquote_domain::{Address, Amount, PoolId, Symbol, Timestamp, U256};

use super::pool::{PoolOrigins, PriceOrigin, ReserveOrigin, Reserves};
use crate::{AssetState, CompositePrice, EstimatedVolatility, PoolState, Rejection, Trusted, VolatilityEstimate};

/// One pool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PoolStatus {
    /// Chain and contract.
    pub id: PoolId,
    /// The period for which its reserves are trusted, or why they are not.
    pub reserves: Result<Trusted<()>, Rejection>,
    /// The volatility estimate of each of its pairs, or `None` if the configured volatility applies.
    pub volatilities: Vec<Option<EstimatedVolatility>>,
}

/// A pool with the latest reserves that were received, and its volatility estimates.
#[derive(Debug)]
pub(super) struct TrackedPool {
    pub(super) pool: PoolOrigins,
    pub(super) reserves: Result<Trusted<Reserves>, Rejection>,
    /// One entry for each pair, in the pool's order.
    estimates: Vec<Option<VolatilityEstimate>>,
}

impl TrackedPool {
    /// Creates the pool with the reserves and estimates of `earlier` that still apply.
    pub(super) fn new(pool: PoolOrigins, earlier: Option<&Self>) -> Self {
        let live = earlier.filter(|earlier| earlier.pool.reserves == ReserveOrigin::Live);
        let reserves = match (&pool.reserves, live) {
            (ReserveOrigin::Fixed(reserves), _) => Ok(Trusted::without_expiry(reserves.clone())),
            (ReserveOrigin::Live, Some(earlier)) => earlier.reserves.clone(),
            (ReserveOrigin::Live, None) => Err(Rejection::Reserves("its reserves are not known yet".to_owned())),
        };
        let estimates = (0..pool.pairs.len()).map(|pair| {
            let matching = earlier.and_then(|earlier| earlier.matching_estimate(&pool, pair));
            matching.or_else(|| pool.pairs.get(pair)?.1.map(VolatilityEstimate::new))
        });
        Self { estimates: estimates.collect(), reserves, pool }
    }

    /// Returns this pool's estimate for the pair at `position` of `pool`, if it has the same price origins and the same
    /// parameters.
    fn matching_estimate(&self, pool: &PoolOrigins, position: usize) -> Option<VolatilityEstimate> {
        let (positions, parameters) = pool.pairs.get(position)?;
        let assets = pool.pair(*positions)?;
        let is_same = |(own_positions, own_parameters): &([usize; 2], _)| {
            own_parameters == parameters && self.pool.pair(*own_positions) == Some(assets)
        };
        let own_position = self.pool.pairs.iter().position(is_same)?;
        self.estimates.get(own_position)?.clone()
    }

    /// Returns the status of the pool.
    pub(super) fn status(&self) -> PoolStatus {
        let reserves = self.reserves.as_ref().map_err(Clone::clone);
        PoolStatus {
            id: self.pool.id,
            reserves: reserves.map(|Trusted { since, until, .. }| Trusted { value: (), since: *since, until: *until }),
            volatilities: self.estimates.iter().map(|estimate| estimate.as_ref()?.current()).collect(),
        }
    }

    /// Returns the state that quotes read, with the prices of `composite_prices` at `now`, which are sampled for the
    /// estimates.
    pub(super) fn state(&mut self, composite_prices: &[(Symbol, CompositePrice)], now: Timestamp) -> PoolState {
        let price = |(_, origin): &(_, PriceOrigin)| match origin {
            PriceOrigin::Fixed(price) => Ok(Trusted::without_expiry(*price)),
            PriceOrigin::Live(symbol) => {
                let composite_price = composite_prices.iter().find(|(existing, _)| existing == symbol);
                composite_price.map_or(Err(Rejection::Silent), |(_, composite_price)| composite_price.price(now))
            }
        };
        let prices: Vec<_> = self.pool.assets.iter().map(price).collect();
        let volatilities = self.pool.pairs.iter().zip(&mut self.estimates).map(|(([one, other], _), estimate)| {
            let estimate = estimate.as_mut()?;
            let price_at = |position: &usize| prices.get(*position)?.as_ref().ok().map(|trusted| trusted.value);
            if let (Some(one), Some(other)) = (price_at(one), price_at(other)) {
                estimate.sample([one, other], now);
            }
            estimate.current()
        });
        let volatilities = volatilities.collect();
        let assets = self.pool.assets.iter().zip(prices);
        let assets = assets.map(|((token, _), price)| AssetState { price, reserve: self.reserve(*token) });
        PoolState {
            assets: assets.collect(),
            block: self.reserves.as_ref().ok().and_then(|reserves| reserves.value.block),
            pool_tokens: self.reserves.as_ref().map_or(U256::ZERO, |reserves| reserves.value.pool_tokens),
            volatilities,
        }
    }

    fn reserve(&self, token: Address) -> Result<Trusted<Amount>, Rejection> {
        let Trusted { value, since, until } = self.reserves.as_ref().map_err(Clone::clone)?;
        let amount = Amount::new(value.balance_of(token));
        let amount = amount.ok_or_else(|| Rejection::Reserves("the pool holds none of it".to_owned()))?;
        Ok(Trusted { value: amount, since: *since, until: *until })
    }
}

//! A pool with its reserves and volatility estimates.

use firmquote_domain::{Address, Amount, BasisPoints, FeeAdjustment, PoolId, Symbol, Timestamp, U256};

use super::pool_inputs::{PoolInputs, PriceInput, ReserveInput, Reserves};
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
    pub(super) pool: PoolInputs,
    pub(super) reserves: Result<Trusted<Reserves>, Rejection>,
    /// What breakers add to the fees.
    pub(super) fee_increase: BasisPoints,
    /// One entry for each pair, in the pool's order.
    estimates: Vec<Option<VolatilityEstimate>>,
}

impl TrackedPool {
    /// Creates the pool with the reserves and estimates of `previous` that still apply.
    pub(super) fn new(pool: PoolInputs, previous: Option<&Self>) -> Self {
        let live = previous.filter(|previous| previous.pool.reserves == ReserveInput::Live);
        let reserves = match (&pool.reserves, live) {
            (ReserveInput::Fixed(reserves), _) => Ok(Trusted::without_expiry(reserves.clone())),
            (ReserveInput::Live, Some(previous)) => previous.reserves.clone(),
            (ReserveInput::Live, None) => Err(Rejection::Reserves("no reserves received yet".to_owned())),
        };
        let estimates = (0..pool.pairs.len()).map(|pair| {
            let matching = previous.and_then(|previous| previous.matching_estimate(&pool, pair));
            matching.or_else(|| pool.pairs.get(pair)?.1.map(VolatilityEstimate::new))
        });
        let fee_increase = previous.map(|previous| previous.fee_increase).unwrap_or_default();
        Self { estimates: estimates.collect(), reserves, fee_increase, pool }
    }

    /// Returns this pool's estimate for the pair at `position` of `pool`, if it has the same price inputs and the same
    /// parameters.
    fn matching_estimate(&self, pool: &PoolInputs, position: usize) -> Option<VolatilityEstimate> {
        let (positions, expected) = pool.pairs.get(position)?;
        let assets = pool.pair(*positions)?;
        let is_same = |(positions, parameters): &([usize; 2], _)| {
            parameters == expected && self.pool.pair(*positions) == Some(assets)
        };
        let matching = self.pool.pairs.iter().position(is_same)?;
        self.estimates.get(matching)?.clone()
    }

    /// Returns each estimate with its name.
    pub(super) fn named_estimates(&mut self) -> impl Iterator<Item = (String, &mut VolatilityEstimate)> {
        let Self { pool, estimates, .. } = self;
        estimates
            .iter_mut()
            .enumerate()
            .filter_map(|(position, estimate)| Some((pool.estimate_name(position)?, estimate.as_mut()?)))
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

    /// Samples the prices of `composite_prices` at `now` for the volatility estimates, and returns the state that
    /// quotes read.
    pub(super) fn sample_state(&mut self, composite_prices: &[(Symbol, CompositePrice)], now: Timestamp) -> PoolState {
        let price = |(_, input): &(_, PriceInput)| match input {
            PriceInput::Fixed(price) => Ok(Trusted::without_expiry(*price)),
            PriceInput::Live(symbol) => {
                let composite_price = composite_prices.iter().find(|(existing, _)| existing == symbol);
                composite_price.map_or(Err(Rejection::Silent), |(_, composite_price)| composite_price.price(now))
            }
        };
        let prices: Vec<_> = self.pool.assets.iter().map(price).collect();
        let volatilities = self.pool.pairs.iter().zip(&mut self.estimates).map(|(([base, quote], _), estimate)| {
            let estimate = estimate.as_mut()?;
            let price_at = |position: &usize| prices.get(*position)?.as_ref().ok().map(|trusted| trusted.value);
            if let (Some(base), Some(quote)) = (price_at(base), price_at(quote)) {
                estimate.sample([base, quote], now);
            }
            estimate.current()
        });
        let volatilities = volatilities.collect();
        let assets = self.pool.assets.iter().zip(prices);
        let assets = assets.map(|((token, _), price)| AssetState { price, reserve: self.reserve(*token) });
        PoolState {
            assets: assets.collect(),
            block: self.reserves.as_ref().ok().and_then(|reserves| reserves.value.block),
            block_hash: self.reserves.as_ref().ok().and_then(|reserves| reserves.value.block_hash),
            pool_tokens: self.reserves.as_ref().map_or(U256::ZERO, |reserves| reserves.value.pool_tokens),
            volatilities,
            fee_increase: self.fee_increase,
            fee_adjustment: FeeAdjustment::default(),
        }
    }

    fn reserve(&self, token: Address) -> Result<Trusted<Amount>, Rejection> {
        let Trusted { value, since, until } = self.reserves.as_ref().map_err(Clone::clone)?;
        let amount = Amount::new(value.balance_of(token));
        let amount = amount.ok_or_else(|| Rejection::Reserves("the reserve is zero".to_owned()))?;
        Ok(Trusted { value: amount, since: *since, until: *until })
    }
}

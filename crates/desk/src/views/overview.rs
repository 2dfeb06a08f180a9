//! An overview of all pools for the operator: their known state, trusted or not, and their current fees.

use std::sync::Arc;

use alloy_primitives::map::HashMap;
use firmquote_domain::{
    Address, Amount, Asset, BasisPoints, Pool, Price, Symbol, Timestamp, TokenFlows, U512, Volatility,
};
use firmquote_market::{AssetState, PoolState, Rejection};
use firmquote_pricing::{PairAsset, fee, target_values_in_usd, value_in_usd};
use firmquote_store::Trip;

use crate::{
    Desk, ServedPool, SourceView,
    quoting::directed_pair::fee_curve,
    views::{best_quotes::best_improvement, operator_view::ObservedValue},
};

/// All pools at one instant.
#[derive(Clone, Debug)]
pub struct Overview {
    /// The instant.
    pub now: Timestamp,
    /// The pools, in configured order.
    pub pools: Vec<PoolOverview>,
}

/// One pool. Lists are in the order of the pool's assets and pairs.
#[derive(Clone, Debug)]
pub struct PoolOverview {
    /// The pool as configured.
    pub pool: Arc<Pool>,
    /// The address of the signing account.
    pub signer: Address,
    /// Whether the operator paused the pool; `None` while that is unknown, when nothing is quoted.
    pub is_paused: Option<bool>,
    /// The trips of its breakers that are in effect.
    pub trips: Vec<Trip>,
    /// The state of its assets.
    pub assets: Vec<AssetOverview>,
    /// The fees of its pairs.
    pub pairs: Vec<PairOverview>,
    /// The value of its reserves in US dollars; `None` unless the value of every asset is known.
    pub value_in_usd: Option<f64>,
    /// The number of swaps that are outstanding.
    pub outstanding_swaps: usize,
    /// When this replica's copy of the book was last known to be complete.
    pub book_updated_at: Option<Timestamp>,
    /// The largest share of a reserve that may be outstanding; `None` for no limit.
    pub max_outstanding_share: Option<BasisPoints>,
}

/// The known state of an asset of a pool.
#[derive(Clone, Debug)]
pub struct AssetOverview {
    /// The price of one whole token.
    pub price: ObservedValue<Price>,
    /// Base units in the pool's books.
    pub reserve: ObservedValue<Amount>,
    /// The value of the reserve in US dollars.
    pub value_in_usd: Option<f64>,
    /// The value of the asset in the pool's target composition, in US dollars; `None` unless all assets are known.
    pub target_value_in_usd: Option<f64>,
    /// The maximum flows of outstanding swaps.
    pub outstanding: TokenFlows,
    /// The sources of its price; empty for a price from the configuration file.
    pub sources: Vec<SourceView>,
}

impl AssetOverview {
    /// The part of the reserve that outstanding swaps may take out, as a part of 1. For display.
    pub fn outstanding_share(&self) -> Option<f64> {
        let reserve = self.reserve.value?.base_units();
        // Six digits are enough for a float for display.
        let millionths = self.outstanding.outflow * U512::from(1_000_000) / U512::from(reserve);
        Some(f64::from(u32::try_from(millionths).unwrap_or(u32::MAX)) / 1_000_000.0)
    }
}

/// The fee of a pair, and what it gives at most.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairOverview {
    /// The fee for the pool's default `time_in_seconds`.
    pub fee: BasisPoints,
    /// The volatility that the fee is computed from.
    pub annual_volatility: Volatility,
    /// Whether the volatility is estimated from prices rather than configured.
    pub is_estimated: bool,
    /// How much more than the value of its input the best quote gives at the last known prices and reserves, in either
    /// direction and in basis points, negative if it gives less; `None` unless both assets are known.
    pub best_improvement_in_basis_points: Option<f64>,
}

impl Desk {
    /// Returns the current state of all pools. Performs no I/O: it shows the inputs of quotes and the reports of the
    /// sources.
    pub fn overview(&self) -> Overview {
        let now = self.clock.now();
        let (sources, snapshot) = (self.operator_view.sources(now), self.market.snapshot());
        let trips = self.pauses.trips(now);
        let view = |pool: &ServedPool| {
            let state = snapshot.pool(pool.spec().id).map(|state| &**state);
            PoolOverview {
                is_paused: self.pauses.is_paused(pool.spec().id, now),
                trips: trips.iter().filter(|trip| trip.key.pool == pool.spec().id).cloned().collect(),
                ..pool_view(pool, state, &sources, now)
            }
        };
        Overview { now, pools: self.pools.iter().map(view).collect() }
    }
}

/// Returns one pool with its known state, except for its pause state.
fn pool_view(
    pool: &ServedPool,
    state: Option<&PoolState>,
    sources: &HashMap<Symbol, Vec<SourceView>>,
    now: Timestamp,
) -> PoolOverview {
    let (spec, totals) = (pool.spec(), pool.book().totals());
    let assets = spec.assets.iter().enumerate().map(|(position, asset)| {
        let sources = sources.get(&asset.symbol).cloned().unwrap_or_default();
        let flows = totals.flows(asset.address, state.and_then(|state| state.block));
        let view = asset_view(state.and_then(|state| state.assets.get(position)), sources, now);
        AssetOverview { outstanding: flows.with_push_excess(), ..view }
    });
    let mut assets: Vec<AssetOverview> = assets.collect();
    let side = |(asset, known): (&Asset, &AssetOverview)| {
        let (price, reserve) = (known.price.value?, known.reserve.value?);
        Some(PairAsset { reserve, price, weight: asset.weight, decimals: asset.decimals })
    };
    let sides: Vec<Option<PairAsset>> = spec.assets.iter().zip(&assets).map(side).collect();
    for (asset, side) in assets.iter_mut().zip(&sides) {
        asset.value_in_usd = side.map(|side| value_in_usd(side.reserve, side.price, side.decimals));
    }
    let pairs = pair_views(pool, state, &sides);
    let whole: Option<Vec<PairAsset>> = sides.into_iter().collect();
    for (asset, target) in assets.iter_mut().zip(whole.map(|sides| target_values_in_usd(&sides)).unwrap_or_default()) {
        asset.target_value_in_usd = Some(target);
    }
    PoolOverview {
        pool: Arc::clone(pool.signer().pool()),
        signer: pool.signer().address(),
        is_paused: None,
        trips: Vec::new(),
        pairs,
        value_in_usd: assets.iter().map(|asset| asset.value_in_usd).sum(),
        assets,
        outstanding_swaps: pool.book().outstanding(),
        book_updated_at: pool.book().updated_at(),
        max_outstanding_share: pool.policy.outstanding.max_share,
    }
}

fn asset_view(state: Option<&AssetState>, sources: Vec<SourceView>, now: Timestamp) -> AssetOverview {
    let mut price = ObservedValue::new(state.map_or(Err(Rejection::Silent), |state| state.price.clone()), now);
    let newest = sources.iter().map(|source| &source.price).filter(|price| price.since.is_some());
    if let (None, Some(newest)) = (price.value, newest.max_by_key(|price| price.since)) {
        (price.value, price.since) = (newest.value, newest.since);
    }
    let reserve = state.map_or(Err(Rejection::Silent), |state| state.reserve.clone());
    AssetOverview {
        price,
        reserve: ObservedValue::new(reserve, now),
        value_in_usd: None,
        target_value_in_usd: None,
        outstanding: TokenFlows::default(),
        sources,
    }
}

fn pair_views(pool: &ServedPool, state: Option<&PoolState>, sides: &[Option<PairAsset>]) -> Vec<PairOverview> {
    let spec = pool.spec();
    let side = |symbol: &Symbol| {
        let (position, _) = pool.signer().pool().asset(symbol.as_str())?;
        sides.get(position).copied().flatten()
    };
    let pairs = spec.pairs.iter().enumerate().map(|(position, pair)| {
        let charged = state.map_or(pair.fee, |state| fee_curve(position, pair, state));
        let estimated = state.and_then(|state| state.volatilities.get(position).copied().flatten());
        let fee = fee(&charged, spec.acceptance_window_seconds, spec.default_time_in_seconds);
        PairOverview {
            fee,
            best_improvement_in_basis_points: best_improvement(spec, pair, fee, side),
            annual_volatility: charged.annual_volatility,
            is_estimated: estimated.is_some(),
        }
    });
    pairs.collect()
}

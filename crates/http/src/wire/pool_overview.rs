//! A pool in the operator's overview: its state, its assets with their prices and reserves, and its pairs.

use firmquote_desk::{AssetOverview, ObservedValue, PairOverview, PoolOverview, SourceView, Trip};
use firmquote_domain::{Address, Amount, Asset, BasisPoints, Pair, PoolConstant, Price, Timestamp, U512, Volatility};
use serde::Serialize;

use super::number::{Exact, Text};

/// A pool.
#[derive(Debug, Serialize)]
pub(super) struct PoolRecord<'v> {
    chain_id: u64,
    chain_name: &'v str,
    pool_address: Text<Address>,
    name: &'v str,
    version: &'v str,
    good_until: &'static str,
    signer_address: Text<Address>,
    k: Exact<PoolConstant>,
    max_improvement_bps: Option<Exact<BasisPoints>>,
    swaps_enabled: bool,
    paused: Option<bool>,
    breakers: Vec<TripRecord<'v>>,
    time_in_seconds: u32,
    value_in_usd: Option<f64>,
    outstanding_swaps: usize,
    book_age_ms: Option<u64>,
    max_outstanding_share: Option<f64>,
    assets: Vec<AssetRecord<'v>>,
    pairs: Vec<PairRecord<'v>>,
}

/// A step of a breaker that is in effect.
#[derive(Debug, Serialize)]
struct TripRecord<'v> {
    breaker: &'static str,
    /// The symbol of the token that is not paid out; `null` for the whole pool.
    token: Option<&'v str>,
    step: &'static str,
    figures: &'v str,
    age_ms: u64,
}

#[derive(Debug, Serialize)]
struct AssetRecord<'v> {
    name: &'v str,
    address: Text<Address>,
    decimals: u8,
    listing_weight: u16,
    price: PriceRecord,
    reserve: ReserveRecord,
    value_in_usd: Option<f64>,
    target_value_in_usd: Option<f64>,
    share: Option<f64>,
    target_share: Option<f64>,
    outstanding_inflow: Text<U512>,
    outstanding_outflow: Text<U512>,
    outstanding_share: Option<f64>,
    sources: Vec<SourceRecord<'v>>,
}

#[derive(Debug, Serialize)]
struct PriceRecord {
    price_usd: Option<Text<Price>>,
    #[serde(flatten)]
    status: ObservationStatus,
}

#[derive(Debug, Serialize)]
struct ReserveRecord {
    balance: Option<Text<Amount>>,
    #[serde(flatten)]
    status: ObservationStatus,
}

#[derive(Debug, Serialize)]
struct SourceRecord<'v> {
    name: &'v str,
    #[serde(flatten)]
    price: PriceRecord,
}

/// The age of an observation, and the reason it is rejected for quoting, if any.
#[derive(Debug, Serialize)]
struct ObservationStatus {
    age_ms: Option<u64>,
    distrust: Option<RejectionRecord>,
}

#[derive(Debug, Serialize)]
struct RejectionRecord {
    rule: &'static str,
    reason: String,
}

#[derive(Debug, Serialize)]
struct PairRecord<'v> {
    assets: [&'v str; 2],
    fee_in_basis_points: Exact<BasisPoints>,
    annual_volatility: Exact<Volatility>,
    volatility_estimated: bool,
    best_improvement_bps: Option<f64>,
}

impl<'v> PoolRecord<'v> {
    /// Builds the record of a pool as of `now`.
    pub(super) fn new(view: &'v PoolOverview, now: Timestamp) -> Self {
        let spec = view.pool.spec();
        let context = PoolContext { now, value: view.value_in_usd };
        Self {
            chain_id: spec.id.chain_id.get(),
            chain_name: &spec.chain.name,
            pool_address: Text(spec.id.address),
            name: &spec.domain.name,
            version: &spec.domain.version,
            good_until: spec.good_until.name(),
            signer_address: Text(view.signer),
            k: Exact(spec.k),
            max_improvement_bps: spec.max_improvement.map(Exact),
            swaps_enabled: spec.swaps_enabled,
            paused: view.is_paused,
            breakers: view.trips.iter().map(|trip| TripRecord::new(trip, &spec.assets, now)).collect(),
            time_in_seconds: spec.default_time_in_seconds,
            value_in_usd: view.value_in_usd,
            outstanding_swaps: view.outstanding_swaps,
            book_age_ms: view.book_updated_at.map(|updated_at| now.millis_since(updated_at)),
            max_outstanding_share: view.max_outstanding_share.map(share_of),
            assets: spec
                .assets
                .iter()
                .zip(&view.assets)
                .map(|(asset, overview)| context.asset(asset, overview))
                .collect(),
            pairs: spec.pairs.iter().zip(&view.pairs).map(PairRecord::new).collect(),
        }
    }
}

impl<'v> TripRecord<'v> {
    fn new(trip: &'v Trip, assets: &'v [Asset], now: Timestamp) -> Self {
        let listed = |token| assets.iter().find(|asset| Some(asset.address) == token);
        Self {
            breaker: trip.key.breaker.name(),
            token: listed(trip.key.token).map(|asset| asset.symbol.as_str()),
            step: trip.step.name(),
            figures: &trip.figures,
            age_ms: now.millis_since(trip.at),
        }
    }
}

/// The values that the parts of a pool are compared with.
struct PoolContext {
    now: Timestamp,
    /// The value of all reserves in USD.
    value: Option<f64>,
}

impl PoolContext {
    fn asset<'v>(&self, asset: &'v Asset, observed: &'v AssetOverview) -> AssetRecord<'v> {
        let share = |value: Option<f64>| Some(value? / self.value.filter(|whole| *whole > 0.0)?);
        AssetRecord {
            name: asset.symbol.as_str(),
            address: Text(asset.address),
            decimals: asset.decimals.get(),
            listing_weight: asset.weight.get(),
            price: self.price(&observed.price),
            reserve: ReserveRecord {
                balance: observed.reserve.value.map(Text),
                status: self.status(&observed.reserve),
            },
            value_in_usd: observed.value_in_usd,
            target_value_in_usd: observed.target_value_in_usd,
            share: share(observed.value_in_usd),
            target_share: share(observed.target_value_in_usd),
            outstanding_inflow: Text(observed.outstanding.inflow),
            outstanding_outflow: Text(observed.outstanding.outflow),
            outstanding_share: observed.outstanding_share(),
            sources: observed.sources.iter().map(|source| self.source(source)).collect(),
        }
    }

    fn source<'v>(&self, source: &'v SourceView) -> SourceRecord<'v> {
        SourceRecord { name: &source.name, price: self.price(&source.price) }
    }

    fn price(&self, observed: &ObservedValue<Price>) -> PriceRecord {
        PriceRecord { price_usd: observed.value.map(Text), status: self.status(observed) }
    }

    fn status<T>(&self, observed: &ObservedValue<T>) -> ObservationStatus {
        let rejection = observed.rejection.as_ref();
        ObservationStatus {
            age_ms: observed.since.map(|since| self.now.millis_since(since)),
            distrust: rejection
                .map(|rejection| RejectionRecord { rule: rejection.rule().name(), reason: rejection.to_string() }),
        }
    }
}

impl<'v> PairRecord<'v> {
    fn new((pair, charged): (&'v Pair, &PairOverview)) -> Self {
        Self {
            assets: pair.assets.each_ref().map(|symbol| symbol.as_str()),
            fee_in_basis_points: Exact(charged.fee),
            annual_volatility: Exact(charged.annual_volatility),
            volatility_estimated: charged.is_estimated,
            best_improvement_bps: charged.best_improvement_in_basis_points,
        }
    }
}

/// A share as a part of 1.
fn share_of(share: BasisPoints) -> f64 {
    f64::from(share.hundredths()) / f64::from(BasisPoints::SCALE)
}

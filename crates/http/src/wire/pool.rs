//! Pool requests (docs/api.md), and pool data as responses.

use firmquote_api as api;
use firmquote_desk::{AssetView, PoolView};
use firmquote_domain::{Address, Asset, ChainId, StateId, U256};

use crate::{
    error::ApiError,
    input::{CHAIN_ID, FIELDSET, Field, Fields, POOL_ADDRESS, Reader, STATE_ID, STRICT, TIME_IN_SECONDS},
};

/// Returns the response about `views` in version 2.
pub(crate) fn pools_response(views: &[PoolView], pool_type: api::PoolType) -> api::PoolsResponse {
    let data = views.iter().map(|view| data(view, None));
    match pool_type {
        api::PoolType::Onchain => api::PoolsResponse::Onchain(api::Pools {
            pool_type: Some(pool_type),
            pools: data.map(Into::into).collect(),
        }),
        api::PoolType::Offchain => api::PoolsResponse::Offchain(api::Pools {
            pool_type: Some(pool_type),
            pools: data.map(Into::into).collect(),
        }),
        api::PoolType::All => api::PoolsResponse::All(api::Pools { pool_type: Some(pool_type), pools: data.collect() }),
    }
}

/// Returns the response about `view` in version 1.
pub(crate) fn pool_response(view: &PoolView, pool_type: api::PoolType) -> api::PoolResponse {
    let data = data(view, Some(pool_type));
    match pool_type {
        api::PoolType::Onchain => api::PoolResponse::Onchain(data.into()),
        api::PoolType::Offchain => api::PoolResponse::Offchain(data.into()),
        api::PoolType::All => api::PoolResponse::All(data),
    }
}

fn data(view: &PoolView, pool_type: Option<api::PoolType>) -> api::PoolData {
    let assets = view.pool.spec().assets.iter().zip(&view.assets);
    let assets = assets.map(|(listed, observed)| asset(listed, observed)).collect();
    api::PoolData { pool: pool(view), assets, pairs: pairs(view), pool_type }
}

fn pool(view: &PoolView) -> api::Pool {
    let spec = view.pool.spec();
    api::Pool {
        chain_id: spec.id.chain_id.into(),
        address: spec.id.address.into(),
        signer_address: Some(view.signer.into()),
        eip712_domain: Some(api::SigningDomain {
            name: spec.domain.name.clone(),
            version: spec.domain.version.clone(),
            chain_id: spec.id.chain_id.into(),
            verifying_contract: spec.id.address.into(),
        }),
        state_id: Some(view.state_id.into()),
        block_number: view.block_number,
        block_timestamp: view.block_time.map(|time| time.seconds().into()),
        max_improvement_bps: spec.max_improvement.map(Into::into),
        num_assets: spec.assets.len(),
        swaps_enabled: spec.swaps_enabled,
        largest_trade_in_usd: view.largest_trade.map(Into::into),
        pool_tokens: nearest_float(view.pool_tokens).into(),
        value_in_usd: view.value_in_usd.map(Into::into),
        k: spec.k.into(),
        time_in_seconds: view.time_in_seconds,
        default_time_in_seconds: spec.default_time_in_seconds,
    }
}

fn asset(asset: &Asset, observed: &AssetView) -> api::PoolAsset {
    api::PoolAsset {
        name: asset.symbol.clone().into(),
        address: asset.address.into(),
        price_in_usd: observed.price.map(Into::into),
        decimals: asset.decimals.into(),
        outstanding_inflow: observed.outstanding_inflow.into(),
        outstanding_outflow: observed.outstanding_outflow.into(),
        balance: observed.reserve.map(Into::into),
        value_in_usd: observed.value_in_usd.map(Into::into),
        target_value_in_usd: observed.target_value_in_usd.map(Into::into),
        listing_weight: asset.weight.into(),
    }
}

/// The pairs that trade at present.
fn pairs(view: &PoolView) -> Vec<api::PairFee> {
    let pairs = view.pool.spec().pairs.iter().zip(&view.fees);
    let traded = pairs.filter_map(|(pair, fee)| {
        Some(api::PairFee { assets: pair.assets.clone().into(), fee_in_basis_points: (*fee)?.into() })
    });
    traded.collect()
}

/// Returns the float nearest to `number`.
fn nearest_float(number: U256) -> f64 {
    number.to_string().parse().unwrap_or(f64::INFINITY)
}

/// Parameters of the version 1 query.
pub(crate) const POOL_V1: &[&Field] = &[&CHAIN_ID.field, &FIELDSET.field, &TIME_IN_SECONDS.field, &STRICT.field];

/// Parameters of the version 2 query; the chain id is in the path.
pub(crate) const POOL_V2: &[&Field] =
    &[&FIELDSET.field, &POOL_ADDRESS.field, &TIME_IN_SECONDS.field, &STATE_ID.field, &STRICT.field];

/// A decoded pool request of either version.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PoolInput {
    /// The chain.
    pub(crate) chain_id: ChainId,
    /// The selected set of data.
    pub(crate) pool_type: api::PoolType,
    /// The selected pool; all pools of the chain if absent.
    pub(crate) pool_address: Option<Address>,
    /// The quote lifetime that the off-chain fees are for; the default of the pool if absent. Always absent without
    /// off-chain data, because on-chain data has no fees.
    pub(crate) time_in_seconds: Option<u32>,
    /// The state to return instead of the current one.
    pub(crate) state_id: Option<StateId>,
}

impl PoolInput {
    /// Decodes the fields of a pool request.
    ///
    /// # Errors
    /// [`ApiError::InvalidInput`] with every error.
    pub(crate) fn decode(fields: &Fields<'_>) -> Result<Self, ApiError> {
        let mut reader = Reader::new(fields);
        let chain_id = reader.required(&CHAIN_ID);
        let pool_type = reader.optional(&FIELDSET).unwrap_or(api::PoolType::Onchain);
        let pool_address = reader.optional(&POOL_ADDRESS);
        let time_in_seconds = reader.optional(&TIME_IN_SECONDS).filter(|_| pool_type != api::PoolType::Onchain);
        let state_id = reader.optional(&STATE_ID);
        reader.finish(|| Some(Self { chain_id: chain_id?, pool_type, pool_address, time_in_seconds, state_id }))
    }
}

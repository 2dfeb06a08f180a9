//! Pool requests (docs/api.md) and their responses.

use firmquote_desk::{AssetView, PoolView};
use firmquote_domain::{
    Address, Amount, Asset, BasisPoints, ChainId, PoolConstant, PoolSpec, Price, StateId, U256, Usd,
};
use serde::Serialize;

use super::number::{Exact, Text, nearest_float};
use crate::{
    error::ApiError,
    input::{Field, Fields, Fieldset, Reader, address, chain_id, seconds, state_id},
};

/// The version 2 response: any number of pools.
#[derive(Debug, Serialize)]
pub(crate) struct PoolsResponse<'v> {
    pool_type: &'static str,
    pools: Vec<PoolRecord<'v>>,
}

impl<'v> PoolsResponse<'v> {
    /// Builds the response about `views`.
    pub(crate) fn new(views: &'v [PoolView], fieldset: Fieldset) -> Self {
        let pools = views.iter().map(|view| PoolRecord::new(view, fieldset)).collect();
        Self { pool_type: fieldset.pool_type(), pools }
    }
}

/// The version 1 response: one pool.
#[derive(Debug, Serialize)]
pub(crate) struct PoolResponse<'v> {
    #[serde(flatten)]
    pool: PoolRecord<'v>,
    pool_type: &'static str,
}

impl<'v> PoolResponse<'v> {
    /// Builds the response about `view`.
    pub(crate) fn new(view: &'v PoolView, fieldset: Fieldset) -> Self {
        Self { pool: PoolRecord::new(view, fieldset), pool_type: fieldset.pool_type() }
    }
}

/// A pool with the members of one set or of both; only the off-chain set has pairs.
#[derive(Debug, Serialize)]
struct PoolRecord<'v> {
    pool: PoolMembers<'v>,
    assets: Vec<AssetMembers<'v>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pairs: Option<Vec<PairRecord<'v>>>,
}

#[derive(Debug, Serialize)]
struct PoolMembers<'v> {
    chain_id: u64,
    address: Text<Address>,
    signer_address: Text<Address>,
    eip712_domain: SigningDomainRecord<'v>,
    state_id: Text<StateId>,
    num_assets: usize,
    swaps_enabled: bool,
    largest_trade_in_usd: Option<Exact<Usd>>,
    #[serde(flatten)]
    onchain: Option<OnchainPool>,
    #[serde(flatten)]
    offchain: Option<OffchainPool>,
}

#[derive(Debug, Serialize)]
struct OnchainPool {
    pool_tokens: f64,
    value_in_usd: Option<f64>,
}

#[derive(Debug, Serialize)]
struct OffchainPool {
    k: Exact<PoolConstant>,
    time_in_seconds: u32,
    default_time_in_seconds: u32,
}

/// The signing domain with the member names of EIP-712, so that libraries accept it unchanged.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SigningDomainRecord<'v> {
    name: &'v str,
    version: &'v str,
    chain_id: u64,
    verifying_contract: Text<Address>,
}

#[derive(Debug, Serialize)]
struct AssetMembers<'v> {
    name: &'v str,
    address: Text<Address>,
    price_in_usd: Option<Exact<Price>>,
    decimals: u8,
    outstanding_inflow: Text<U256>,
    outstanding_outflow: Text<U256>,
    #[serde(flatten)]
    onchain: Option<OnchainAsset>,
    #[serde(flatten)]
    offchain: Option<OffchainAsset>,
}

#[derive(Debug, Serialize)]
struct OnchainAsset {
    balance: Option<Text<Amount>>,
    value_in_usd: Option<f64>,
    target_value_in_usd: Option<f64>,
}

#[derive(Debug, Serialize)]
struct OffchainAsset {
    listing_weight: u16,
}

#[derive(Debug, Serialize)]
struct PairRecord<'v> {
    assets: [&'v str; 2],
    fee_in_basis_points: Exact<BasisPoints>,
}

impl<'v> SigningDomainRecord<'v> {
    fn new(spec: &'v PoolSpec) -> Self {
        Self {
            name: &spec.domain.name,
            version: &spec.domain.version,
            chain_id: spec.id.chain_id.get(),
            verifying_contract: Text(spec.id.address),
        }
    }
}

impl<'v> PoolRecord<'v> {
    fn new(view: &'v PoolView, fieldset: Fieldset) -> Self {
        let spec = view.pool.spec();
        let onchain = || OnchainPool { pool_tokens: nearest_float(view.pool_tokens), value_in_usd: view.value_in_usd };
        let offchain = || OffchainPool {
            k: Exact(spec.k),
            time_in_seconds: view.time_in_seconds,
            default_time_in_seconds: spec.default_time_in_seconds,
        };
        let pool = PoolMembers {
            chain_id: spec.id.chain_id.get(),
            address: Text(spec.id.address),
            signer_address: Text(view.signer),
            eip712_domain: SigningDomainRecord::new(spec),
            state_id: Text(view.state_id),
            num_assets: spec.assets.len(),
            swaps_enabled: spec.swaps_enabled,
            largest_trade_in_usd: view.largest_trade.map(Exact),
            onchain: fieldset.has_onchain().then(onchain),
            offchain: fieldset.has_offchain().then(offchain),
        };
        let assets = spec.assets.iter().zip(&view.assets);
        let assets = assets.map(|(asset, asset_view)| AssetMembers::new(asset, asset_view, fieldset)).collect();
        let pairs = spec.pairs.iter().zip(&view.fees).filter_map(|(pair, fee)| {
            let [first, second] = &pair.assets;
            Some(PairRecord { assets: [first.as_str(), second.as_str()], fee_in_basis_points: Exact((*fee)?) })
        });
        Self { pool, assets, pairs: fieldset.has_offchain().then(|| pairs.collect()) }
    }
}

impl<'v> AssetMembers<'v> {
    fn new(asset: &'v Asset, asset_view: &AssetView, fieldset: Fieldset) -> Self {
        let onchain = || OnchainAsset {
            balance: asset_view.reserve.map(Text),
            value_in_usd: asset_view.value_in_usd,
            target_value_in_usd: asset_view.target_value_in_usd,
        };
        let offchain = || OffchainAsset { listing_weight: asset.weight.get() };
        Self {
            name: asset.symbol.as_str(),
            address: Text(asset.address),
            price_in_usd: asset_view.price.map(Exact),
            decimals: asset.decimals.get(),
            outstanding_inflow: Text(asset_view.outstanding_inflow),
            outstanding_outflow: Text(asset_view.outstanding_outflow),
            onchain: fieldset.has_onchain().then(onchain),
            offchain: fieldset.has_offchain().then(offchain),
        }
    }
}

/// Parameters of the version 1 query.
pub(crate) const POOL_V1: &[Field] = &[Field::ChainId, Field::Fieldset, Field::TimeInSeconds];

/// Parameters of the version 2 query; the chain id is in the path.
pub(crate) const POOL_V2: &[Field] = &[Field::Fieldset, Field::PoolAddress, Field::TimeInSeconds, Field::StateId];

/// A decoded pool request of either version.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PoolInput {
    /// The chain.
    pub(crate) chain_id: ChainId,
    /// The selected set of data.
    pub(crate) fieldset: Fieldset,
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
        let chain_id = reader.required(Field::ChainId, chain_id);
        let fieldset = reader.optional(Field::Fieldset, Fieldset::read).unwrap_or(Fieldset::Onchain);
        let pool_address = reader.optional(Field::PoolAddress, address);
        let time_in_seconds = reader.optional(Field::TimeInSeconds, seconds).filter(|_| fieldset.has_offchain());
        let state_id = reader.optional(Field::StateId, state_id);
        reader.finish(|| Some(Self { chain_id: chain_id?, fieldset, pool_address, time_in_seconds, state_id }))
    }
}

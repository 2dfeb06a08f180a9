//! Pool data, in its two sets (specification 4.1 and 4.4).

use firmquote_desk::PoolView;
use firmquote_domain::{Address, Amount, BasisPoints, PoolConstant, PoolSpec, Price};
use serde::Serialize;

use super::{
    number::{Exact, Text, nearest_float},
    pool_request::Fieldset,
};

/// The version 2 answer: any number of pools.
#[derive(Debug, Serialize)]
pub(crate) struct PoolsAnswer<'v> {
    pool_type: &'static str,
    pools: Vec<PoolRecord<'v>>,
}

impl<'v> PoolsAnswer<'v> {
    /// The answer about `views`.
    pub(crate) fn of(views: &'v [PoolView], fieldset: Fieldset) -> Self {
        let pools = views.iter().map(|view| PoolRecord::of(view, fieldset)).collect();
        Self { pool_type: name(fieldset), pools }
    }
}

/// The version 1 answer: one pool.
#[derive(Debug, Serialize)]
pub(crate) struct PoolAnswer<'v> {
    #[serde(flatten)]
    pool: PoolRecord<'v>,
    pool_type: &'static str,
}

impl<'v> PoolAnswer<'v> {
    /// The answer about `view`.
    pub(crate) fn of(view: &'v PoolView, fieldset: Fieldset) -> Self {
        Self { pool: PoolRecord::of(view, fieldset), pool_type: name(fieldset) }
    }
}

const fn name(fieldset: Fieldset) -> &'static str {
    match fieldset {
        Fieldset::Onchain => "onchain",
        Fieldset::Offchain => "offchain",
    }
}

/// One pool in one of the two sets; only the off-chain one has pairs.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum PoolRecord<'v> {
    Onchain { pool: OnchainPool<'v>, assets: Vec<OnchainAsset<'v>> },
    Offchain { pool: OffchainPool<'v>, assets: Vec<OffchainAsset<'v>>, pairs: Vec<PairRecord<'v>> },
}

#[derive(Debug, Serialize)]
struct OnchainPool<'v> {
    chain_id: u64,
    address: Text<Address>,
    signer_address: Text<Address>,
    eip712_domain: SigningDomainRecord<'v>,
    num_assets: usize,
    pool_tokens: f64,
    value_in_usd: Option<f64>,
    swaps_enabled: bool,
}

/// The domain of signatures with the member names of EIP-712, so that libraries take it as it is.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct SigningDomainRecord<'v> {
    name: &'v str,
    version: &'v str,
    chain_id: u64,
    verifying_contract: Text<Address>,
}

impl<'v> SigningDomainRecord<'v> {
    fn of(spec: &'v PoolSpec) -> Self {
        Self {
            name: &spec.domain.name,
            version: &spec.domain.version,
            chain_id: spec.id.chain_id.get(),
            verifying_contract: Text(spec.id.address),
        }
    }
}

#[derive(Debug, Serialize)]
struct OnchainAsset<'v> {
    name: &'v str,
    address: Text<Address>,
    balance: Option<Text<Amount>>,
    price_in_usd: Option<Exact<Price>>,
    value_in_usd: Option<f64>,
    target_value_in_usd: Option<f64>,
    decimals: u8,
}

#[derive(Debug, Serialize)]
struct OffchainPool<'v> {
    chain_id: u64,
    address: Text<Address>,
    signer_address: Text<Address>,
    eip712_domain: SigningDomainRecord<'v>,
    num_assets: usize,
    k: Exact<PoolConstant>,
    time_in_seconds: u32,
    default_time_in_seconds: u32,
    swaps_enabled: bool,
}

#[derive(Debug, Serialize)]
struct OffchainAsset<'v> {
    name: &'v str,
    address: Text<Address>,
    price_in_usd: Option<Exact<Price>>,
    listing_weight: u16,
    decimals: u8,
}

#[derive(Debug, Serialize)]
struct PairRecord<'v> {
    assets: [&'v str; 2],
    fee_in_basis_points: Exact<BasisPoints>,
}

impl<'v> PoolRecord<'v> {
    fn of(view: &'v PoolView, fieldset: Fieldset) -> Self {
        match fieldset {
            Fieldset::Onchain => Self::onchain(view),
            Fieldset::Offchain => Self::offchain(view),
        }
    }

    fn onchain(view: &'v PoolView) -> Self {
        let spec = view.pool.spec();
        let assets = spec.assets.iter().zip(&view.assets).map(|(asset, known)| OnchainAsset {
            name: asset.symbol.as_str(),
            address: Text(asset.address),
            balance: known.reserve.map(Text),
            price_in_usd: known.price.map(Exact),
            value_in_usd: known.value_in_usd,
            target_value_in_usd: known.target_value_in_usd,
            decimals: asset.decimals.get(),
        });
        let pool = OnchainPool {
            chain_id: spec.id.chain_id.get(),
            address: Text(spec.id.address),
            signer_address: Text(view.signer),
            eip712_domain: SigningDomainRecord::of(spec),
            num_assets: spec.assets.len(),
            pool_tokens: nearest_float(view.pool_tokens),
            value_in_usd: view.value_in_usd,
            swaps_enabled: spec.swaps_enabled,
        };
        Self::Onchain { pool, assets: assets.collect() }
    }

    fn offchain(view: &'v PoolView) -> Self {
        let spec = view.pool.spec();
        let pool = OffchainPool {
            chain_id: spec.id.chain_id.get(),
            address: Text(spec.id.address),
            signer_address: Text(view.signer),
            eip712_domain: SigningDomainRecord::of(spec),
            num_assets: spec.assets.len(),
            k: Exact(spec.k),
            time_in_seconds: view.time_in_seconds,
            default_time_in_seconds: spec.default_time_in_seconds,
            swaps_enabled: spec.swaps_enabled,
        };
        let assets = spec.assets.iter().zip(&view.assets).map(|(asset, known)| OffchainAsset {
            name: asset.symbol.as_str(),
            address: Text(asset.address),
            price_in_usd: known.price.map(Exact),
            listing_weight: asset.weight.get(),
            decimals: asset.decimals.get(),
        });
        let pairs = spec.pairs.iter().zip(&view.fees).filter_map(|(pair, fee)| {
            let [first, second] = &pair.assets;
            Some(PairRecord { assets: [first.as_str(), second.as_str()], fee_in_basis_points: Exact((*fee)?) })
        });
        Self::Offchain { pool, assets: assets.collect(), pairs: pairs.collect() }
    }
}

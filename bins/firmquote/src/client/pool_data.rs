//! Joins the two sets of pool data that the service publishes, in exact numbers.

use firmquote_client::{Error, OffchainAsset, OffchainPool, OnchainAsset, OnchainPool, ParseError};
use firmquote_domain::{Asset, PoolId, Symbol};
use firmquote_verify::{PairFee, PublishedAsset, PublishedPool};

/// The reason why pool data is unusable.
#[derive(Debug, thiserror::Error)]
pub(crate) enum InvalidPoolSets {
    #[error("the pool data is not the output of pool --json: {0}")]
    Json(#[from] serde_json::Error),
    #[error("the on-chain pool data cannot be read: {0}")]
    Onchain(#[source] ParseError),
    #[error("the off-chain pool data cannot be read: {0}")]
    Offchain(#[source] ParseError),
    #[error(transparent)]
    JoinError(#[from] JoinError),
}

/// An error while fetching pool data.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FetchError {
    #[error(transparent)]
    Response(#[from] Error),
    #[error(transparent)]
    Invalid(#[from] InvalidPoolSets),
}

/// A pool with the additional data that `firmquote pool` shows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PoolListing {
    pub(crate) pool: PublishedPool,
    pub(crate) swaps_enabled: bool,
    /// The current value and the target value of each asset of the pool, in US dollars.
    pub(crate) values_in_usd: Vec<(f64, Option<f64>)>,
    /// The assets that are currently not quoted.
    pub(crate) unquoted: Vec<Symbol>,
}

/// The reason why the two sets of pool data cannot be joined.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum JoinError {
    /// The prices in the two sets differ: they were read at different moments.
    #[error("the prices moved between the on-chain and the off-chain data of pool {0}: read both again")]
    Inconsistent(PoolId),
    /// One set lists an asset or a pool that the other does not.
    #[error("the on-chain and the off-chain data of pool {0} do not list the same assets")]
    Foreign(PoolId),
}

impl PoolListing {
    /// Joins all pools, in the order of the off-chain set.
    ///
    /// # Errors
    /// [`JoinError`] for the first pool whose two sets do not match.
    pub(crate) fn join_all(onchain: &[OnchainPool], offchain: &[OffchainPool]) -> Result<Vec<Self>, JoinError> {
        let join = |offchain: &OffchainPool| {
            let id = PoolId { chain_id: offchain.chain_id, address: offchain.address };
            let is_same = |one: &&OnchainPool| (one.chain_id, one.address) == (id.chain_id, id.address);
            Self::join(id, offchain, onchain.iter().find(is_same).ok_or(JoinError::Foreign(id))?)
        };
        offchain.iter().map(join).collect()
    }

    /// Returns the total value of the pool's assets in US dollars.
    pub(crate) fn value_in_usd(&self) -> f64 {
        self.values_in_usd.iter().map(|(value, _)| value).sum()
    }

    fn join(id: PoolId, offchain: &OffchainPool, onchain: &OnchainPool) -> Result<Self, JoinError> {
        let (mut assets, mut values_in_usd, mut unquoted) = (Vec::new(), Vec::new(), Vec::new());
        for asset in &offchain.assets {
            let is_same = |one: &&OnchainAsset| one.address == asset.address;
            let state = onchain.assets.iter().find(is_same).ok_or(JoinError::Foreign(id))?;
            if asset.price_in_usd != state.price_in_usd {
                return Err(JoinError::Inconsistent(id));
            }
            match join_asset(asset, state) {
                Some((joined, value)) => {
                    assets.push(joined);
                    values_in_usd.push((value, state.target_value_in_usd));
                }
                None => unquoted.push(asset.name.clone()),
            }
        }
        let pairs = offchain.pairs.iter();
        let pairs = pairs.map(|pair| PairFee { assets: pair.assets.clone(), fee: pair.fee_in_basis_points }).collect();
        let pool = PublishedPool {
            id,
            signer: offchain.signer_address,
            domain: offchain.eip712_domain.clone(),
            k: offchain.k,
            time_in_seconds: offchain.time_in_seconds,
            assets,
            pairs,
        };
        Ok(Self { pool, swaps_enabled: offchain.swaps_enabled, values_in_usd, unquoted })
    }
}

/// Joins both views of an asset and returns its value in US dollars; `None` for an asset that is not quoted.
fn join_asset(offchain: &OffchainAsset, onchain: &OnchainAsset) -> Option<(PublishedAsset, f64)> {
    let asset = Asset {
        symbol: offchain.name.clone(),
        address: offchain.address,
        decimals: offchain.decimals,
        weight: offchain.listing_weight,
    };
    let joined = PublishedAsset {
        asset,
        price: offchain.price_in_usd?,
        reserve: onchain.balance?,
        outstanding_inflow: onchain.outstanding_inflow,
        outstanding_outflow: onchain.outstanding_outflow,
    };
    Some((joined, onchain.value_in_usd?))
}

//! What quotes are computed with (specification 4.1 and 4.4, `fieldset=offchain-data`). With the balances of the on-chain
//! data it is all that a quote follows from, to the last digit.

use firmquote_domain::{Address, BasisPoints, ChainId, Decimals, PoolConstant, Price, SigningDomain, Symbol, Weight};
use serde::Deserialize;

use super::read;

/// The pools that were asked about.
pub type OffchainPools = Vec<OffchainPool>;

/// A pool with what it computes with.
#[derive(Clone, Debug, PartialEq)]
pub struct OffchainPool {
    /// The chain.
    pub chain_id: ChainId,
    /// The contract.
    pub address: Address,
    /// Whether it swaps at all.
    pub swaps_enabled: bool,
    /// The account that signs for it; services of an earlier release do not say.
    pub signer_address: Option<Address>,
    /// The EIP-712 domain of its signatures; services of an earlier release do not say.
    pub eip712_domain: Option<SigningDomain>,
    /// The pool constant, exactly.
    pub k: PoolConstant,
    /// The seconds that the fees are for.
    pub time_in_seconds: u32,
    /// The seconds that a quote is for when its request does not say.
    pub default_time_in_seconds: u32,
    /// Its tokens.
    pub assets: Vec<OffchainAsset>,
    /// What trades against what at present. Both directions of a pair trade at the same fee.
    pub pairs: Vec<PairFee>,
}

/// A token with what it counts for.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct OffchainAsset {
    /// The symbol that quotes are asked for with.
    #[serde(deserialize_with = "read::symbol")]
    pub name: Symbol,
    /// The token contract; the wrapped one for the chain's native coin.
    #[serde(deserialize_with = "read::address")]
    pub address: Address,
    /// Price of a whole token, exactly; `None` while it is not quoted.
    #[serde(deserialize_with = "read::optional_price")]
    pub price_in_usd: Option<Price>,
    /// Listing weight.
    #[serde(deserialize_with = "read::weight")]
    pub listing_weight: Weight,
    /// Decimals of the token.
    #[serde(deserialize_with = "read::decimals")]
    pub decimals: Decimals,
}

/// What a trade of two tokens costs.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct PairFee {
    /// The symbols of both, in either order.
    #[serde(deserialize_with = "read::symbols")]
    pub assets: [Symbol; 2],
    /// The fee, exactly.
    #[serde(deserialize_with = "read::rate")]
    pub fee_in_basis_points: BasisPoints,
}

/// The answer of version 2.
#[derive(Deserialize)]
pub(crate) struct OffchainAnswerV2 {
    pools: Vec<OffchainRecord>,
}

/// The answer of version 1: the record, with the type beside it.
pub(crate) type OffchainAnswerV1 = OffchainRecord;

#[derive(Deserialize)]
pub(crate) struct OffchainRecord {
    pool: OffchainMembers,
    assets: Vec<OffchainAsset>,
    pairs: Vec<PairFee>,
}

#[derive(Deserialize)]
struct OffchainMembers {
    #[serde(deserialize_with = "read::chain_id")]
    chain_id: ChainId,
    #[serde(deserialize_with = "read::address")]
    address: Address,
    #[serde(deserialize_with = "read::constant")]
    k: PoolConstant,
    time_in_seconds: u32,
    default_time_in_seconds: u32,
    swaps_enabled: bool,
    #[serde(default, deserialize_with = "read::optional_address")]
    signer_address: Option<Address>,
    eip712_domain: Option<DomainMembers>,
}

/// The chain and the contract of the domain are those of the pool beside it.
#[derive(Deserialize)]
struct DomainMembers {
    name: String,
    version: String,
}

impl From<OffchainRecord> for OffchainPool {
    fn from(OffchainRecord { pool, assets, pairs }: OffchainRecord) -> Self {
        Self {
            chain_id: pool.chain_id,
            address: pool.address,
            swaps_enabled: pool.swaps_enabled,
            signer_address: pool.signer_address,
            eip712_domain: pool.eip712_domain.map(|DomainMembers { name, version }| SigningDomain { name, version }),
            k: pool.k,
            time_in_seconds: pool.time_in_seconds,
            default_time_in_seconds: pool.default_time_in_seconds,
            assets,
            pairs,
        }
    }
}

impl From<OffchainRecord> for OffchainPools {
    fn from(record: OffchainRecord) -> Self {
        vec![record.into()]
    }
}

impl From<OffchainAnswerV2> for OffchainPools {
    fn from(answer: OffchainAnswerV2) -> Self {
        answer.pools.into_iter().map(OffchainPool::from).collect()
    }
}

//! The pricing inputs of quotes (docs/api.md, `fieldset=offchain-data`). Together with the balances of
//! the on-chain data they determine every quote, to the last digit.

use firmquote_domain::{
    Address, BasisPoints, ChainId, Decimals, PoolConstant, Price, SigningDomain, StateId, Symbol, Weight,
};
use serde::Deserialize;

use super::read;

/// The requested pools.
pub type OffchainPools = Vec<OffchainPool>;

/// A pool with its pricing parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct OffchainPool {
    /// EIP-155 chain id.
    pub chain_id: ChainId,
    /// The address of the pool contract.
    pub address: Address,
    /// The state of the data, which quotes also name; absent from earlier releases of the service.
    pub state_id: Option<StateId>,
    /// Whether swaps are enabled.
    pub swaps_enabled: bool,
    /// The account that signs for it; absent from earlier releases of the service.
    pub signer_address: Option<Address>,
    /// The EIP-712 domain of its signatures; absent from earlier releases of the service.
    pub eip712_domain: Option<SigningDomain>,
    /// The pool constant, exactly.
    pub k: PoolConstant,
    /// The `time_in_seconds` that the fees apply to.
    pub time_in_seconds: u32,
    /// The `time_in_seconds` of a quote whose request has none.
    pub default_time_in_seconds: u32,
    /// Its tokens.
    pub assets: Vec<OffchainAsset>,
    /// The pairs that currently trade. Both directions of a pair trade at the same fee.
    pub pairs: Vec<PairFee>,
}

/// A token with its pricing parameters.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct OffchainAsset {
    /// The symbol to use in quote requests.
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

/// The fee of a pair.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct PairFee {
    /// The two symbols, in either order.
    #[serde(deserialize_with = "read::symbols")]
    pub assets: [Symbol; 2],
    /// The fee, exactly.
    #[serde(deserialize_with = "read::rate")]
    pub fee_in_basis_points: BasisPoints,
}

/// A pool on the wire.
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
    #[serde(default, deserialize_with = "read::optional_text")]
    state_id: Option<StateId>,
    #[serde(deserialize_with = "read::constant")]
    k: PoolConstant,
    time_in_seconds: u32,
    default_time_in_seconds: u32,
    swaps_enabled: bool,
    #[serde(default, deserialize_with = "read::optional_address")]
    signer_address: Option<Address>,
    eip712_domain: Option<DomainMembers>,
}

/// The chain and the contract of the domain are those of the pool itself.
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
            state_id: pool.state_id,
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

//! The on-chain state of pools, valued at current prices (docs/api.md, without `fieldset`).

use firmquote_domain::{Address, Amount, ChainId, Decimals, Price, StateId, Symbol, U256};
use serde::Deserialize;

use super::read;

/// The requested pools.
pub type OnchainPools = Vec<OnchainPool>;

/// A pool with its holdings.
#[derive(Clone, Debug, PartialEq)]
pub struct OnchainPool {
    /// EIP-155 chain id.
    pub chain_id: ChainId,
    /// The address of the pool contract.
    pub address: Address,
    /// The state of the data, which quotes also name; absent from earlier releases of the service.
    pub state_id: Option<StateId>,
    /// Whether swaps are enabled.
    pub swaps_enabled: bool,
    /// Supply of pool tokens, in base units. A float on the wire: for display.
    pub pool_tokens: f64,
    /// Value of all holdings in US dollars, if the value of each asset is known. For display.
    pub value_in_usd: Option<f64>,
    /// Its tokens.
    pub assets: Vec<OnchainAsset>,
}

/// A token and its balance in the pool.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct OnchainAsset {
    /// The symbol to use in quote requests.
    #[serde(deserialize_with = "read::symbol")]
    pub name: Symbol,
    /// The token contract; the wrapped one for the chain's native coin.
    #[serde(deserialize_with = "read::address")]
    pub address: Address,
    /// Base units in the pool's books, which quotes are computed from. `None` while unknown.
    #[serde(deserialize_with = "read::optional_text")]
    pub balance: Option<Amount>,
    /// Price of a whole token, exactly; `None` while it is not quoted.
    #[serde(deserialize_with = "read::optional_price")]
    pub price_in_usd: Option<Price>,
    /// Value of the balance in US dollars. For display.
    #[serde(deserialize_with = "read::optional_float")]
    pub value_in_usd: Option<f64>,
    /// Value in the pool's target composition, in US dollars, if all values are known. For display.
    #[serde(deserialize_with = "read::optional_float")]
    pub target_value_in_usd: Option<f64>,
    /// Decimals of the token.
    #[serde(deserialize_with = "read::decimals")]
    pub decimals: Decimals,
    /// The maximum inflow of signed swaps that have not been executed, in base units; zero in earlier releases of the
    /// service.
    #[serde(default, deserialize_with = "read::base_units")]
    pub outstanding_inflow: U256,
    /// The maximum outflow of signed swaps that have not been executed, in base units; zero in earlier releases of the
    /// service.
    #[serde(default, deserialize_with = "read::base_units")]
    pub outstanding_outflow: U256,
}

/// A pool on the wire.
#[derive(Deserialize)]
pub(crate) struct OnchainRecord {
    pool: OnchainMembers,
    assets: Vec<OnchainAsset>,
}

#[derive(Deserialize)]
struct OnchainMembers {
    #[serde(deserialize_with = "read::chain_id")]
    chain_id: ChainId,
    #[serde(deserialize_with = "read::address")]
    address: Address,
    #[serde(default, deserialize_with = "read::optional_text")]
    state_id: Option<StateId>,
    #[serde(deserialize_with = "read::float")]
    pool_tokens: f64,
    #[serde(deserialize_with = "read::optional_float")]
    value_in_usd: Option<f64>,
    swaps_enabled: bool,
}

impl From<OnchainRecord> for OnchainPool {
    fn from(OnchainRecord { pool, assets }: OnchainRecord) -> Self {
        let OnchainMembers { chain_id, address, state_id, pool_tokens, value_in_usd, swaps_enabled } = pool;
        Self { chain_id, address, state_id, swaps_enabled, pool_tokens, value_in_usd, assets }
    }
}

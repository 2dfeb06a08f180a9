//! The response of the chain list: chains, their pools, and the trade sizes.

use firmquote_domain::{Address, ChainId, Decimals, Symbol, Usd};
use serde::Deserialize;

use super::read;

/// A chain with its pools.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Chain {
    /// EIP-155 chain id.
    #[serde(deserialize_with = "read::chain_id")]
    pub chain_id: ChainId,
    /// The symbol of its native coin.
    #[serde(deserialize_with = "read::symbol")]
    pub native_symbol: Symbol,
    /// The symbol under which its pools list the wrapped-native token; `None` if no pool lists it.
    #[serde(deserialize_with = "read::optional_symbol")]
    pub wrapped_native_symbol: Option<Symbol>,
    /// The contract that wraps the native coin.
    #[serde(deserialize_with = "read::address")]
    pub wrapped_native_address: Address,
    /// Its pools; the first is the default.
    pub pools: Vec<TradedPool>,
}

/// A pool with its tokens, its pairs and the trade sizes.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct TradedPool {
    /// The address of the pool contract.
    #[serde(deserialize_with = "read::address")]
    pub address: Address,
    /// Whether swaps are enabled.
    pub swaps_enabled: bool,
    /// The smallest trade that is quoted, by the value of its input in US dollars.
    #[serde(deserialize_with = "read::usd")]
    pub smallest_trade_in_usd: Usd,
    /// The largest single trade that is signed for this client; `None` if only the reserves limit it.
    #[serde(deserialize_with = "read::optional_usd")]
    pub largest_trade_in_usd: Option<Usd>,
    /// Its tokens.
    pub assets: Vec<TradedAsset>,
    /// The symbols of each pair that trades, in either order.
    #[serde(deserialize_with = "read::pairs")]
    pub pairs: Vec<[Symbol; 2]>,
}

/// A token listed by a pool.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct TradedAsset {
    /// The symbol to use in quote requests.
    #[serde(deserialize_with = "read::symbol")]
    pub name: Symbol,
    /// The token contract; the wrapped one for the chain's native coin.
    #[serde(deserialize_with = "read::address")]
    pub address: Address,
    /// Decimals of the token.
    #[serde(deserialize_with = "read::decimals")]
    pub decimals: Decimals,
}

/// The response body.
#[derive(Deserialize)]
pub(crate) struct ChainsResponse {
    pub(crate) chains: Vec<Chain>,
}

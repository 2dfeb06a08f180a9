//! What is traded where, and in which sizes.

use firmquote_domain::{Address, ChainId, Decimals, Symbol, Usd};
use serde::Deserialize;

use super::read;

/// A chain with its pools.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Chain {
    /// The chain.
    #[serde(deserialize_with = "read::chain_id")]
    pub chain_id: ChainId,
    /// The symbol of its native coin.
    #[serde(deserialize_with = "read::symbol")]
    pub native_symbol: Symbol,
    /// The symbol by which its pools list the wrapped coin; `None` where none does.
    #[serde(deserialize_with = "read::optional_symbol")]
    pub wrapped_native_symbol: Option<Symbol>,
    /// The contract that wraps the native coin.
    #[serde(deserialize_with = "read::address")]
    pub wrapped_native_address: Address,
    /// Its pools; the first is the default.
    pub pools: Vec<TradedPool>,
}

/// A pool with what it trades.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct TradedPool {
    /// The contract.
    #[serde(deserialize_with = "read::address")]
    pub address: Address,
    /// Whether it swaps at all.
    pub swaps_enabled: bool,
    /// The smallest trade that is quoted, in US dollars of the input.
    #[serde(deserialize_with = "read::usd")]
    pub smallest_trade_in_usd: Usd,
    /// The largest trade that is signed for this client at once; `None` where only the reserves limit it.
    #[serde(deserialize_with = "read::optional_usd")]
    pub largest_trade_in_usd: Option<Usd>,
    /// Its tokens.
    pub assets: Vec<TradedAsset>,
    /// The symbols of what trades against what, in either order.
    #[serde(deserialize_with = "read::pairs")]
    pub pairs: Vec<[Symbol; 2]>,
}

/// A token.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct TradedAsset {
    /// The symbol that quotes are asked for with.
    #[serde(deserialize_with = "read::symbol")]
    pub name: Symbol,
    /// The token contract; the wrapped one for the chain's native coin.
    #[serde(deserialize_with = "read::address")]
    pub address: Address,
    /// Decimals of the token.
    #[serde(deserialize_with = "read::decimals")]
    pub decimals: Decimals,
}

/// The answer.
#[derive(Deserialize)]
pub(crate) struct ChainsAnswer {
    pub(crate) chains: Vec<Chain>,
}

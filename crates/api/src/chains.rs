//! Chains, their pools, and the trade sizes.

use serde::{Deserialize, Serialize};

use crate::{AddressText, ChainIdNumber, DecimalsNumber, SymbolPair, SymbolText, UsdNumber};

/// Every supported chain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Chains {
    /// The chains.
    #[cfg_attr(feature = "schema", schema(min_items = 1))]
    pub chains: Vec<Chain>,
}

/// A chain with its pools.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Chain {
    /// The chain id (EIP-155).
    pub chain_id: ChainIdNumber,
    /// The symbol of the native coin.
    pub native_symbol: SymbolText,
    /// The symbol of the wrapped native coin in its pools; null if none lists it.
    #[cfg_attr(feature = "schema", schema(required))]
    pub wrapped_native_symbol: Option<SymbolText>,
    /// The contract that wraps the native coin.
    pub wrapped_native_address: AddressText,
    /// The pools; the first is the default.
    #[cfg_attr(feature = "schema", schema(min_items = 1))]
    pub pools: Vec<TradedPool>,
}

/// A pool and what it trades.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct TradedPool {
    /// The pool contract.
    pub address: AddressText,
    /// Whether swaps are enabled.
    pub swaps_enabled: bool,
    /// The smallest trade that is quoted, by input value.
    pub smallest_trade_in_usd: UsdNumber,
    /// The largest trade that is signed for the client at the current pool value; null if only reserves limit it.
    #[cfg_attr(feature = "schema", schema(required))]
    pub largest_trade_in_usd: Option<UsdNumber>,
    /// The assets.
    #[cfg_attr(feature = "schema", schema(min_items = 1))]
    pub assets: Vec<TradedAsset>,
    /// The symbols of each pair that trades, in either order.
    #[cfg_attr(feature = "schema", schema(min_items = 1))]
    pub pairs: Vec<SymbolPair>,
}

/// An asset that a pool lists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct TradedAsset {
    /// The symbol, as quote requests use it.
    pub name: SymbolText,
    /// The token contract; the wrapped one for the native coin of the chain.
    pub address: AddressText,
    /// Decimals of the token.
    pub decimals: DecimalsNumber,
}

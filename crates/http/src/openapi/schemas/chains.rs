//! Chains, pools, assets and pairs, and the limits on trade sizes.

use utoipa::openapi::{RefOr, Schema, schema::ArrayBuilder};

use super::shapes::{
    ClosedObject, NamedSchema, boolean, described_ref, integer, non_empty_array, number, or_null, symbols, text,
};

/// The schemas of the chains operation.
pub(super) fn all() -> Vec<NamedSchema> {
    vec![("Chains", chains()), ("Chain", chain()), ("TradedPool", pool()), ("TradedAsset", asset())]
}

fn chains() -> Schema {
    ClosedObject::new("Every supported chain.").with("chains", non_empty_array("Chain")).build()
}

fn chain() -> Schema {
    let wrapped = or_null(text("The symbol of the wrapped native coin in its pools; null if none lists it."));
    ClosedObject::new("A chain with its pools.")
        .with("chain_id", integer(1, "The chain id (EIP-155)."))
        .with("native_symbol", text("The symbol of the native coin."))
        .with("wrapped_native_symbol", wrapped)
        .with("wrapped_native_address", described_ref("Address", "The contract that wraps the native coin."))
        .with("pools", non_empty_array("TradedPool"))
        .build()
}

fn pool() -> Schema {
    let pairs = ArrayBuilder::new().items(RefOr::T(symbols())).min_items(Some(1));
    let largest =
        number("The largest trade that is signed for the calling client at the current pool value, in US dollars.");
    ClosedObject::new("A pool and what it trades. If `largest_trade_in_usd` is null, only reserves limit a trade.")
        .with("address", described_ref("Address", "The pool contract."))
        .with("swaps_enabled", boolean("Whether swaps are enabled."))
        .with("smallest_trade_in_usd", number("The smallest trade that is quoted, by input value in US dollars."))
        .with("largest_trade_in_usd", or_null(largest))
        .with("assets", non_empty_array("TradedAsset"))
        .with("pairs", pairs.build())
        .build()
}

fn asset() -> Schema {
    ClosedObject::new("An asset.")
        .with("name", text("The symbol, as quote requests use it."))
        .with("address", described_ref("Address", "The token contract."))
        .with("decimals", integer(0, "Decimals of the token."))
        .build()
}

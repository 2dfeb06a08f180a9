//! What is traded where, and in which sizes.

use utoipa::openapi::{RefOr, Schema, schema::ArrayBuilder};

use super::shapes::{ClosedObject, NamedSchema, a, flag, named, number, or_null, text, whole};

/// What the operation about chains answers.
pub(super) fn all() -> Vec<NamedSchema> {
    vec![("Chains", chains()), ("Chain", chain()), ("TradedPool", pool()), ("TradedAsset", asset())]
}

fn chains() -> Schema {
    ClosedObject::new("Every chain that is served.").with("chains", listed("Chain")).build()
}

fn listed(item: &str) -> Schema {
    ArrayBuilder::new().items(named(item)).min_items(Some(1)).build().into()
}

fn chain() -> Schema {
    let wrapped = or_null(text("The name by which its pools list the wrapped coin; null where none does."));
    ClosedObject::new("A chain with its pools.")
        .with("chain_id", whole(1, "The chain, by its id (EIP-155)."))
        .with("native_symbol", text("The symbol of its native coin."))
        .with("wrapped_native_symbol", wrapped)
        .with("wrapped_native_address", a("Address", "The contract that wraps the native coin."))
        .with("pools", listed("TradedPool"))
        .build()
}

fn pool() -> Schema {
    let symbols = ArrayBuilder::new().items(RefOr::T(text("A symbol."))).min_items(Some(2)).max_items(Some(2));
    let pairs = ArrayBuilder::new().items(RefOr::T(symbols.build().into())).min_items(Some(1));
    let largest =
        number("The largest trade that is signed for who asks, at the present value of the pool, in US dollars.");
    ClosedObject::new("A pool with what it trades; null as the largest trade: only its reserves limit it.")
        .with("address", a("Address", "The pool contract."))
        .with("swaps_enabled", flag("Whether it swaps."))
        .with("smallest_trade_in_usd", number("The smallest trade that is quoted, in US dollars of the input."))
        .with("largest_trade_in_usd", or_null(largest))
        .with("assets", listed("TradedAsset"))
        .with("pairs", pairs.build())
        .build()
}

fn asset() -> Schema {
    ClosedObject::new("An asset.")
        .with("name", text("Its symbol, as quote requests name it."))
        .with("address", a("Address", "Its token."))
        .with("decimals", whole(0, "Decimals of its token."))
        .build()
}

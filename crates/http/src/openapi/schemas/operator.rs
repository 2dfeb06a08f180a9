//! What the operator's own routes answer.

use utoipa::openapi::{Schema, schema::ArrayBuilder};

use super::{
    Named,
    shapes::{Closed, a, flag, named, whole, word},
};

/// Health, readiness, prices and pauses.
pub(super) fn all() -> Vec<Named> {
    vec![
        ("Health", Closed::new("The process answers.").with("status", word(["ok"], "Always this.")).build()),
        ("Readiness", Closed::new("Requests may come.").with("status", word(["ready"], "Always this.")).build()),
        ("AcceptedPrices", Closed::new("All prices were taken.").with("accepted", whole(1, "How many.")).build()),
        ("Pauses", pauses()),
        ("PoolPause", pool_pause()),
    ]
}

fn pauses() -> Schema {
    Closed::new("Pools whose switch was set.")
        .with("pools", ArrayBuilder::new().items(named("PoolPause")).min_items(Some(1)).build())
        .with("shared", flag("Whether other replicas know it and it outlives this process."))
        .build()
}

fn pool_pause() -> Schema {
    Closed::new("One pool.")
        .with("chain_id", whole(1, "The chain, by its id (EIP-155)."))
        .with("pool_address", a("Address", "The pool contract."))
        .with("paused", flag("Whether it is paused now."))
        .build()
}

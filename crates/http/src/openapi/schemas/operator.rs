//! What the operator's own routes answer.

use utoipa::openapi::{
    RefOr, Schema,
    schema::{ArrayBuilder, ObjectBuilder, Type},
};

use super::shapes::{ClosedObject, NamedSchema, a, flag, named, text, whole, word};
use crate::readiness::{Part, STATES, state_name};

/// Health, readiness, prices and pauses.
pub(super) fn all() -> Vec<NamedSchema> {
    vec![
        ("Health", ClosedObject::new("The process answers.").with("status", word(["ok"], "Always this.")).build()),
        ("Readiness", readiness(ClosedObject::new("Requests may come."), true)),
        ("ReadinessParts", parts()),
        ("ReadinessPart", part()),
        ("AcceptedPrices", ClosedObject::new("All prices were taken.").with("accepted", whole(1, "How many.")).build()),
        ("Pauses", pauses()),
        ("PoolPause", pool_pause()),
    ]
}

/// `object` with how every part is; `is_ready` if requests may come.
pub(super) fn readiness(object: ClosedObject, is_ready: bool) -> Schema {
    let ready = ObjectBuilder::new().schema_type(Type::Boolean).enum_values(Some([is_ready]));
    object
        .with("ready", ready.description(Some("Whether requests should be sent here.")).build())
        .with("parts", named("ReadinessParts"))
        .build()
}

fn parts() -> Schema {
    Part::ALL
        .into_iter()
        .fold(ClosedObject::new("How every part is."), |parts, part| {
            let about = match part {
                Part::Store => "Whether the store takes quotes. Unready: nothing is quoted or signed.",
                Part::Ledger => "Whether the ledger takes entries. Unready: nothing is signed.",
                Part::Clock => {
                    "Unready: the clock disagrees with that of the store, or was set forward; nothing is signed."
                }
                Part::Prices => "Unready: no pool has two assets that are quoted. Degraded: some assets are not.",
                Part::Reserves => "As `prices`.",
                Part::Key => "Degraded: a key cannot be asked, and nothing is signed with it. Never unready.",
                Part::Pauses => "Unready: it is not known which pools are paused, and nothing is quoted or signed.",
                Part::Stopping => "Unready: somebody asked the service to stop.",
            };
            parts.with(part.name(), a("ReadinessPart", about))
        })
        .build()
}

fn part() -> Schema {
    let reasons = ArrayBuilder::new().items(RefOr::T(text("In words.")));
    ClosedObject::new("How a part is.")
        .with("state", word(STATES.map(state_name), "`degraded` parts do not make the service unready."))
        .with("reasons", reasons.description(Some("What is missing; nothing of a part that is ready.")).build())
        .build()
}

fn pauses() -> Schema {
    ClosedObject::new("Pools whose switch was set.")
        .with("pools", ArrayBuilder::new().items(named("PoolPause")).min_items(Some(1)).build())
        .with("shared", flag("Whether other replicas know it."))
        .with("kept", flag("Whether it is there after a restart."))
        .build()
}

fn pool_pause() -> Schema {
    ClosedObject::new("One pool.")
        .with("chain_id", whole(1, "The chain, by its id (EIP-155)."))
        .with("pool_address", a("Address", "The pool contract."))
        .with("paused", flag("Whether it is paused now."))
        .build()
}

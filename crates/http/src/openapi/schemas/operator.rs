//! Schemas of the operator's routes.

use firmquote_desk::PartState;
use strum::VariantArray as _;
use utoipa::openapi::{
    RefOr, Schema,
    schema::{ArrayBuilder, ObjectBuilder, Type},
};

use super::shapes::{
    ClosedObject, NamedSchema, boolean, described_ref, integer, non_empty_array, schema_ref, string_enum, text,
};
use crate::readiness::Part;

/// The schemas of health, readiness, prices and pauses.
pub(super) fn all() -> Vec<NamedSchema> {
    vec![
        (
            "Health",
            ClosedObject::new("The process is alive.").with("status", string_enum(["ok"], "Always `ok`.")).build(),
        ),
        ("Readiness", readiness(ClosedObject::new("The service is ready for requests."), true)),
        ("ReadinessParts", parts()),
        ("ReadinessPart", part()),
        (
            "AcceptedPrices",
            ClosedObject::new("The accepted prices.")
                .with("accepted", integer(1, "The number of accepted prices."))
                .build(),
        ),
        ("Pauses", pauses()),
        ("PoolPause", pool_pause()),
    ]
}

/// Adds to `object` the state of every part, and `is_ready`: whether the service accepts requests.
pub(super) fn readiness(object: ClosedObject, is_ready: bool) -> Schema {
    let ready = ObjectBuilder::new().schema_type(Type::Boolean).enum_values(Some([is_ready]));
    object
        .with("ready", ready.description(Some("Whether requests should be routed here.")).build())
        .with("parts", schema_ref("ReadinessParts"))
        .build()
}

fn parts() -> Schema {
    Part::VARIANTS
        .iter()
        .fold(ClosedObject::new("The state of every part."), |parts, part| {
            let about = match part {
                Part::Store => "Whether the store accepts quotes. Unready: nothing is quoted or signed.",
                Part::Ledger => "Whether the ledger accepts entries. Unready: nothing is signed.",
                Part::Clock => {
                    "Unready: the clock differs from that of the store, or was set forward; nothing is signed."
                }
                Part::Signing => {
                    "Degraded: a pool does not sign until swaps that may be outstanding have expired. Never unready."
                }
                Part::Prices => "Unready: no pool has two assets that can be quoted. Degraded: some assets cannot.",
                Part::Reserves => "The same as `prices`, for reserves.",
                Part::Key => "Degraded: a signing key is not available, and nothing is signed with it. Never unready.",
                Part::Pauses => "Unready: it is unknown which pools are paused, and nothing is quoted or signed.",
                Part::Stopping => "Unready: the service is shutting down.",
            };
            parts.with(part.name(), described_ref("ReadinessPart", about))
        })
        .build()
}

fn part() -> Schema {
    let reasons = ArrayBuilder::new().items(RefOr::T(text("A human-readable reason.")));
    ClosedObject::new("The state of a part.")
        .with(
            "state",
            string_enum(
                PartState::VARIANTS.iter().map(|state| state.name()),
                "`degraded` parts do not make the service unready.",
            ),
        )
        .with("reasons", reasons.description(Some("The problems; empty for a part that is ready.")).build())
        .build()
}

fn pauses() -> Schema {
    ClosedObject::new("The pools that were paused or resumed.")
        .with("pools", non_empty_array("PoolPause"))
        .with("shared", boolean("Whether the change reaches other replicas."))
        .with("kept", boolean("Whether the change survives a restart."))
        .build()
}

fn pool_pause() -> Schema {
    ClosedObject::new("One pool.")
        .with("chain_id", integer(1, "The chain id (EIP-155)."))
        .with("pool_address", described_ref("Address", "The pool contract."))
        .with("paused", boolean("Whether the pool is paused now."))
        .build()
}

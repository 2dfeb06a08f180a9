//! The Quote object and the Sign object (specification 2.1 and 2.2), and the one that says both.

use utoipa::openapi::{
    Schema,
    schema::{ObjectBuilder, Type},
};

use super::shapes::{ClosedObject, NamedSchema, a, number, or_null, whole};

/// What quote and sign operations answer.
pub(super) fn all() -> Vec<NamedSchema> {
    vec![
        ("Quote", quote()),
        ("SignedSwap", signed(ClosedObject::new("A quote, signed.")).build()),
        ("QuotedAndSignedSwap", priced(signed(ClosedObject::new("A quote, signed at once."))).build()),
        ("Signature", signature()),
    ]
}

fn quote() -> Schema {
    let quote = priced(ClosedObject::new("A quote, to be signed before `must_accept_by`."))
        .with("must_accept_by", a("UtcTime", "Until when it can be signed."))
        .with("good_until", whole(1, "The Unix second until which the signed swap is valid on the chain."));
    swapped(quote).build()
}

/// What the swap is worth, and the quote it came from.
fn priced(object: ClosedObject) -> ClosedObject {
    object
        .with("id", a("QuoteId", "Sent as `quote_id` to sign it."))
        .with("created_at", whole(1, "The Unix second in which it was made."))
        .with("input_value_in_usd", number("What the input is worth, in US dollars."))
        .with("output_value_in_usd", number("What the output is worth, in US dollars."))
        .with("rate", number("Output for one whole token of the input, in whole tokens."))
        .with("pool_address", a("Address", "The pool contract that would pay."))
        .with("fee_in_basis_points", number("The fee that the amounts contain, in basis points."))
        .with("largest_trade_in_usd", or_null(number(
            "The largest trade that is signed for the client at once, in US dollars; null where only reserves limit it.",
        )))
}

/// What is swapped for what.
fn swapped(object: ClosedObject) -> ClosedObject {
    object
        .with("chain_id", whole(1, "The chain, by its id (EIP-155)."))
        .with("input_asset_address", a("Address", "The token that is given."))
        .with("input_amount", a("Amount", "What is given, in base units."))
        .with("output_asset_address", a("Address", "The token that is received."))
        .with("output_amount", a("Amount", "What is received, in base units."))
}

/// What the transaction is made of.
fn signed(object: ClosedObject) -> ClosedObject {
    let decimal = ObjectBuilder::new().schema_type(Type::String).pattern(Some("^[1-9][0-9]{0,77}$"));
    let good_until = decimal.description(Some(
        "A number of up to 256 bits in decimal digits, as the contract takes it: the Unix second of expiry, or that packed \
         with what a verified pool checks.",
    ));
    let calldata = ObjectBuilder::new().schema_type(Type::String).pattern(Some("^0x([0-9a-f]{2})+$"));
    let calldata = calldata.description(Some("The encoded call; only when `calldata` was asked for."));
    swapped(object)
        .with("good_until", good_until.build())
        .with("expires_at", whole(1, "The Unix second until which the signed swap is valid on the chain."))
        .with("destination_address", a("Address", "Who receives the output."))
        .with("signature", a("Signature", "The signature of the service."))
        .with("service_exchange_address", a("Address", "The pool contract, to which the transaction goes."))
        .optional("calldata", calldata.build())
}

fn signature() -> Schema {
    let v = ObjectBuilder::new().schema_type(Type::Integer).enum_values(Some([27, 28]));
    ClosedObject::new("An ECDSA signature with a low `s` (EIP-2).")
        .with("v", v.build())
        .with("r", a("Bytes32", "The first half."))
        .with("s", a("Bytes32", "The second half."))
        .build()
}

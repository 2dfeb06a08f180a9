//! The Quote object and the Sign object (docs/api.md), and their combination.

use firmquote_domain::Execution;
use utoipa::openapi::{
    RefOr, Schema,
    schema::{ObjectBuilder, Type},
};

use super::shapes::{
    ClosedObject, NamedSchema, array, base_units, described_ref, integer, number, or_null, schema_ref, string_enum,
};
use crate::wire::STATES;

/// The schemas of the quote and sign operations.
pub(super) fn all() -> Vec<NamedSchema> {
    vec![
        ("Quote", quote()),
        ("SignedSwap", signed(ClosedObject::new("A signed quote.")).build()),
        ("QuotedAndSignedSwap", priced(signed(ClosedObject::new("A signed quote with its pricing."))).build()),
        ("Signature", signature()),
        ("QuoteStatus", status()),
        ("Settlement", settlement()),
        ("QuoteGrid", grid()),
        ("QuoteGridRow", grid_row()),
    ]
}

fn quote() -> Schema {
    let quote = priced(ClosedObject::new("A quote, to be signed before `must_accept_by`."))
        .with("must_accept_by", described_ref("UtcTime", "The quote can be signed before this time."))
        .with("good_until", integer(1, "The Unix second until which the signed swap is valid on chain."));
    swapped(quote).build()
}

/// Adds the values of the swap, and the quote it comes from.
fn priced(object: ClosedObject) -> ClosedObject {
    object
        .with("id", described_ref("QuoteId", "The quote id; pass it as `quote_id` to sign the quote."))
        .with("created_at", integer(1, "The Unix second in which the quote was made."))
        .with("input_value_in_usd", number("The value of the input in US dollars."))
        .with("output_value_in_usd", number("The value of the output in US dollars."))
        .with("rate", number("Whole tokens of output for one whole token of input."))
        .with("pool_address", described_ref("Address", "The pool contract that would execute the swap."))
        .with("state_id", described_ref("StateId", "The state that the swap was computed in."))
        .with("fee_in_basis_points", number("The fee included in the amounts, in basis points."))
        .optional("levels_id", described_ref("LevelsId", "The levels requested."))
        .optional(
            "levels_output",
            described_ref("Amount", "The output of these levels, at most the quoted one. Only with `levels_id`."),
        )
        .optional(
            "firm_budget_left_input",
            base_units("The client's remaining budget for these levels, in base units of the input. Only with `levels_id`."),
        )
        .with("largest_trade_in_usd", or_null(number(
            "The largest single trade of the pair that is signed for the client, in US dollars; null if only reserves limit it.",
        )))
}

/// Adds chain, tokens and amounts.
fn swapped(object: ClosedObject) -> ClosedObject {
    object
        .with("chain_id", integer(1, "The chain id (EIP-155)."))
        .with("input_asset_address", described_ref("Address", "The input token."))
        .with("input_amount", described_ref("Amount", "The input amount in base units."))
        .with("output_asset_address", described_ref("Address", "The output token."))
        .with("output_amount", described_ref("Amount", "The output amount in base units."))
}

/// Adds the parts of the transaction.
fn signed(object: ClosedObject) -> ClosedObject {
    let decimal = ObjectBuilder::new().schema_type(Type::String).pattern(Some("^[1-9][0-9]{0,77}$"));
    let good_until = decimal.description(Some(
        "A number of up to 256 bits in decimal digits, as passed to the contract: the Unix second of expiry or, for a \
         verified pool, that second packed with the values that the contract checks.",
    ));
    let calldata = ObjectBuilder::new().schema_type(Type::String).pattern(Some("^0x([0-9a-f]{2})+$"));
    let calldata = calldata.description(Some("The encoded call; only if `calldata` was requested."));
    swapped(object)
        .with("good_until", good_until.build())
        .with("expires_at", integer(1, "The Unix second until which the signed swap is valid on chain."))
        .with("destination_address", described_ref("Address", "The account that receives the output."))
        .with("signature", described_ref("Signature", "The signature of the service."))
        .with(
            "service_exchange_address",
            described_ref("Address", "The pool contract, the recipient of the transaction."),
        )
        .with("execution", execution())
        .optional("calldata", calldata.build())
}

fn signature() -> Schema {
    let v = ObjectBuilder::new().schema_type(Type::Integer).enum_values(Some([27, 28]));
    ClosedObject::new("An ECDSA signature with a low `s` (EIP-2).")
        .with("v", v.build())
        .with("r", described_ref("Bytes32", "The `r` value."))
        .with("s", described_ref("Bytes32", "The `s` value."))
        .build()
}

fn execution() -> Schema {
    string_enum(
        Execution::ALL.map(Execution::name),
        "Whether the swap executes until it expires, regardless of others (`guaranteed`), or may revert when \
         others in its direction are executed first (`best_effort`).",
    )
}

fn status() -> Schema {
    let state = string_enum(
        STATES,
        "`created`: not signed yet; `signed`: may be executed; `settled`: executed; `lapsed`: no longer valid, never \
         executed.",
    );
    ClosedObject::new("The status of a quote.")
        .with("quote_id", described_ref("QuoteId", "The quote."))
        .with("state", state)
        .with("chain_id", integer(1, "The chain id (EIP-155)."))
        .with("pool_address", described_ref("Address", "The pool contract."))
        .with("created_at", integer(1, "The Unix second in which the quote was made."))
        .with("must_accept_by", described_ref("UtcTime", "The quote could be signed before this time."))
        .with("good_until", integer(1, "The Unix second until which the signed swap is valid on chain."))
        .with("signed_at", or_null(described_ref("UtcTime", "The time of signing; null for an unsigned quote.")))
        .with("execution", or_null(execution()))
        .with("settled", or_null(schema_ref("Settlement")))
        .build()
}

fn settlement() -> Schema {
    let confirmations = integer(
        1,
        "The number of blocks from this one to the newest, both included; null until the replica has read this block.",
    );
    ClosedObject::new("The execution of a signed swap, as the event of the pool contract states it.")
        .with("transaction_hash", described_ref("Bytes32", "The transaction."))
        .with("log_index", integer(0, "The position of the event among those of its block."))
        .with("block_number", integer(0, "The block."))
        .with("block_timestamp", integer(0, "The Unix second of the block."))
        .with("confirmations", or_null(confirmations))
        .with("input_amount", described_ref("BaseUnits", "The amount paid to the pool, in base units."))
        .with("output_amount", described_ref("BaseUnits", "The amount paid by the pool, in base units."))
        .build()
}

fn grid() -> Schema {
    ClosedObject::new("Indicative quotes in one state of one pool.")
        .with("chain_id", integer(1, "The chain id (EIP-155)."))
        .with("pool_address", described_ref("Address", "The pool contract that would execute the swaps."))
        .with("state_id", described_ref("StateId", "The state that the outputs were computed in."))
        .with("input_asset_address", described_ref("Address", "The input token."))
        .with("output_asset_address", described_ref("Address", "The output token."))
        .with(
            "input_amounts",
            array(schema_ref("Amount"), "The input amounts in base units, in the order of the request."),
        )
        .with("rows", array(schema_ref("QuoteGridRow"), "The outputs for each validity, in the order of the request."))
        .build()
}

fn grid_row() -> Schema {
    let outputs = array(
        RefOr::T(or_null(schema_ref("Amount"))),
        "The output of each input amount in base units; null where a quote is refused as too small or too large.",
    );
    ClosedObject::new("Indicative quotes for one validity.")
        .with("time_in_seconds", integer(1, "The seconds between acceptance and the transaction on chain."))
        .with("fee_in_basis_points", number("The fee included in the outputs, in basis points."))
        .with("output_amounts", outputs)
        .build()
}

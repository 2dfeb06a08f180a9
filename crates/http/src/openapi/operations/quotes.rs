//! Pools, quotes, signatures and levels, of both versions.

use crate::{
    input::Field,
    levels::LEVELS,
    openapi::{
        examples,
        operation_spec::{
            Inputs, OperationSpec,
            SuccessBody::{Json, PoolData, Text, Upgrade},
        },
    },
    wire,
};

const CHAIN: &[Field] = &[Field::ChainId];

const ABOUT_QUOTE: &str = "Exactly one of `input_amount` and `output_amount` is required. Only the client that requested the \
    quote can have it signed, and only before its `must_accept_by`.";

const ABOUT_SIGN: &str = "A quote is signed for one set of terms only: a repeated request with the same terms returns the \
    same response until `good_until`, a request with other terms is rejected. If the quote conflicts with the latest \
    prices, the error contains a fresh quote where possible.";

const ABOUT_POOLS: &str = "Without `fieldset`: balances, prices, values and target values. With \
    `fieldset=offchain-data`: the parameters of the pricing formula, and the fee of each pair for `time_in_seconds`. \
    With `fieldset=all`: both, from the same instant.";

const ABOUT_STATUS: &str = "Only for the client that requested the quote. A settled or lapsed swap may become `signed` again when \
    the chain is reorganized: count `confirmations`. An unsigned quote is retained until its `must_accept_by`, a signed one \
    usually until a day after `good_until`; the operator configures this.";

const ABOUT_GRID: &str = "Outputs for each input amount and validity, computed in one state of one pool. Each equals a quote \
    in that state; no quote is stored. Without `pool_address`, the pool that serves most of the sizes is used.";

const ABOUT_LEVELS: &str = "Points of the pool's curve for each pair and direction. The straight lines between them never exceed the \
    curve: from the first knot to the last, a quote for an input is at least the line, rounded down. A book holds until its \
    `valid_until_ms`, unless a stream withdraws or replaces it. Covers all pools of the chain unless `pool_address` is given.";

const ABOUT_LEVEL_STREAM: &str = "The books of `levels_v2`, followed by every change: an event for each message, with \
    the type of the message as its `event`. `/asyncapi.json` describes the messages.";

const ABOUT_LEVEL_SOCKET: &str = "The messages of `level_stream_v2` as text frames of a WebSocket (RFC 6455). The service pings \
    every 15 seconds and closes a connection that was silent for 45 seconds.";

pub(super) const POOL_V1: OperationSpec = OperationSpec {
    id: "pool_v1",
    summary: "The default pool of a chain",
    about: ABOUT_POOLS,
    success: "The pool.",
    inputs: Inputs::query(wire::POOL_V1),
    body: PoolData("PoolResponse", examples::pool),
};

pub(super) const QUOTE_V1: OperationSpec = OperationSpec {
    id: "quote_v1",
    summary: "Request a quote",
    about: ABOUT_QUOTE,
    success: "The quote.",
    inputs: Inputs::body(wire::QUOTE_V1),
    body: Json("Quote", examples::quote),
};

pub(super) const SIGN_V1: OperationSpec = OperationSpec {
    id: "sign_v1",
    summary: "Sign a quote",
    about: ABOUT_SIGN,
    success: "The signed swap.",
    inputs: Inputs::body(wire::SIGN),
    body: Json("SignedSwap", examples::signed),
};

pub(super) const CHAINS_V2: OperationSpec = OperationSpec {
    id: "chains_v2",
    summary: "Chains, pools, assets and pairs",
    about: "Every chain with its pools, their assets and pairs, and the smallest and largest trade for the calling \
             client.",
    success: "The chains.",
    inputs: Inputs::NONE,
    body: Json("Chains", examples::chains),
};

pub(super) const POOL_V2: OperationSpec = OperationSpec {
    id: "pools_v2",
    summary: "All pools of a chain, or one of them",
    about: ABOUT_POOLS,
    success: "The pools.",
    inputs: Inputs::path_and_query(CHAIN, wire::POOL_V2),
    body: PoolData("PoolsResponse", examples::pools),
};

pub(super) const QUOTE_V2: OperationSpec = OperationSpec {
    id: "quote_v2",
    summary: "Request a quote",
    about: ABOUT_QUOTE,
    success: "The quote.",
    inputs: Inputs::path_and_query(CHAIN, wire::QUOTE_V2),
    body: Json("Quote", examples::quote),
};

pub(super) const SIGN_V2: OperationSpec = OperationSpec {
    id: "sign_v2",
    summary: "Sign a quote",
    about: ABOUT_SIGN,
    success: "The signed swap.",
    inputs: Inputs::body(wire::SIGN),
    body: Json("SignedSwap", examples::signed),
};

pub(super) const QUOTE_SIGN_V2: OperationSpec = OperationSpec {
    id: "quote_sign_v2",
    summary: "Request a quote and sign it",
    about: "Quote and sign in one round trip. Exactly one of `input_amount` and `output_amount` is required.",
    success: "The signed swap and its quote.",
    inputs: Inputs::path_and_query(CHAIN, wire::QUOTE_SIGN),
    body: Json("QuotedSwap", examples::quoted_and_signed),
};

pub(super) const QUOTE_STATUS_V2: OperationSpec = OperationSpec {
    id: "quote_status_v2",
    summary: "Status of a quote",
    about: ABOUT_STATUS,
    success: "The status.",
    inputs: Inputs::path_and_query(&[Field::QuoteId], &[]),
    body: Json("QuoteStatus", examples::status),
};

pub(super) const QUOTE_GRID_V2: OperationSpec = OperationSpec {
    id: "curve_v2",
    summary: "Indicative quotes for many sizes",
    about: ABOUT_GRID,
    success: "The outputs.",
    inputs: Inputs::path_and_query(CHAIN, wire::GRID),
    body: Json("QuoteGrid", examples::grid),
};

pub(super) const LEVELS_V2: OperationSpec = OperationSpec {
    id: "levels_v2",
    summary: "Price levels",
    about: ABOUT_LEVELS,
    success: "The books.",
    inputs: Inputs::path_and_query(CHAIN, LEVELS),
    body: Json("LevelsSnapshot", examples::levels),
};

pub(super) const LEVEL_STREAM_V2: OperationSpec = OperationSpec {
    id: "level_stream_v2",
    summary: "Price levels as Server-Sent Events",
    about: ABOUT_LEVEL_STREAM,
    success: "The stream.",
    inputs: Inputs::path_and_query(CHAIN, LEVELS),
    body: Text("text/event-stream"),
};

pub(super) const LEVEL_SOCKET_V2: OperationSpec = OperationSpec {
    id: "level_socket_v2",
    summary: "Price levels over a WebSocket",
    about: ABOUT_LEVEL_SOCKET,
    success: "The handshake is accepted; the messages follow.",
    inputs: Inputs::path_and_query(CHAIN, LEVELS),
    body: Upgrade,
};

//! The operations of the document: one row for each route with everything that differs between them.

use serde_json::json;
use utoipa::openapi::{
    RefOr, Schema,
    schema::{AdditionalProperties, ArrayBuilder, ObjectBuilder, Type},
};

use super::{
    examples,
    operation_spec::{
        Inputs, OperationSpec,
        SuccessBody::{self, AnyJson, DocsFiles, Json, PoolData, Text, Upgrade},
    },
};
use crate::{
    input::Field,
    levels::LEVELS,
    routes::Route,
    wire::{CURVE, GRID, POOL_V1, POOL_V2, QUOTE_SIGN, QUOTE_V1, QUOTE_V2, SIGN},
};

const VERSION_1: &str = "version 1";
const VERSION_2: &str = "version 2";
const PAGES: &str = "pages";
const OPERATOR: &str = "operator";

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

const ABOUT_LEVELS: &str = "Points of the pool's curve for each pair and direction, and the straight lines between them, which lie \
    under it: between the first knot and the last, a quote for an input is at least the line, rounded down. A book holds \
    until its `valid_until_ms`, unless a stream withdraws or replaces it. Without `pool_address`, of all pools of the chain.";

const ABOUT_LEVEL_STREAM: &str = "The books of `levels_v2`, followed by every change: an event for each message, with \
    the type of the message as its `event`. `/asyncapi.json` describes the messages.";

const ABOUT_LEVEL_SOCKET: &str = "The messages of `level_stream_v2` as text frames of a WebSocket (RFC 6455). The service pings \
    every 15 seconds and closes a connection that was silent for 45 seconds.";

const CHAIN: &[Field] = &[Field::ChainId];
const POOL: &[Field] = &[Field::PoolAddress];
const PRICES: &[Field] = &[Field::Prices];
const HTML: SuccessBody = Text("text/html; charset=utf-8");

/// Returns the operation of `route`; `None` for redirects and for unmatched paths.
pub(super) const fn operation(route: Route) -> Option<OperationSpec> {
    let (id, tag, summary, about, success, inputs, body) = match route {
        Route::PoolV1 => (
            "pool_v1",
            VERSION_1,
            "The default pool of a chain",
            ABOUT_POOLS,
            "The pool.",
            Inputs::query(POOL_V1),
            PoolData("Pool", examples::pool),
        ),
        Route::QuoteV1 => (
            "quote_v1",
            VERSION_1,
            "Request a quote",
            ABOUT_QUOTE,
            "The quote.",
            Inputs::body(QUOTE_V1),
            Json("Quote", examples::quote),
        ),
        Route::SignV1 => (
            "sign_v1",
            VERSION_1,
            "Sign a quote",
            ABOUT_SIGN,
            "The signed swap.",
            Inputs::body(SIGN),
            Json("SignedSwap", examples::signed),
        ),
        Route::ChainsV2 => (
            "chains_v2",
            VERSION_2,
            "Chains, pools, assets and pairs",
            "Every chain with its pools, their assets and pairs, and the smallest and largest trade for the calling \
             client.",
            "The chains.",
            Inputs::NONE,
            Json("Chains", examples::chains),
        ),
        Route::PoolV2 => (
            "pools_v2",
            VERSION_2,
            "All pools of a chain, or one of them",
            ABOUT_POOLS,
            "The pools.",
            Inputs::path_and_query(CHAIN, POOL_V2),
            PoolData("Pools", examples::pools),
        ),
        Route::QuoteV2 => (
            "quote_v2",
            VERSION_2,
            "Request a quote",
            ABOUT_QUOTE,
            "The quote.",
            Inputs::path_and_query(CHAIN, QUOTE_V2),
            Json("Quote", examples::quote),
        ),
        Route::SignV2 => (
            "sign_v2",
            VERSION_2,
            "Sign a quote",
            ABOUT_SIGN,
            "The signed swap.",
            Inputs::body(SIGN),
            Json("SignedSwap", examples::signed),
        ),
        Route::QuoteSignV2 => (
            "quote_sign_v2",
            VERSION_2,
            "Request a quote and sign it",
            "Quote and sign in one round trip. Exactly one of `input_amount` and `output_amount` is required.",
            "The signed swap and its quote.",
            Inputs::path_and_query(CHAIN, QUOTE_SIGN),
            Json("QuotedAndSignedSwap", examples::quoted_and_signed),
        ),
        Route::QuoteStatusV2 => (
            "quote_status_v2",
            VERSION_2,
            "Status of a quote",
            ABOUT_STATUS,
            "The status.",
            Inputs::path_and_query(&[Field::QuoteId], &[]),
            Json("QuoteStatus", examples::status),
        ),
        Route::CurveV2 => (
            "curve_v2",
            VERSION_2,
            "Indicative quotes for many sizes",
            ABOUT_GRID,
            "The outputs.",
            Inputs::path_and_query(CHAIN, GRID),
            Json("QuoteGrid", examples::grid),
        ),
        Route::LevelsV2 => (
            "levels_v2",
            VERSION_2,
            "Price levels",
            ABOUT_LEVELS,
            "The books.",
            Inputs::path_and_query(CHAIN, LEVELS),
            Json("Levels", examples::levels),
        ),
        Route::LevelStreamV2 => (
            "level_stream_v2",
            VERSION_2,
            "Price levels as Server-Sent Events",
            ABOUT_LEVEL_STREAM,
            "The stream.",
            Inputs::path_and_query(CHAIN, LEVELS),
            Text("text/event-stream"),
        ),
        Route::LevelSocketV2 => (
            "level_socket_v2",
            VERSION_2,
            "Price levels over a WebSocket",
            ABOUT_LEVEL_SOCKET,
            "The handshake is accepted; the messages follow.",
            Inputs::path_and_query(CHAIN, LEVELS),
            Upgrade,
        ),
        Route::OpenApi => (
            "openapi",
            PAGES,
            "This document",
            "The document of this listener.",
            "This document.",
            Inputs::NONE,
            AnyJson(document),
        ),
        Route::AsyncApi => (
            "asyncapi",
            PAGES,
            "The messages of the streams of levels",
            "An AsyncAPI 3 document.",
            "The document.",
            Inputs::NONE,
            AnyJson(asyncapi),
        ),
        Route::ContractAbi => (
            "contract_abi",
            PAGES,
            "The ABI of the pool contract",
            "The functions that `calldata` calls and the swap event, in the JSON format of the Solidity compiler.",
            "The ABI.",
            Inputs::NONE,
            AnyJson(abi),
        ),
        Route::TypedData => (
            "typed_data",
            PAGES,
            "The EIP-712 types of a signed swap",
            "EIP-712 types and primary type, for signing libraries. The domain is `eip712_domain` of the pool data.",
            "The types.",
            Inputs::NONE,
            AnyJson(typed_data),
        ),
        Route::Docs => (
            "docs",
            PAGES,
            "Interactive documentation",
            "A web page that shows this document and can send requests to the service.",
            "The page.",
            Inputs::NONE,
            HTML,
        ),
        Route::DocsFile => (
            "docs_file",
            PAGES,
            "A file of the documentation page",
            "A script or style sheet of the page, or its license; compressed with gzip if the client accepts that.",
            "The file.",
            Inputs::NONE,
            DocsFiles,
        ),
        Route::ErrorIndex => (
            "error_index",
            PAGES,
            "All types of invalid input",
            "A web page that lists every `type` that an item of `data` can have.",
            "The page.",
            Inputs::NONE,
            HTML,
        ),
        Route::ErrorPage => (
            "error_page",
            PAGES,
            "One type of invalid input",
            "The web page that the `url` of an item of `data` links to.",
            "The page.",
            Inputs::NONE,
            HTML,
        ),
        Route::Health => (
            "health",
            OPERATOR,
            "Liveness check",
            "Checks no dependencies.",
            "The process is alive.",
            Inputs::NONE,
            Json("Health", || json!({"status": "ok"})),
        ),
        Route::Readiness => (
            "readiness",
            OPERATOR,
            "Readiness check",
            "Checks every part that requests depend on, concurrently, and returns the state of each.",
            "The service is ready for requests.",
            Inputs::NONE,
            Json("Readiness", || examples::readiness(true)),
        ),
        Route::Metrics => (
            "metrics",
            OPERATOR,
            "All metrics",
            "In the Prometheus text exposition format.",
            "The metrics.",
            Inputs::NONE,
            Text("text/plain; version=0.0.4; charset=utf-8"),
        ),
        Route::Prices => (
            "put_prices",
            OPERATOR,
            "Send prices",
            "Accepts all prices or none. The trust rules of each asset are checked later, when its price is received.",
            "All prices were accepted.",
            Inputs::body(PRICES),
            Json("AcceptedPrices", || json!({"accepted": 1})),
        ),
        Route::PausePool => (
            "pause_pool",
            OPERATOR,
            "Pause a pool",
            "Stops quotes and signatures of the pool on all replicas until it is resumed.",
            "The pool is paused.",
            Inputs::path_and_query(POOL, &[Field::ChainId]),
            Json("Pauses", || examples::pauses(true)),
        ),
        Route::ResumePool => (
            "resume_pool",
            OPERATOR,
            "Resume a pool",
            "Resumes quotes and signatures of the pool on all replicas.",
            "The pool is resumed.",
            Inputs::path_and_query(POOL, &[Field::ChainId]),
            Json("Pauses", || examples::pauses(false)),
        ),
        Route::OperatorPage => (
            "operator_page",
            OPERATOR,
            "The operator's page",
            "A web page that shows pools, prices, curves and recent signatures, and pauses and resumes pools.",
            "The page.",
            Inputs::NONE,
            HTML,
        ),
        Route::OperatorStyle => (
            "operator_style",
            OPERATOR,
            "Style sheet of the operator's page",
            "A CSS file.",
            "The style sheet.",
            Inputs::NONE,
            Text("text/css; charset=utf-8"),
        ),
        Route::OperatorScript => (
            "operator_script",
            OPERATOR,
            "Script of the operator's page",
            "A JavaScript module.",
            "The module.",
            Inputs::NONE,
            Text("text/javascript; charset=utf-8"),
        ),
        Route::Overview => (
            "overview",
            OPERATOR,
            "Overview of all pools",
            "The last known prices and reserves, trusted or not, and the fee of each pair. Queries no other server.",
            "The pools.",
            Inputs::NONE,
            Json("Overview", examples::overview),
        ),
        Route::Curve => (
            "curve",
            OPERATOR,
            "Price curve of a pair",
            "Trade sizes from the smallest up to what reserves and limits allow, priced like quotes but not stored, \
             and the fee over the range of times that the pool allows. Also for a paused pool.",
            "The curve.",
            Inputs::path_and_query(POOL, CURVE),
            Json("Curve", examples::curve),
        ),
        Route::RecentSignatures => (
            "recent_signatures",
            OPERATOR,
            "Recent signatures",
            "The most recent signatures of this process since its start, newest first. The ledger is the full record.",
            "The signatures.",
            Inputs::NONE,
            Json("RecentSignatures", examples::recent_signatures),
        ),
        // Redirects and unmatched paths are not operations.
        Route::Root | Route::DocsSlash | Route::Unmatched => return None,
    };
    Some(OperationSpec { id, tag, summary, about, success, inputs, body })
}

/// An OpenAPI document.
fn document() -> RefOr<Schema> {
    open_object("openapi").into()
}

/// An AsyncAPI document.
fn asyncapi() -> RefOr<Schema> {
    open_object("asyncapi").into()
}

/// A contract ABI.
fn abi() -> RefOr<Schema> {
    ArrayBuilder::new().items(RefOr::T(open_object("type"))).build().into()
}

/// EIP-712 types.
fn typed_data() -> RefOr<Schema> {
    open_object("primaryType").into()
}

/// An object with one required text and any other members.
fn open_object(required: &str) -> Schema {
    let any = ObjectBuilder::new().additional_properties(Some(AdditionalProperties::FreeForm(true)));
    any.required(required).property(required, ObjectBuilder::new().schema_type(Type::String)).build().into()
}

//! Id, tag and texts of each operation.

use crate::routes::Route;

/// The texts of an operation.
pub(super) struct OperationText {
    /// Unique in a document; generated clients name their functions after it.
    pub(super) id: &'static str,
    /// One line.
    pub(super) summary: &'static str,
    /// The description: everything that the summary leaves out.
    pub(super) about: &'static str,
    /// The group that the operation is listed in.
    pub(super) tag: &'static str,
    /// The description of the 200 response.
    pub(super) success: &'static str,
}

const VERSION_1: &str = "version 1";
const VERSION_2: &str = "version 2";
const PAGES: &str = "pages";
const OPERATOR: &str = "operator";

const QUOTE: &str = "Exactly one of `input_amount` and `output_amount` is required. Only the client that requested the \
    quote can have it signed, and only before its `must_accept_by`.";
const SIGN: &str = "A quote is signed for one set of terms only: a repeated request with the same terms returns the \
    same response until `good_until`, a request with other terms is rejected. If the quote conflicts with the latest \
    prices, the error contains a fresh quote where possible.";
const FIELDSETS: &str = "Without `fieldset`: balances, prices, values and target values. With \
    `fieldset=offchain-data`: the parameters of the pricing formula, and the fee of each pair for `time_in_seconds`. \
    With `fieldset=all`: both, from the same instant.";

/// The texts of `route`; `None` for redirects and for unmatched paths.
pub(super) const fn operation_text(route: Route) -> Option<OperationText> {
    let (id, tag, summary, about, success) = match route {
        Route::PoolV1 => ("pool_v1", VERSION_1, "The default pool of a chain", FIELDSETS, "The pool."),
        Route::QuoteV1 => ("quote_v1", VERSION_1, "Request a quote", QUOTE, "The quote."),
        Route::SignV1 => ("sign_v1", VERSION_1, "Sign a quote", SIGN, "The signed swap."),
        Route::ChainsV2 => (
            "chains_v2",
            VERSION_2,
            "Chains, pools, assets and pairs",
            "Every chain with its pools, their assets and pairs, and the smallest and largest trade for the calling \
             client.",
            "The chains.",
        ),
        Route::PoolV2 => ("pools_v2", VERSION_2, "All pools of a chain, or one of them", FIELDSETS, "The pools."),
        Route::QuoteV2 => ("quote_v2", VERSION_2, "Request a quote", QUOTE, "The quote."),
        Route::SignV2 => ("sign_v2", VERSION_2, "Sign a quote", SIGN, "The signed swap."),
        Route::QuoteSignV2 => (
            "quote_sign_v2",
            VERSION_2,
            "Request a quote and sign it",
            "Quote and sign in one round trip. Exactly one of `input_amount` and `output_amount` is required.",
            "The signed swap and its quote.",
        ),
        Route::OpenApi => ("openapi", PAGES, "This document", "The document of this listener.", "This document."),
        Route::ContractAbi => (
            "contract_abi",
            PAGES,
            "The ABI of the pool contract",
            "The functions that `calldata` calls and the swap event, in the JSON format of the Solidity compiler.",
            "The ABI.",
        ),
        Route::TypedData => (
            "typed_data",
            PAGES,
            "The EIP-712 types of a signed swap",
            "EIP-712 types and primary type, for signing libraries. The domain is `eip712_domain` of the pool data.",
            "The types.",
        ),
        Route::Docs => (
            "docs",
            PAGES,
            "Interactive documentation",
            "A web page that shows this document and can send requests to the service.",
            "The page.",
        ),
        Route::DocsFile => (
            "docs_file",
            PAGES,
            "A file of the documentation page",
            "A script or style sheet of the page, or its license; compressed with gzip if the client accepts that.",
            "The file.",
        ),
        Route::ErrorIndex => (
            "error_index",
            PAGES,
            "All types of invalid input",
            "A web page that lists every `type` that an item of `data` can have.",
            "The page.",
        ),
        Route::ErrorPage => (
            "error_page",
            PAGES,
            "One type of invalid input",
            "The web page that the `url` of an item of `data` links to.",
            "The page.",
        ),
        Route::Health => ("health", OPERATOR, "Liveness check", "Checks no dependencies.", "The process is alive."),
        Route::Readiness => (
            "readiness",
            OPERATOR,
            "Readiness check",
            "Checks every part that requests depend on, concurrently, and returns the state of each.",
            "The service is ready for requests.",
        ),
        Route::Metrics => {
            ("metrics", OPERATOR, "All metrics", "In the Prometheus text exposition format.", "The metrics.")
        }
        Route::Prices => (
            "put_prices",
            OPERATOR,
            "Send prices",
            "Accepts all prices or none. The trust rules of each asset are checked later, when its price is received.",
            "All prices were accepted.",
        ),
        Route::PausePool => (
            "pause_pool",
            OPERATOR,
            "Pause a pool",
            "No replica quotes or signs for it until it is resumed.",
            "The pool is paused.",
        ),
        Route::ResumePool => ("resume_pool", OPERATOR, "Resume a pool", "On every replica.", "The pool is resumed."),
        Route::OperatorPage => (
            "operator_page",
            OPERATOR,
            "The operator's page",
            "A web page that shows pools, prices, curves and recent signatures, and pauses and resumes pools.",
            "The page.",
        ),
        Route::OperatorStyle => {
            ("operator_style", OPERATOR, "Style sheet of the operator's page", "A CSS file.", "The style sheet.")
        }
        Route::OperatorScript => {
            ("operator_script", OPERATOR, "Script of the operator's page", "A JavaScript module.", "The module.")
        }
        Route::Overview => (
            "overview",
            OPERATOR,
            "Overview of all pools",
            "The last known prices and reserves, trusted or not, and the fee of each pair. Queries no other server.",
            "The pools.",
        ),
        Route::Curve => (
            "curve",
            OPERATOR,
            "Price curve of a pair",
            "Trade sizes from the smallest up to what reserves and limits allow, priced like quotes but not stored, \
             and the fee over the range of times that the pool allows. Also for a paused pool.",
            "The curve.",
        ),
        Route::RecentSignatures => (
            "recent_signatures",
            OPERATOR,
            "Recent signatures",
            "The most recent signatures of this process since its start, newest first. The ledger is the full record.",
            "The signatures.",
        ),
        // Redirects and unmatched paths are not operations.
        Route::Root | Route::DocsSlash | Route::Unmatched => return None,
    };
    Some(OperationText { id, summary, about, tag, success })
}

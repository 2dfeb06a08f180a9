//! What each operation is called, and what it is for.

use crate::routes::Route;

/// An operation in words.
pub(super) struct OperationText {
    /// Unique in a document; generated clients name their functions by it.
    pub(super) id: &'static str,
    /// One line.
    pub(super) summary: &'static str,
    /// What else there is to know.
    pub(super) about: &'static str,
    /// The group it stands in.
    pub(super) tag: &'static str,
    /// What a success is.
    pub(super) success: &'static str,
}

const VERSION_1: &str = "version 1";
const VERSION_2: &str = "version 2";
const PAGES: &str = "pages";
const OPERATOR: &str = "operator";

const QUOTE: &str = "Exactly one of `input_amount` and `output_amount` is given. The quote belongs to the client that asked \
    and has to be signed before its `must_accept_by`.";
const SIGN: &str = "The first terms a quote is signed for are the only ones: the same terms get the same answer until \
    `good_until`, other terms are refused. A quote that conflicts with the latest prices comes with a fresh one where \
    there can be one.";
const FIELDSETS: &str = "Without `fieldset`: balances, prices, values and target values. With `fieldset=offchain-data`: what \
    quotes are computed with, and the fee of each pair for `time_in_seconds`. With `fieldset=all`: both, of one instant.";

/// The words of `route`; `None` for what is no operation.
pub(super) const fn operation_text(route: Route) -> Option<OperationText> {
    let (id, tag, summary, about, success) = match route {
        Route::PoolV1 => ("pool_v1", VERSION_1, "The default pool of a chain", FIELDSETS, "The pool."),
        Route::QuoteV1 => ("quote_v1", VERSION_1, "Make a quote", QUOTE, "The quote."),
        Route::SignV1 => ("sign_v1", VERSION_1, "Sign a quote", SIGN, "The signed swap."),
        Route::ChainsV2 => (
            "chains_v2",
            VERSION_2,
            "What is traded where",
            "Every chain with its pools, their assets and pairs, and the smallest and the largest trade of the client that \
             asks.",
            "The chains.",
        ),
        Route::PoolV2 => ("pools_v2", VERSION_2, "The pools of a chain, or one of them", FIELDSETS, "The pools."),
        Route::QuoteV2 => ("quote_v2", VERSION_2, "Make a quote", QUOTE, "The quote."),
        Route::SignV2 => ("sign_v2", VERSION_2, "Sign a quote", SIGN, "The signed swap."),
        Route::QuoteSignV2 => (
            "quote_sign_v2",
            VERSION_2,
            "Make a quote and sign it",
            "Quote and sign in one round trip. Exactly one of `input_amount` and `output_amount` is given.",
            "The signed swap, and what was quoted.",
        ),
        Route::OpenApi => ("openapi", PAGES, "This document", "What this listener answers.", "This document."),
        Route::ContractAbi => (
            "contract_abi",
            PAGES,
            "The ABI of the pool contract",
            "The functions that `calldata` calls and the event of a swap, as Solidity's compiler writes them.",
            "The ABI.",
        ),
        Route::TypedData => (
            "typed_data",
            PAGES,
            "The types of what is signed",
            "Types and primary type of EIP-712, for libraries. The domain is `eip712_domain` of the pool data.",
            "The types.",
        ),
        Route::Docs => (
            "docs",
            PAGES,
            "This document as a page",
            "A page for people that shows what this listener answers and sends requests from there.",
            "The page.",
        ),
        Route::DocsFile => (
            "docs_file",
            PAGES,
            "A file of that page",
            "A script or style sheet of the page, or a licence of one; compressed with gzip for who takes that.",
            "The file.",
        ),
        Route::ErrorIndex => (
            "error_index",
            PAGES,
            "The types of invalid inputs",
            "A page that lists every `type` of an item of `data`.",
            "The page.",
        ),
        Route::ErrorPage => (
            "error_page",
            PAGES,
            "One type of invalid inputs",
            "The page that `url` of an item of `data` leads to.",
            "The page.",
        ),
        Route::Health => ("health", OPERATOR, "Whether the process answers", "Asks nothing else.", "It does."),
        Route::Readiness => (
            "readiness",
            OPERATOR,
            "Whether requests should be sent here",
            "Asks every part that requests need, all at once, and tells how each is.",
            "They should.",
        ),
        Route::Metrics => {
            ("metrics", OPERATOR, "All metrics", "In the text exposition format of Prometheus.", "The metrics.")
        }
        Route::Prices => (
            "put_prices",
            OPERATOR,
            "Send prices",
            "All are taken or none. They are held against the rules of their assets when they are heard.",
            "All were taken.",
        ),
        Route::PausePool => (
            "pause_pool",
            OPERATOR,
            "Stop a pool",
            "No replica quotes or signs for it until it is resumed.",
            "It is paused.",
        ),
        Route::ResumePool => ("resume_pool", OPERATOR, "Let a paused pool go on", "On every replica.", "It goes on."),
        Route::OperatorPage => (
            "operator_page",
            OPERATOR,
            "The operator's page",
            "For people: pools, prices, curves, recent signatures, the switch of each pool.",
            "The page.",
        ),
        Route::OperatorStyle => {
            ("operator_style", OPERATOR, "How the operator's page looks", "Its style sheet.", "The style sheet.")
        }
        Route::OperatorScript => {
            ("operator_script", OPERATOR, "What the operator's page runs", "One of its modules.", "The module.")
        }
        Route::Overview => (
            "overview",
            OPERATOR,
            "All pools at one glance",
            "What is known of prices and reserves, trusted or not, and what pairs charge. Asks nobody.",
            "The pools.",
        ),
        Route::Curve => (
            "curve",
            OPERATOR,
            "What quotes of a pair would be",
            "Sizes from the least trade to what reserves and limits allow, priced as quotes are and kept nowhere, and the fee \
             for the times that the pool allows. Also of a pool that is paused.",
            "The curve.",
        ),
        Route::RecentSignatures => (
            "recent_signatures",
            OPERATOR,
            "What was signed last",
            "The last signatures of this process since its start, the newest first. The ledger is the full record.",
            "The signatures.",
        ),
        // What leads to a page is no operation.
        Route::Root | Route::DocsSlash | Route::Unmatched => return None,
    };
    Some(OperationText { id, summary, about, tag, success })
}

//! The routes of each listener.

use super::route::Route;

/// What a listener answers, with the pages that explain it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Routes {
    /// Version 1 and version 2.
    Both,
    /// Version 1 on a listener of its own.
    Version1,
    /// Version 2 on a listener of its own.
    Version2,
    /// Health, readiness, metrics, the prices that the operator sends, the switch of each pool, and the operator's page with
    /// what it shows.
    Admin,
}

const VERSION_1: &[Route] = &[Route::PoolV1, Route::QuoteV1, Route::SignV1];
const VERSION_2: &[Route] = &[Route::ChainsV2, Route::PoolV2, Route::QuoteV2, Route::SignV2, Route::QuoteSignV2];
const ADMIN: &[Route] = &[
    Route::Health,
    Route::Readiness,
    Route::Metrics,
    Route::Prices,
    Route::PausePool,
    Route::ResumePool,
    Route::OperatorPage,
    Route::OperatorStyle,
    Route::OperatorScript,
    Route::Overview,
    Route::Curve,
    Route::RecentSignatures,
];
/// What leads to the page that explains a listener with no page of its own.
const ROOT: &[Route] = &[Route::Root];
const PAGES: &[Route] = &[
    Route::OpenApi,
    Route::ContractAbi,
    Route::TypedData,
    Route::Docs,
    Route::DocsSlash,
    Route::DocsFile,
    Route::ErrorIndex,
    Route::ErrorPage,
];

impl Routes {
    /// All of them, in the order in which they are described; no path is of two of them.
    pub(crate) fn all(self) -> impl Iterator<Item = Route> {
        let operations: [&[Route]; 3] = match self {
            Self::Both => [VERSION_1, VERSION_2, ROOT],
            Self::Version1 => [VERSION_1, &[], ROOT],
            Self::Version2 => [VERSION_2, &[], ROOT],
            Self::Admin => [ADMIN, &[], &[]],
        };
        operations.into_iter().chain([PAGES]).flatten().copied()
    }
}

//! The routes of each listener.

use super::route::Route;

/// The operations that a listener serves, along with the documentation pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Routes {
    /// Version 1 and version 2.
    Both,
    /// Version 1 on a listener of its own.
    Version1,
    /// Version 2 on a listener of its own.
    Version2,
    /// Health, readiness, metrics, the operator's prices, pausing and resuming pools, and the operator's page with its
    /// data.
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
/// The redirect to the documentation, for listeners without a root page of their own.
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
    /// Returns all routes, in the order in which they are documented; no two share a path.
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

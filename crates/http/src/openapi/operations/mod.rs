//! The operations of the document: everything that differs between routes.

mod operator;
mod pages;
mod quotes;

use super::operation_spec::OperationSpec;
use crate::routes::Route;

/// Returns the operation of `route`; `None` for those without.
pub(super) const fn operation(route: Route) -> Option<OperationSpec> {
    Some(match route {
        Route::PoolV1 => quotes::POOL_V1,
        Route::QuoteV1 => quotes::QUOTE_V1,
        Route::SignV1 => quotes::SIGN_V1,
        Route::ChainsV2 => quotes::CHAINS_V2,
        Route::PoolV2 => quotes::POOL_V2,
        Route::QuoteV2 => quotes::QUOTE_V2,
        Route::SignV2 => quotes::SIGN_V2,
        Route::QuoteSignV2 => quotes::QUOTE_SIGN_V2,
        Route::QuoteStatusV2 => quotes::QUOTE_STATUS_V2,
        Route::QuoteGridV2 => quotes::QUOTE_GRID_V2,
        Route::LevelsV2 => quotes::LEVELS_V2,
        Route::LevelStreamV2 => quotes::LEVEL_STREAM_V2,
        Route::LevelSocketV2 => quotes::LEVEL_SOCKET_V2,
        Route::OpenApi => pages::OPENAPI,
        Route::AsyncApi => pages::ASYNCAPI,
        Route::ContractAbi => pages::CONTRACT_ABI,
        Route::TypedData => pages::TYPED_DATA,
        Route::Docs => pages::DOCS,
        Route::DocsFile => pages::DOCS_FILE,
        Route::ErrorIndex => pages::ERROR_INDEX,
        Route::ErrorPage => pages::ERROR_PAGE,
        Route::Health => operator::HEALTH,
        Route::Readiness => operator::READINESS,
        Route::Metrics => operator::METRICS,
        Route::Prices => operator::PRICES,
        Route::PausePool => operator::PAUSE_POOL,
        Route::ResumePool => operator::RESUME_POOL,
        Route::OperatorPage => operator::OPERATOR_PAGE,
        Route::OperatorStyle => operator::OPERATOR_STYLE,
        Route::OperatorScript => operator::OPERATOR_SCRIPT,
        // Redirects and unmatched paths are not operations, and the data of the operator's page is private to it.
        Route::Root
        | Route::DocsSlash
        | Route::Overview
        | Route::PairCurve
        | Route::RecentSignatures
        | Route::Unmatched => return None,
    })
}

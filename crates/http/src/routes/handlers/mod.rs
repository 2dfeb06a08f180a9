//! One handler per route: decode, call the desk, encode.

mod accounting;
mod levels;
mod operator;
mod operator_page;
mod pages;
mod staggered;
mod version_1;
mod version_2;

use actix_web::{HttpResponse, web};

pub(crate) use self::operator_page::SCRIPT_NAMES;
use super::route::Route;
use crate::error::ApiError;

/// Returns the handler of a route, for every method that the middleware admits.
pub(crate) fn handler(route: Route) -> actix_web::Route {
    match route {
        Route::PoolV1 => web::to(version_1::pool),
        Route::QuoteV1 => web::to(version_1::quote),
        Route::SignV1 | Route::SignV2 => web::to(version_1::sign),
        Route::ChainsV2 => web::to(version_2::chains),
        Route::PoolV2 => web::to(version_2::pool),
        Route::QuoteV2 => web::to(version_2::quote),
        Route::QuoteSignV2 => web::to(version_2::quote_sign),
        Route::QuoteStatusV2 => web::to(version_2::quote_status),
        Route::QuoteGridV2 => web::to(version_2::quote_grid),
        Route::LevelsV2 => web::to(levels::snapshot),
        Route::LevelStreamV2 => web::to(levels::stream),
        Route::LevelSocketV2 => web::to(levels::socket),
        Route::OpenApi => web::to(pages::openapi),
        Route::AsyncApi => web::to(pages::asyncapi),
        Route::ContractAbi => web::to(pages::contract_abi),
        Route::TypedData => web::to(pages::typed_data),
        Route::Root => web::to(pages::root),
        Route::Docs => web::to(pages::docs),
        Route::DocsSlash => web::to(pages::docs_slash),
        Route::DocsFile => web::to(pages::docs_file),
        Route::ErrorIndex => web::to(pages::error_index),
        Route::ErrorPage => web::to(pages::error_page),
        Route::Health => web::to(operator::health),
        Route::Readiness => web::to(operator::readiness),
        Route::Metrics => web::to(operator::metrics),
        Route::Prices => web::to(operator::put_prices),
        Route::PausePool => web::to(operator::pause),
        Route::ResumePool => web::to(operator::resume),
        Route::OperatorPage => web::to(operator_page::page),
        Route::OperatorStyle => web::to(operator_page::style),
        Route::OperatorScript => web::to(operator_page::script),
        Route::Overview => web::to(operator::overview),
        Route::PairCurve => web::to(operator::curve),
        Route::RecentSignatures => web::to(operator::recent_signatures),
        Route::Unmatched => web::to(unmatched),
    }
}

async fn unmatched() -> Result<HttpResponse, ApiError> {
    Err(ApiError::NoRoute)
}

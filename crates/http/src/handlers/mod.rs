//! One handler for each operation: decode, ask the desk, encode.

mod admin;
mod operator;
mod operator_page;
mod pages;
mod pauses;
mod prices;
mod version_1;
mod version_2;

use actix_web::HttpResponse;
use firmquote_domain::Client;

pub(crate) use self::operator_page::SCRIPT_NAMES;
use crate::{asked::Asked, cors, error::ApiError, route::Route, routes::Routes};

/// Has the handler of its route answer `asked`, if that is asked with a method it answers.
///
/// # Errors
/// [`ApiError::NoRoute`], [`ApiError::Method`], and those of the handler.
pub(crate) async fn answer(asked: &Asked) -> Result<HttpResponse, ApiError> {
    let route = asked.route();
    if route != Route::Unmatched
        && let Some(permission) =
            cors::preflight(asked.cors_origins(), asked.method(), asked.headers(), route.methods())
    {
        asked.in_force.count(&Client::Anonymous, route, asked.sender())?;
        return Ok(permission);
    }
    if route != Route::Unmatched && !route.methods().contains(asked.method()) {
        return Err(ApiError::Method(route.methods()));
    }
    if route.is_counted() && asked.site.routes != Routes::Admin {
        asked.in_force.count(&Client::Anonymous, route, asked.sender())?;
    }
    // What is large and not asked all the time is boxed, so that a quote does not move it about.
    match route {
        Route::PoolV1 => version_1::pool(asked).await,
        Route::QuoteV1 => version_1::quote(asked).await,
        Route::SignV1 | Route::SignV2 => Box::pin(version_1::sign(asked)).await,
        Route::PoolV2 => version_2::pool(asked).await,
        Route::ChainsV2 => version_2::chains(asked).await,
        Route::QuoteV2 => version_2::quote(asked).await,
        Route::QuoteSignV2 => Box::pin(version_2::quote_sign(asked)).await,
        Route::OpenApi => Ok(pages::openapi(asked)),
        Route::ContractAbi => Ok(pages::contract_abi()),
        Route::TypedData => Ok(pages::typed_data()),
        Route::Root => Ok(pages::to_docs("docs")),
        Route::Docs => pages::docs(asked),
        Route::DocsSlash => Ok(pages::to_docs("../docs")),
        Route::DocsFile => pages::docs_file(asked),
        Route::ErrorIndex => Ok(pages::index()),
        Route::ErrorPage => pages::about(asked),
        Route::Health => admin::health(),
        Route::Readiness => Box::pin(admin::readiness(asked)).await,
        Route::Metrics => Box::pin(admin::metrics(asked)).await,
        Route::Prices => prices::put(asked).await,
        Route::PausePool => pauses::pause(asked).await,
        Route::ResumePool => pauses::resume(asked).await,
        Route::OperatorPage => operator_page::page(asked),
        Route::OperatorStyle => Ok(operator_page::style()),
        Route::OperatorScript => operator_page::script(asked),
        Route::Overview => Box::pin(operator::overview(asked)).await,
        Route::Curve => operator::curve(asked),
        Route::RecentSignatures => operator::recent_signatures(asked),
        Route::Unmatched => Err(ApiError::NoRoute),
    }
}

//! The route tables of the listeners.

use actix_web::{
    HttpRequest, HttpResponse,
    dev::HttpServiceFactory,
    guard,
    web::{self, ServiceConfig},
};

use crate::{
    error::ApiError,
    handlers::{admin, operator, operator_page, pages, pauses, prices, version_1 as v1, version_2 as v2},
    openapi::Document,
    pass::catch,
    route::Route,
};

/// Version 1 and version 2 on one listener.
pub(crate) fn both(config: &mut ServiceConfig) {
    operations_of_version_1(config);
    operations_of_version_2(config);
    pages_and_rest(config, Document::Both);
}

/// Version 1 on a listener of its own.
pub(crate) fn version_1(config: &mut ServiceConfig) {
    operations_of_version_1(config);
    pages_and_rest(config, Document::Version1);
}

/// Version 2 on a listener of its own.
pub(crate) fn version_2(config: &mut ServiceConfig) {
    operations_of_version_2(config);
    pages_and_rest(config, Document::Version2);
}

/// Health, readiness, metrics, the prices that the operator sends, the switch of each pool, and the operator's page with
/// what it shows; with the pages that explain what is wrong in them.
pub(crate) fn admin(config: &mut ServiceConfig) {
    config
        .service(resource(Route::Health, web::route().to(admin::health)))
        .service(resource(Route::Readiness, web::route().to(admin::readiness)))
        .service(resource(Route::Metrics, web::route().to(admin::metrics)))
        .service(resource(Route::Prices, web::route().to(prices::put)))
        .service(resource(Route::PausePool, web::route().to(pauses::pause)))
        .service(resource(Route::ResumePool, web::route().to(pauses::resume)))
        .service(resource(Route::OperatorPage, web::route().to(operator_page::page)))
        .service(resource(Route::OperatorStyle, web::route().to(operator_page::style)))
        .service(resource(Route::OperatorScript, web::route().to(operator_page::script)))
        .service(resource(Route::Overview, web::route().to(operator::overview)))
        .service(resource(Route::Curve, web::route().to(operator::curve)))
        .service(resource(Route::RecentSignatures, web::route().to(operator::recent_signatures)));
    pages_and_rest(config, Document::Admin);
}

fn operations_of_version_1(config: &mut ServiceConfig) {
    config
        .service(resource(Route::PoolV1, web::route().to(v1::pool)))
        .service(resource(Route::QuoteV1, web::route().to(v1::quote)))
        .service(resource(Route::SignV1, web::route().to(v1::sign)));
}

fn operations_of_version_2(config: &mut ServiceConfig) {
    config
        .service(resource(Route::PoolV2, web::route().to(v2::pool)))
        .service(resource(Route::QuoteV2, web::route().to(v2::quote)))
        .service(resource(Route::QuoteSignV2, web::route().to(v2::quote_sign)))
        .service(resource(Route::SignV2, web::route().to(v2::sign)));
}

fn pages_and_rest(config: &mut ServiceConfig, document: Document) {
    config
        .service(resource(Route::OpenApi, web::route().to(move || async move { pages::openapi(document) })))
        .service(resource(Route::Docs, web::route().to(pages::docs)))
        .service(resource(Route::DocsFile, web::route().to(pages::docs_file)))
        .service(resource(Route::ErrorIndex, web::route().to(pages::index)))
        .service(resource(Route::ErrorPage, web::route().to(pages::about)))
        .default_service(web::to(no_route));
}

/// The resource of `route`: its handler for the methods it answers, 405 for the others.
fn resource(route: Route, handler: actix_web::Route) -> impl HttpServiceFactory + 'static {
    let is_answered = guard::fn_guard(move |context| route.methods().contains(&context.head().method));
    web::resource(route.path())
        .app_data(route)
        .route(handler.guard(is_answered))
        .default_service(web::to(move |_: HttpRequest| async move {
            Err::<HttpResponse, _>(ApiError::Method(route.methods()))
        }))
        .wrap_fn(catch)
}

async fn no_route() -> Result<HttpResponse, ApiError> {
    Err(ApiError::NoRoute)
}

//! Handlers of the documentation: the OpenAPI description, the contract's ABI and typed data, the documentation page,
//! and the pages about invalid inputs.

use actix_web::{
    HttpResponse,
    http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderValue, LOCATION},
};

use crate::{
    docs_page,
    error::{ApiError, pages},
    openapi,
    request::RequestContext,
    wire::json::JSON,
};

/// The pages are text and links, which the default policy renders; as HTML they also get `base-uri` and `form-action`.
const PAGE_POLICY: HeaderValue =
    HeaderValue::from_static("default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");

/// Returns the OpenAPI description of the listener's routes.
pub(crate) async fn openapi(context: RequestContext) -> HttpResponse {
    HttpResponse::Ok().insert_header((CONTENT_TYPE, JSON)).body(openapi::document(context.listener_role()))
}

/// Returns the AsyncAPI description of the streams of levels.
pub(crate) async fn asyncapi() -> HttpResponse {
    HttpResponse::Ok().insert_header((CONTENT_TYPE, JSON)).body(include_str!("../../contract/asyncapi.json"))
}

/// Returns the ABI of the pool contract: the functions that calldata calls, and the swap event.
pub(crate) async fn contract_abi() -> HttpResponse {
    HttpResponse::Ok().insert_header((CONTENT_TYPE, JSON)).body(include_str!("../../contract/abi.json"))
}

/// Returns the EIP-712 types of the signed data; a pool's domain is part of its pool data.
pub(crate) async fn typed_data() -> HttpResponse {
    HttpResponse::Ok().insert_header((CONTENT_TYPE, JSON)).body(include_str!("../../contract/typed-data.json"))
}

/// Redirects the root to the documentation page.
pub(crate) async fn root() -> HttpResponse {
    redirect("docs")
}

/// Redirects `/docs/` to the documentation page.
pub(crate) async fn docs_slash() -> HttpResponse {
    redirect("../docs")
}

/// Redirects to `location`, relative to the path of the request, so that it works behind a proxy that adds a path
/// prefix.
fn redirect(location: &'static str) -> HttpResponse {
    HttpResponse::PermanentRedirect().insert_header((LOCATION, HeaderValue::from_static(location))).finish()
}

/// Returns the documentation page, which shows the OpenAPI description.
pub(crate) async fn docs(context: RequestContext) -> Result<HttpResponse, ApiError> {
    let mut page = docs_page::PAGE.respond(context.http())?;
    page.headers_mut().insert(CONTENT_SECURITY_POLICY, docs_page::POLICY);
    Ok(page)
}

/// Returns a file that the documentation page loads.
pub(crate) async fn docs_file(context: RequestContext) -> Result<HttpResponse, ApiError> {
    docs_page::file(context.parameter()).ok_or(ApiError::NoRoute)?.respond(context.http())
}

/// Returns the page that lists all kinds of invalid input.
pub(crate) async fn error_index() -> HttpResponse {
    page(pages::index())
}

/// Returns the page about one kind of invalid input.
pub(crate) async fn error_page(context: RequestContext) -> Result<HttpResponse, ApiError> {
    pages::about(context.parameter()).map(page).ok_or(ApiError::NoRoute)
}

fn page(html: String) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")))
        .insert_header((CONTENT_SECURITY_POLICY, PAGE_POLICY))
        .body(html)
}

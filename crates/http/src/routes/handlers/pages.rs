//! What explains the service: its description for programs and for people, and pages about invalid inputs.

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

/// The pages are text and links, so the policy of all answers renders them; being HTML they are held to more of it.
const PAGE_POLICY: HeaderValue =
    HeaderValue::from_static("default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");

/// The description of what a listener serves.
pub(crate) async fn openapi(context: RequestContext) -> HttpResponse {
    HttpResponse::Ok().insert_header((CONTENT_TYPE, JSON)).body(openapi::document(context.listener_routes()))
}

/// The ABI of the pool contract: the functions that calldata calls, and the event of a swap.
pub(crate) async fn contract_abi() -> HttpResponse {
    HttpResponse::Ok().insert_header((CONTENT_TYPE, JSON)).body(include_str!("../../contract/abi.json"))
}

/// The types of what is signed (EIP-712); a pool's domain is in its data.
pub(crate) async fn typed_data() -> HttpResponse {
    HttpResponse::Ok().insert_header((CONTENT_TYPE, JSON)).body(include_str!("../../contract/typed-data.json"))
}

/// Leads from the root to that page.
pub(crate) async fn root() -> HttpResponse {
    redirect("docs")
}

/// Leads from its path with a slash to that page.
pub(crate) async fn docs_slash() -> HttpResponse {
    redirect("../docs")
}

/// Leads to `location`, relative to the path of the request, so that it holds behind a proxy that adds a path.
fn redirect(location: &'static str) -> HttpResponse {
    HttpResponse::PermanentRedirect().insert_header((LOCATION, HeaderValue::from_static(location))).finish()
}

/// The page that shows it.
pub(crate) async fn docs(context: RequestContext) -> Result<HttpResponse, ApiError> {
    let mut page = docs_page::PAGE.answer(context.http())?;
    page.headers_mut().insert(CONTENT_SECURITY_POLICY, docs_page::POLICY);
    Ok(page)
}

/// What that page loads.
pub(crate) async fn docs_file(context: RequestContext) -> Result<HttpResponse, ApiError> {
    docs_page::file(context.parameter()).ok_or(ApiError::NoRoute)?.answer(context.http())
}

/// The list of all types.
pub(crate) async fn index() -> HttpResponse {
    page(pages::index())
}

/// One type.
pub(crate) async fn about(context: RequestContext) -> Result<HttpResponse, ApiError> {
    pages::about(context.parameter()).map(page).ok_or(ApiError::NoRoute)
}

fn page(html: String) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")))
        .insert_header((CONTENT_SECURITY_POLICY, PAGE_POLICY))
        .body(html)
}

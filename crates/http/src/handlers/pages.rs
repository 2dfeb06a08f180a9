//! What explains the service: its description for programs and for people, and pages about invalid inputs.

use actix_web::{
    HttpRequest, HttpResponse,
    http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderValue},
    web::Path,
};

use crate::{error::ApiError, error_pages, in_force::Asked, json::JSON, openapi::Document, viewer};

/// The pages are text and links, so the policy of all answers renders them; being HTML they are held to more of it.
const PAGE_POLICY: HeaderValue =
    HeaderValue::from_static("default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");

/// The description of what a listener serves.
pub(crate) fn openapi(document: Document) -> HttpResponse {
    HttpResponse::Ok().insert_header((CONTENT_TYPE, JSON)).body(document.bytes())
}

/// The page that shows it.
pub(crate) async fn docs(request: HttpRequest) -> Result<HttpResponse, ApiError> {
    let mut page = viewer::PAGE.answer(&request)?;
    page.headers_mut().insert(CONTENT_SECURITY_POLICY, viewer::POLICY);
    Ok(page)
}

/// What that page loads. Browsers take it compressed; whoever does not counts as one who asks without credentials, since the
/// answer is by far the longest of all.
pub(crate) async fn docs_file(
    name: Path<String>,
    request: HttpRequest,
    service: Asked,
) -> Result<HttpResponse, ApiError> {
    let file = viewer::file(&name).ok_or(ApiError::NoRoute)?;
    if file.is_inflated_for(&request) {
        service.count_anonymous(&request)?;
    }
    file.answer(&request)
}

/// The list of all types.
pub(crate) async fn index() -> HttpResponse {
    page(error_pages::index())
}

/// One type.
pub(crate) async fn about(name: Path<String>) -> Result<HttpResponse, ApiError> {
    error_pages::about(&name).map(page).ok_or(ApiError::NoRoute)
}

fn page(html: String) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")))
        .insert_header((CONTENT_SECURITY_POLICY, PAGE_POLICY))
        .body(html)
}

//! What explains the service: its description for programs and for people, and pages about invalid inputs.

use actix_web::{
    HttpResponse,
    http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderValue, LOCATION},
};

use crate::{asked::Asked, error::ApiError, error_pages, json::JSON, openapi, viewer};

/// The pages are text and links, so the policy of all answers renders them; being HTML they are held to more of it.
const PAGE_POLICY: HeaderValue =
    HeaderValue::from_static("default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");

/// The description of what a listener serves.
pub(crate) fn openapi(asked: &Asked) -> HttpResponse {
    HttpResponse::Ok().insert_header((CONTENT_TYPE, JSON)).body(openapi::document(asked.site.routes))
}

/// The ABI of the pool contract: the functions that calldata calls, and the event of a swap.
pub(crate) fn contract_abi() -> HttpResponse {
    HttpResponse::Ok().insert_header((CONTENT_TYPE, JSON)).body(include_str!("../contract/abi.json"))
}

/// The types of what is signed (EIP-712); a pool's domain is in its data.
pub(crate) fn typed_data() -> HttpResponse {
    HttpResponse::Ok().insert_header((CONTENT_TYPE, JSON)).body(include_str!("../contract/typed-data.json"))
}

/// Leads to that page by a way relative to the path that was asked, so that it holds behind a proxy that adds a path.
pub(crate) fn to_docs(way: &'static str) -> HttpResponse {
    HttpResponse::PermanentRedirect().insert_header((LOCATION, HeaderValue::from_static(way))).finish()
}

/// The page that shows it.
pub(crate) fn docs(asked: &Asked) -> Result<HttpResponse, ApiError> {
    let mut page = viewer::PAGE.answer(asked.message())?;
    page.headers_mut().insert(CONTENT_SECURITY_POLICY, viewer::POLICY);
    Ok(page)
}

/// What that page loads.
pub(crate) fn docs_file(asked: &Asked) -> Result<HttpResponse, ApiError> {
    viewer::file(asked.parameter()).ok_or(ApiError::NoRoute)?.answer(asked.message())
}

/// The list of all types.
pub(crate) fn index() -> HttpResponse {
    page(error_pages::index())
}

/// One type.
pub(crate) fn about(asked: &Asked) -> Result<HttpResponse, ApiError> {
    error_pages::about(asked.parameter()).map(page).ok_or(ApiError::NoRoute)
}

fn page(html: String) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")))
        .insert_header((CONTENT_SECURITY_POLICY, PAGE_POLICY))
        .body(html)
}

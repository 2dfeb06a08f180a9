//! The pages that explain invalid inputs.

use actix_web::{
    HttpResponse,
    http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderValue},
    web::Path,
};

use crate::{error::ApiError, error_pages};

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
        .insert_header((CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'")))
        .body(html)
}

//! Serializes responses as JSON directly into their bodies.

use actix_web::{
    HttpResponse,
    http::header::{CONTENT_TYPE, HeaderValue},
};
use serde::Serialize;

use crate::error::ApiError;

/// The initial capacity of a body; enough for every response except large pool data.
const DEFAULT_CAPACITY: usize = 1_024;

/// Returns the successful response with `value` as its body.
///
/// # Errors
/// [`ApiError::Internal`] when `value` cannot be serialized.
pub(crate) fn response<T: Serialize>(value: &T) -> Result<HttpResponse, ApiError> {
    let body = bytes(value).map_err(|error| ApiError::Internal(error.to_string()))?;
    Ok(HttpResponse::Ok().insert_header((CONTENT_TYPE, JSON)).body(body))
}

/// The content type of all responses except pages and metrics.
pub(crate) const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// Serializes `value` as JSON.
pub(crate) fn bytes<T: Serialize>(value: &T) -> Result<Vec<u8>, serde_json::Error> {
    let mut body = Vec::with_capacity(DEFAULT_CAPACITY);
    serde_json::to_writer(&mut body, value)?;
    Ok(body)
}

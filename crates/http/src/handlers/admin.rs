//! What the operator's own machines ask.

use std::sync::atomic::{AtomicBool, Ordering};

use actix_web::{
    HttpResponse,
    http::header::{CONTENT_TYPE, HeaderValue},
    web::Data,
};
use serde::Serialize;

use crate::{error::ApiError, in_force::Asked, json};

#[derive(Serialize)]
struct Status {
    status: &'static str,
}

/// Whether the process answers at all.
pub(crate) async fn health() -> Result<HttpResponse, ApiError> {
    json::answer(&Status { status: "ok" })
}

/// Whether requests should be sent here: what the desk needs is there, and nobody asked the server to stop.
pub(crate) async fn readiness(service: Asked, draining: Data<AtomicBool>) -> Result<HttpResponse, ApiError> {
    if draining.load(Ordering::SeqCst) {
        return Err(ApiError::Draining);
    }
    service.desk.is_ready().await.map_err(ApiError::Desk)?;
    json::answer(&Status { status: "ready" })
}

/// All metrics in the text exposition format.
pub(crate) async fn metrics(service: Asked) -> Result<HttpResponse, ApiError> {
    let text = service.metrics().render().map_err(|error| ApiError::Internal(error.to_string()))?;
    let plain = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    Ok(HttpResponse::Ok().insert_header((CONTENT_TYPE, plain)).body(text))
}

//! What the operator's own machines ask.

use std::sync::atomic::{AtomicBool, Ordering};

use actix_web::{
    HttpResponse,
    http::header::{CONTENT_TYPE, HeaderValue},
    web::Data,
};
use serde::Serialize;

use crate::{
    error::ApiError,
    in_force::{Asked, InForce},
    json,
    readiness::Readiness,
};

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
    let readiness = ask(&service, &draining).await;
    if !readiness.is_ready() {
        return Err(ApiError::NotReady(Box::new(readiness)));
    }
    json::answer(&readiness)
}

/// How every part is, for whoever asks and for the metrics.
async fn ask(service: &InForce, draining: &AtomicBool) -> Readiness {
    let readiness = Readiness::ask(&service.desk, &service.probes, draining.load(Ordering::SeqCst)).await;
    service.metrics().readiness.show(&readiness);
    readiness
}

/// All metrics in the text exposition format, with readiness as it is now.
pub(crate) async fn metrics(service: Asked, draining: Data<AtomicBool>) -> Result<HttpResponse, ApiError> {
    ask(&service, &draining).await;
    let text = service.metrics().render().map_err(|error| ApiError::Internal(error.to_string()))?;
    let plain = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    Ok(HttpResponse::Ok().insert_header((CONTENT_TYPE, plain)).body(text))
}

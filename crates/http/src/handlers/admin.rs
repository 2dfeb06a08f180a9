//! What the operator's own machines ask.

use std::sync::atomic::Ordering;

use actix_web::{
    HttpResponse,
    http::header::{CONTENT_TYPE, HeaderValue},
};
use serde::Serialize;

use crate::{asked::Asked, error::ApiError, json, readiness::Readiness};

#[derive(Serialize)]
struct Status {
    status: &'static str,
}

/// Whether the process answers at all.
pub(crate) fn health() -> Result<HttpResponse, ApiError> {
    json::answer(&Status { status: "ok" })
}

/// Whether requests should be sent here: what the desk needs is there, and nobody asked the server to stop.
pub(crate) async fn readiness(asked: &Asked) -> Result<HttpResponse, ApiError> {
    let readiness = ask(asked).await;
    if !readiness.is_ready() {
        return Err(ApiError::NotReady(Box::new(readiness)));
    }
    json::answer(&readiness)
}

/// How every part is, for whoever asks and for the metrics.
async fn ask(asked: &Asked) -> Readiness {
    asked.in_force.readiness(asked.site.draining.load(Ordering::SeqCst)).await
}

/// All metrics in the text exposition format, with readiness as it is now.
pub(crate) async fn metrics(asked: &Asked) -> Result<HttpResponse, ApiError> {
    ask(asked).await;
    let text = asked.in_force.render_metrics().map_err(|error| ApiError::Internal(error.to_string()))?;
    let plain = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    Ok(HttpResponse::Ok().insert_header((CONTENT_TYPE, plain)).body(text))
}

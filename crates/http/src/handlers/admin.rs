//! What the operator's own machines ask.

use actix_web::{
    HttpResponse,
    http::header::{CONTENT_TYPE, HeaderValue},
};
use serde::Serialize;

use crate::{error::ApiError, json, readiness::Readiness, request::RequestContext};

#[derive(Serialize)]
struct Status {
    status: &'static str,
}

/// Whether the process answers at all.
pub(crate) async fn health() -> Result<HttpResponse, ApiError> {
    json::answer(&Status { status: "ok" })
}

/// Whether requests should be sent here: what the desk needs is there, and the server was not told to stop.
pub(crate) async fn readiness(context: RequestContext) -> Result<HttpResponse, ApiError> {
    let readiness = ask(&context).await;
    if !readiness.is_ready() {
        return Err(ApiError::NotReady(Box::new(readiness)));
    }
    json::answer(&readiness)
}

/// How every part is, for whoever asks and for the metrics.
async fn ask(context: &RequestContext) -> Readiness {
    context.service().readiness(context.is_draining()).await
}

/// All metrics in the text exposition format, with readiness as it is now.
pub(crate) async fn metrics(context: RequestContext) -> Result<HttpResponse, ApiError> {
    ask(&context).await;
    let text = context.service().render_metrics().map_err(|error| ApiError::Internal(error.to_string()))?;
    let plain = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    Ok(HttpResponse::Ok().insert_header((CONTENT_TYPE, plain)).body(text))
}

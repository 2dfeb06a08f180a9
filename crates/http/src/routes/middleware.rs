//! The middleware around every route: the service snapshot, request id, span, panic handling, metrics and the access
//! log.

use std::{any::Any, panic::AssertUnwindSafe, time::Instant};

use actix_web::{
    Error, HttpMessage as _, HttpResponse,
    body::BoxBody,
    dev::{ServiceRequest, ServiceResponse},
    middleware::Next,
};
use firmquote_domain::Client;
use futures_util::FutureExt as _;
use tracing::Instrument as _;

use super::{
    operator_access::authorize,
    response::{self, RequestTrace},
};
use crate::{
    endpoints::{Endpoint, ListenerRole},
    error::ApiError,
    request::{ListenerContext, RequestContext, RequestId, RequestSpan},
    service::cors,
};

/// Handles a request to `endpoint`: wraps its handler in everything that is common to all routes.
pub(crate) async fn observe(
    listener: ListenerContext,
    endpoint: &'static Endpoint,
    mut request: ServiceRequest,
    next: Next<BoxBody>,
) -> Result<ServiceResponse, Error> {
    let (snapshot, started) = (listener.live.load(), Instant::now());
    let request_span = RequestSpan::begin(request.headers(), request.method(), snapshot.tracing());
    let trace = RequestTrace { request_id: RequestId::from_headers(request.headers()), request_span };
    let payload = request.take_payload();
    let context = RequestContext::attach(request.request().clone(), payload, listener, endpoint, snapshot);
    let response = respond(&context, request, next).instrument(trace.request_span.span.clone()).await;
    let elapsed = started.elapsed();
    let internal;
    let error = match response.error() {
        None => None,
        Some(error) => match error.as_error::<ApiError>() {
            Some(error) => Some(error),
            None => {
                internal = ApiError::Internal(error.to_string());
                Some(&internal)
            }
        },
    };
    let response = match error {
        None => response::complete(&context, &trace, Ok(response), elapsed),
        Some(error) => {
            context.discard_body().await;
            response::complete(&context, &trace, Err(error), elapsed)
        }
    };
    Ok(ServiceResponse::new(context.into_http(), response))
}

/// Returns the response of the handler, or the one that precedes it; an error is attached to its response. A panic of
/// the handler is handled like any other error, so that it costs one response and not a connection. That is sound
/// because requests only share immutable snapshots, atomics, and maps that are modified in single calls, all of which
/// are consistent after a panic.
async fn respond(context: &RequestContext, request: ServiceRequest, next: Next<BoxBody>) -> HttpResponse {
    let handled = async {
        match before_handler(context)? {
            Some(response) => Ok(response),
            None => Ok::<_, Error>(next.call(request).await?.into_parts().1),
        }
    };
    match AssertUnwindSafe(handled).catch_unwind().await {
        Ok(handled) => handled.unwrap_or_else(HttpResponse::from_error),
        Err(panic) => HttpResponse::from_error(ApiError::Internal(panic_message(panic.as_ref()))),
    }
}

/// Performs the steps before the handler: preflights, methods, the quota of documentation, and access to the operator's
/// routes. Returns the response to a preflight.
///
/// # Errors
/// [`ApiError::MethodNotAllowed`], [`ApiError::RateLimited`], and those of [`authorize`].
fn before_handler(context: &RequestContext) -> Result<Option<HttpResponse>, ApiError> {
    let endpoint = context.endpoint();
    if endpoint.is_unmatched() {
        return Ok(None);
    }
    let preflight = cors::preflight(context.cors_origins(), context.method(), context.headers(), endpoint.methods);
    if preflight.is_none() && !endpoint.methods.contains(context.method()) {
        return Err(ApiError::MethodNotAllowed(endpoint.methods));
    }
    if preflight.is_some() || endpoint.uses_anonymous_quota() && context.listener_role() != ListenerRole::Admin {
        context.service().count(&Client::Anonymous, endpoint.purpose, context.source())?;
    }
    if preflight.is_none() {
        authorize(context, context.service())?;
    }
    Ok(preflight)
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("panic: {}", text.unwrap_or("without a message"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[actix_web::test]
    async fn panics_are_reported_with_their_message() {
        let message = |panic: Box<dyn Any + Send>| panic_message(panic.as_ref());
        let fixed = AssertUnwindSafe(async { panic!("out of luck") }).catch_unwind().await;
        assert_eq!(fixed.map(|()| 0).map_err(message), Err("panic: out of luck".to_owned()));
        let formatted = AssertUnwindSafe(async { panic!("out of {}", 2) }).catch_unwind().await;
        assert_eq!(formatted.map(|()| 0).map_err(message), Err("panic: out of 2".to_owned()));
    }
}

//! Completes a response: the error object, headers, metrics, and the access log line.

use std::{cell::Cell, error::Error as _, time::Duration};

use actix_web::{
    HttpResponse,
    body::BoxBody,
    http::{
        StatusCode,
        header::{
            CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderMap, HeaderValue, X_CONTENT_TYPE_OPTIONS,
        },
    },
};
use firmquote_desk::{DeskError, OutstandingLimitKind};
use firmquote_domain::{ChainId, ChecksummedAddress, Symbol};
use tracing::{Level, field::display};

use crate::{
    auth::presents_basic,
    compression::compress,
    error::{ApiError, Reason, body, is_repeatable, status_code},
    request::{LogFields, Outcome, RequestContext, RequestId, RequestSpan, X_REQUEST_ID, links, method_name},
    service::cors,
    wire::json::JSON,
};

/// Prevents a browser from loading anything for a response and from framing it, whatever type it assumes.
const CONTENT_POLICY: HeaderValue = HeaderValue::from_static("default-src 'none'; frame-ancestors 'none'");

/// The identifiers of a request in logs and traces.
pub(crate) struct RequestTrace {
    pub(crate) request_id: RequestId,
    pub(crate) request_span: RequestSpan,
}

/// The target of the access log. Operators filter by it, so it is fixed and not a module path, which may change.
const ACCESS_LOG: &str = "firmquote_http::boundary";

/// An error as logged.
struct Failure {
    reason: Reason,
    /// The limit on outstanding swaps that refused the request.
    limit: Option<OutstandingLimitKind>,
    /// Logged, but not part of the response; only for failures that require the operator's attention, once per outage.
    detail: Option<String>,
}

/// Returns the final response, after counting and logging it.
pub(crate) fn complete(
    context: &RequestContext,
    trace: &RequestTrace,
    result: Result<HttpResponse, &ApiError>,
    elapsed: Duration,
) -> HttpResponse {
    let (mut response, failure) = match result {
        Ok(response) => (response, None),
        Err(error) => (error_response(context, error), Some(Failure::new(error, context))),
    };
    add_headers(response.headers_mut(), context, &trace.request_id);
    let outcome = failure.as_ref().map(|failure| (failure.reason.status().1, failure.reason));
    let metrics = context.service().metrics();
    metrics.observe(context.endpoint(), outcome, elapsed);
    if let Some(limit) = failure.as_ref().and_then(|failure| failure.limit) {
        metrics.count_outstanding_limit(limit);
    }
    if context.endpoint().is_quote_or_sign()
        && let Some(client) = &*context.client()
    {
        let reason = outcome.map(|(_, reason)| reason);
        metrics.clients.count(client, context.log_fields().as_ref(), context.endpoint(), reason);
    }
    log_request(context, trace, response.status(), failure.as_ref(), elapsed);
    compress(response, context.http())
}

/// Returns the error response for `error`.
fn error_response(context: &RequestContext, error: &ApiError) -> HttpResponse {
    let settings = &context.service().settings;
    let mount_path = context.mount_path();
    let public_url = settings.public_url.as_ref();
    let link = |kind| links::error_page(public_url, context.scheme(), context.headers(), &mount_path, kind);
    let body = body::write(error, |quote| context.service().quote_response(quote), link);
    let mut response = error.head().set_body(BoxBody::new(body));
    response.headers_mut().insert(CONTENT_TYPE, JSON);
    response
}

fn add_headers(headers: &mut HeaderMap, context: &RequestContext, request_id: &RequestId) {
    let endpoint = context.endpoint();
    headers.insert(X_REQUEST_ID.clone(), request_id.to_header());
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if !headers.contains_key(CONTENT_SECURITY_POLICY) {
        headers.insert(CONTENT_SECURITY_POLICY, CONTENT_POLICY);
    }
    cors::add_headers(context.cors_origins(), context.headers(), headers);
    if let Some(value) = endpoint.cache_control {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static(value));
    }
    if endpoint.access.accepted_credentials().basic && presents_basic(context.headers()) {
        context.service().deprecation_headers.add_to(headers);
    }
    if let Some(status) = &*context.rate_limit() {
        status.add_to(headers);
    }
}

impl Failure {
    fn new(error: &ApiError, context: &RequestContext) -> Self {
        let reason = error.reason();
        // Reporting missing dependencies, or rejecting a flood of logins, is intended behavior. So is telling the
        // operator that nothing can be quoted.
        let is_intended = matches!(error, ApiError::NotReady(_) | ApiError::LoginsBusy | ApiError::ShuttingDown)
            || context.endpoint().is_for_operator() && reason == Reason::Market;
        let detail = (status_code(reason).is_server_error() && !is_intended).then(|| error_chain(error));
        // Internal errors are logged every time, an outage once.
        let should_log = |detail: &String| reason == Reason::Internal || context.service().is_new_outage(detail);
        Self { reason, limit: outstanding_limit(error), detail: detail.filter(should_log) }
    }
}

/// Returns the limit on outstanding swaps that refused a request.
fn outstanding_limit(error: &ApiError) -> Option<OutstandingLimitKind> {
    match error {
        ApiError::Desk(DeskError::OutstandingLimit { limit, .. }) => Some(*limit),
        _ => None,
    }
}

/// Formats an error and its causes, outermost first.
fn error_chain(error: &ApiError) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}

/// Writes the access log line of a request, and ends its span. Neither contains credentials, bodies or query strings.
fn log_request(
    context: &RequestContext,
    trace: &RequestTrace,
    status: StatusCode,
    failure: Option<&Failure>,
    elapsed: Duration,
) {
    let (client, log_fields) = (context.client(), context.log_fields());
    let detail = failure.and_then(|failure| failure.detail.as_deref());
    let repeatable = failure.map(|failure| failure.reason).filter(|reason| detail.is_none() && is_repeatable(*reason));
    let omitted = repeatable.map(|reason| context.service().record_refusal(client.as_ref(), reason));
    let client = client.as_ref().map(|client| client.name().unwrap_or("anonymous"));
    let (request_id, endpoint, method) = (trace.request_id.as_str(), context.endpoint(), context.method());
    let (log_fields, reason) = (log_fields.as_ref(), failure.map(|failure| failure.reason));
    trace.request_span.end(&Outcome { request_id, method, endpoint, status, reason, client, log_fields });
    let limit = failure.and_then(|failure| failure.limit).map(OutstandingLimitKind::setting);
    let sample = || is_sampled(context.service().settings.log_sample_ratio);
    let level = if detail.is_some() { Level::ERROR } else { endpoint.access_log_level(failure.is_some(), sample) };
    let level = if omitted == Some(None) { Level::DEBUG } else { level };
    if level == Level::DEBUG && !tracing::enabled!(target: ACCESS_LOG, Level::DEBUG) {
        return;
    }
    let omitted = omitted.flatten().filter(|omitted| *omitted > 0);
    let unknown = LogFields::default();
    let LogFields { chain_id, pool, quote_id, input_asset, output_asset, .. } = log_fields.unwrap_or(&unknown);
    let (chain_id, pool, quote_id) =
        (chain_id.map(ChainId::get), pool.map(|pool| display(ChecksummedAddress(pool))), quote_id.map(display));
    let [input_asset, output_asset] = [input_asset, output_asset].map(|asset| asset.as_ref().map(Symbol::as_str));
    let duration_us = u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX);
    let (status, reason, trace_id) =
        (status.as_u16(), reason.map(Reason::name), trace.request_span.trace_id.map(display));
    macro_rules! emit {
        ($level:ident) => {
            tracing::$level!(
                target: ACCESS_LOG,
                request_id,
                trace_id,
                method = method_name(method),
                route = endpoint.path,
                status,
                client,
                duration_us,
                chain_id,
                pool,
                quote_id,
                input_asset,
                output_asset,
                error = reason,
                limit,
                omitted,
                detail
            )
        };
    }
    match level {
        Level::ERROR => emit!(error),
        Level::INFO => emit!(info),
        _ => emit!(debug),
    }
}

/// Returns whether to sample a request, at the rate `ratio`. Every thread keeps the rate exactly.
fn is_sampled(ratio: f64) -> bool {
    thread_local!(static SHARE: Cell<f64> = const { Cell::new(0.0) });
    let share = SHARE.get() + ratio;
    let is_sampled = share >= 1.0;
    SHARE.set(if is_sampled { share - 1.0 } else { share });
    is_sampled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sampling_follows_its_ratio() {
        for (ratio, expected) in [(0.0, 0), (0.01, 10), (0.25, 250), (1.0, 1_000)] {
            let sampled = (0..1_000).filter(|_| is_sampled(ratio)).count();
            assert!(sampled.abs_diff(expected) <= 1, "{ratio}: {sampled}");
        }
    }
}

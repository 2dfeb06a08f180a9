//! The span of each request, for trace collectors.
//!
//! Without a collector the callsite is disabled: no span is created, and the remaining cost is one flag check. Follows
//! OpenTelemetry's semantic conventions for HTTP servers, as far as the log contains the same: no addresses, paths or
//! queries.

use actix_web::http::{Method, StatusCode, header::HeaderMap};
use tracing::{Span, field::Empty};

use super::{
    log_fields::LogFields,
    trace_context::{TraceContext, TraceId},
};
use crate::{endpoints::Endpoint, error::Reason};

/// The target of every span. No log line has it.
pub const SPAN_TARGET: &str = "firmquote_spans";

/// The hooks by which a trace collector processes request spans.
#[derive(Clone, Copy, Debug)]
pub struct TracingHooks {
    /// Attaches a new span to the caller's trace, if the caller names one, and returns the id of the span's trace, if
    /// it has one.
    pub join: fn(&Span, Option<&TraceContext>) -> Option<TraceId>,
    /// Sets the name of a span, which is known once the request is routed.
    pub rename: fn(&Span, String),
}

/// The span of a request, and the trace it belongs to.
pub(crate) struct RequestSpan {
    /// The trace id, as logged.
    pub(crate) trace_id: Option<TraceId>,
    pub(crate) span: Span,
    tracing: Option<TracingHooks>,
}

impl RequestSpan {
    /// Starts the span of a request.
    pub(crate) fn begin(headers: &HeaderMap, method: &Method, tracing: Option<TracingHooks>) -> Self {
        let caller = TraceContext::from_headers(headers);
        let span = tracing::info_span!(
            target: SPAN_TARGET,
            "request",
            otel.kind = "server",
            otel.status_code = Empty,
            http.request.method = method_name(method),
            http.route = Empty,
            http.response.status_code = Empty,
            error.type = Empty,
            firmquote.request_id = Empty,
            firmquote.client = Empty,
            firmquote.chain_id = Empty,
            firmquote.pool = Empty,
            firmquote.quote_id = Empty,
        );
        let tracing = tracing.filter(|_| !span.is_disabled());
        let joined = tracing.and_then(|tracing| (tracing.join)(&span, caller.as_ref()));
        Self { trace_id: joined.or(caller.map(|caller| caller.trace_id)), span, tracing }
    }

    /// Records the outcome of the request.
    pub(crate) fn end(&self, outcome: &Outcome<'_>) {
        let Some(TracingHooks { rename, .. }) = self.tracing else { return };
        let Outcome { request_id, method, endpoint, status, reason, client, log_fields } = outcome;
        let span = &self.span;
        if endpoint.is_unmatched() {
            rename(span, method_name(method).to_owned());
        } else {
            rename(span, format!("{} {}", method_name(method), endpoint.path));
            span.record("http.route", endpoint.path);
        }
        span.record("http.response.status_code", status.as_u16());
        span.record("firmquote.request_id", request_id);
        if let Some(client) = client {
            span.record("firmquote.client", client);
        }
        if let Some(reason) = reason {
            span.record("error.type", reason.name());
        }
        if status.is_server_error() {
            span.record("otel.status_code", "ERROR");
        }
        let Some(log_fields) = log_fields else { return };
        if let Some(pool) = log_fields.pool {
            span.record("firmquote.pool", tracing::field::display(pool));
        }
        if let Some(chain_id) = log_fields.chain_id {
            span.record("firmquote.chain_id", chain_id.get());
        }
        if let Some(quote_id) = log_fields.quote_id {
            span.record("firmquote.quote_id", tracing::field::display(quote_id));
        }
    }
}

/// The outcome of a request, as in its access log line.
pub(crate) struct Outcome<'a> {
    pub(crate) request_id: &'a str,
    pub(crate) method: &'a Method,
    pub(crate) endpoint: &'static Endpoint,
    pub(crate) status: StatusCode,
    pub(crate) reason: Option<Reason>,
    pub(crate) client: Option<&'a str>,
    pub(crate) log_fields: Option<&'a LogFields>,
}

/// Returns the method, or `_OTHER` for one that HTTP does not define: clients can invent arbitrary ones.
pub(crate) fn method_name(method: &Method) -> &str {
    match *method {
        Method::GET | Method::HEAD | Method::POST | Method::PUT | Method::DELETE | Method::OPTIONS => method.as_str(),
        Method::CONNECT | Method::TRACE | Method::PATCH => method.as_str(),
        _ => "_OTHER",
    }
}

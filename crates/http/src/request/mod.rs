//! A request: its context, body, identifiers and span.

pub(crate) mod body;
mod context;
mod extractors;
mod idempotency_key;
pub(crate) mod links;
mod log_fields;
mod request_id;
mod span;
mod trace_context;

pub use self::body::MAX_BODY_BYTES;
pub(crate) use self::{
    context::{ListenerContext, RequestContext},
    extractors::{AuthenticatedBody, AuthenticatedRequest},
    idempotency_key::idempotency_key,
    log_fields::LogFields,
    request_id::{RequestId, X_REQUEST_ID},
    span::{Outcome, RequestSpan, method_name},
};
pub use self::{
    span::{SPAN_TARGET, TracingHooks},
    trace_context::{TraceContext, TraceId},
};
#[cfg(any(test, fuzzing))]
pub(crate) use crate::request::trace_context::TRACEPARENT;

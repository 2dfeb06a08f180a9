//! A request: its context, body, identifiers and span.

pub(crate) mod body;
mod context;
pub(crate) mod links;
mod log_fields;
mod request_id;
mod span;
mod trace_context;

pub(crate) use context::{Authenticated, AuthenticatedBody, ListenerContext, RequestContext};
pub(crate) use log_fields::LogFields;
pub(crate) use request_id::{RequestId, X_REQUEST_ID};
pub(crate) use span::{Outcome, RequestSpan, method_name};
pub use span::{SPANS, Tracing};
#[cfg(any(test, fuzzing))]
pub(crate) use trace_context::TRACEPARENT;
pub use trace_context::{TraceContext, TraceId};

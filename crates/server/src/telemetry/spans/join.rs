//! What becomes of the span of a request: it is one of its caller's trace, and is called by its route.

use firmquote_http::{TraceContext, TraceId, Tracing};
use opentelemetry::{
    Context,
    trace::{SpanContext, SpanId, TraceContextExt as _, TraceFlags, TraceState},
};
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt as _;

/// For the server, while spans are collected.
pub(crate) const TRACING: Tracing = Tracing { join, rename };

/// Makes `span` one of the trace of `caller`, if there is one, and begins it; returns the name of the trace that it is in.
fn join(span: &Span, caller: Option<&TraceContext>) -> Option<TraceId> {
    let parent = caller.map_or_else(Context::new, |caller| Context::new().with_remote_span_context(remote(caller)));
    // A span that nobody collects has no parent to be given.
    span.set_parent(parent).ok()?;
    let context = span.context();
    let of_span = context.span().span_context().clone();
    of_span.is_valid().then(|| TraceId(of_span.trace_id().to_bytes()))
}

/// The library gives a span that has begun no other name by itself.
fn rename(span: &Span, name: String) {
    span.context().span().update_name(name);
}

fn remote(caller: &TraceContext) -> SpanContext {
    let flags = if caller.is_sampled { TraceFlags::SAMPLED } else { TraceFlags::default() };
    let trace_id = opentelemetry::trace::TraceId::from_bytes(caller.trace_id.0);
    SpanContext::new(trace_id, SpanId::from_bytes(caller.parent_id), flags, true, TraceState::NONE)
}

//! Spans of requests for a collector that speaks OTLP (OpenTelemetry's protocol), as protobuf over HTTP.
//!
//! Without `[otlp]` none of this runs: the callsites of spans are off then. With it, requests never wait for the
//! collector: a finished span is put into a queue of a fixed size, or lost.

mod collector;
mod export;

use firmquote_config::Config;
use firmquote_http::{TraceContext, TraceId, Tracing};
use opentelemetry::{
    Context, KeyValue,
    trace::{SpanContext, SpanId, TraceContextExt as _, TraceFlags, TraceState, TracerProvider as _},
};
use opentelemetry_sdk::{
    Resource,
    trace::{Sampler, SdkTracer, SdkTracerProvider},
};
use tokio::sync::mpsc;
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt as _;

use self::{collector::Collector, export::Queue};
use crate::Error;
pub use export::SpanExport;
pub(crate) use export::{Export, SpanMetrics};

/// The most spans that wait to be sent: some megabytes.
const MAX_QUEUED_SPANS: usize = 4_096;

/// What makes spans, and what sends them.
pub(crate) struct Spans {
    /// Makes them.
    pub(crate) tracer: SdkTracer,
    /// Sends them, once it runs.
    pub(crate) export: Export,
}

/// What `config` wants, counted in `metrics`; nothing unless there is a collector.
///
/// # Errors
/// When the collector is to be asked by TLS, and nobody is trusted.
pub(crate) fn open(config: &Config, metrics: &SpanMetrics) -> Result<Option<Spans>, Error> {
    let Some(otlp) = &config.otlp else { return Ok(None) };
    let (sender, waiting) = mpsc::channel(MAX_QUEUED_SPANS);
    let resource = Resource::builder_empty().with_attributes([
        KeyValue::new("service.name", config.server.service_name.as_str().to_owned()),
        KeyValue::new("service.version", env!("CARGO_PKG_VERSION")),
    ]);
    let resource = resource.build();
    let collector = Collector::new(otlp, &resource)?;
    let provider = SdkTracerProvider::builder()
        .with_resource(resource)
        .with_sampler(Sampler::ParentBased(Box::new(Sampler::TraceIdRatioBased(otlp.sample_ratio))))
        .with_span_processor(Queue::new(sender, metrics.dropped_when_full.clone()))
        .build();
    let export = Export::new(collector, waiting, metrics.clone(), otlp.timeout);
    Ok(Some(Spans { tracer: provider.tracer("firmquote"), export }))
}

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

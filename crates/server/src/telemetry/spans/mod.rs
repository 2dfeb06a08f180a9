//! Spans of requests for an OTLP (OpenTelemetry protocol) collector, as protobuf over HTTP.
//!
//! Without `[otlp]` none of this runs: the span callsites are disabled. With it, requests never wait for the collector:
//! a finished span is put into a bounded queue, or dropped.

mod collector;
mod export;

use firmquote_config::Config;
use firmquote_http::{TraceContext, TraceId, TracingHooks};
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

/// Maximum number of queued spans: some megabytes.
const MAX_QUEUED_SPANS: usize = 4_096;

/// The tracer that creates spans and the exporter that sends them.
pub(crate) struct Spans {
    /// Creates the spans.
    pub(crate) tracer: SdkTracer,
    /// Exports the spans once it is started.
    pub(crate) export: Export,
}

/// Creates the tracer and the exporter for `config`, counting spans in `metrics`; `None` without a collector.
///
/// # Errors
/// When the collector is reached over TLS and the system has no trusted certificate authorities.
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

/// The tracing hooks of the HTTP server while spans are exported.
pub(crate) const TRACING: TracingHooks = TracingHooks { join, rename };

/// Starts `span` as a child of the trace of `caller`, if any, and returns the id of its trace.
fn join(span: &Span, caller: Option<&TraceContext>) -> Option<TraceId> {
    let parent = caller.map_or_else(Context::new, |caller| Context::new().with_remote_span_context(remote(caller)));
    // A span that is not recorded cannot be given a parent.
    span.set_parent(parent).ok()?;
    let context = span.context();
    let span_context = context.span().span_context().clone();
    span_context.is_valid().then(|| TraceId(span_context.trace_id().to_bytes()))
}

/// Renames a span that has already started, which `tracing-opentelemetry` does not do by itself.
fn rename(span: &Span, name: String) {
    span.context().span().update_name(name);
}

fn remote(caller: &TraceContext) -> SpanContext {
    let flags = if caller.is_sampled { TraceFlags::SAMPLED } else { TraceFlags::default() };
    let trace_id = opentelemetry::trace::TraceId::from_bytes(caller.trace_id.0);
    SpanContext::new(trace_id, SpanId::from_bytes(caller.parent_id), flags, true, TraceState::NONE)
}

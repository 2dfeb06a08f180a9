//! Spans of requests for an OTLP (OpenTelemetry protocol) collector, as protobuf over HTTP.
//!
//! Without `[otlp]` none of this runs: the span callsites are disabled. With it, requests never wait for the collector:
//! a finished span is put into a bounded queue, or dropped.

mod collector;
mod export;

use firmquote_config::Config;
use firmquote_http::{SPAN_TARGET, TraceContext, TraceId, TracingHooks};
use opentelemetry::{
    Context, KeyValue,
    trace::{SpanContext, SpanId, TraceContextExt as _, TraceFlags, TraceState, TracerProvider as _},
};
use opentelemetry_sdk::{
    Resource,
    trace::{Sampler, SdkTracer, SdkTracerProvider},
};
use prometheus::Registry;
use tokio::sync::mpsc;
use tracing::{Level, Span};
use tracing_opentelemetry::OpenTelemetrySpanExt as _;
use tracing_subscriber::{filter::Targets, layer::Layer as _};

use self::{
    collector::Collector,
    export::{Export, Queue, SpanMetrics},
};
use super::log::BoxedLayer;
use crate::Error;
pub use export::SpanExport;

/// Maximum number of queued spans: some megabytes.
const MAX_QUEUED_SPANS: usize = 4_096;

/// The spans of requests: their counters, and, with a collector, what records and exports them.
pub(super) struct Spans {
    metrics: SpanMetrics,
    collected: Option<(SdkTracer, Export)>,
}

impl Spans {
    /// Prepares the spans of `config`; none are recorded without a collector.
    ///
    /// # Errors
    /// When the collector is reached over TLS and the system has no trusted certificate authorities.
    pub(super) fn open(config: &Config) -> Result<Self, Error> {
        let metrics = SpanMetrics::new()?;
        let Some(otlp) = &config.otlp else { return Ok(Self { metrics, collected: None }) };
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
        Ok(Self { metrics, collected: Some((provider.tracer("firmquote"), export)) })
    }

    /// Returns the layer that records the spans of requests and nothing of the log; `None` without a collector.
    pub(super) fn layer(&self) -> Option<BoxedLayer> {
        let (tracer, _) = self.collected.as_ref()?;
        let spans = tracing_opentelemetry::layer().with_tracer(tracer.clone());
        let spans = spans.with_location(false).with_threads(false).with_target(false).with_tracked_inactivity(false);
        Some(spans.with_filter(Targets::new().with_target(SPAN_TARGET, Level::INFO)).boxed())
    }

    /// Registers the span counters in `registry`.
    ///
    /// # Errors
    /// When a metric of the same name is already registered.
    pub(super) fn register(&self, registry: &Registry) -> prometheus::Result<()> {
        self.metrics.register(registry)
    }

    /// Starts exporting on the current runtime, if there is a collector.
    pub(super) fn start(self) -> Option<SpanExport> {
        self.collected.map(|(_, export)| export.start())
    }
}

/// The tracing hooks of the HTTP server while spans are exported.
pub(crate) const TRACING: Option<TracingHooks> = Some(TracingHooks { join, rename });

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

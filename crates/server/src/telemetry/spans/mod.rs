//! Spans of requests for a collector that speaks OTLP (OpenTelemetry's protocol), as protobuf over HTTP.
//!
//! Without `[otlp]` none of this runs: the callsites of spans are off then. With it, requests never wait for the
//! collector: a finished span is put into a queue of a fixed size, or lost.

mod collector;
mod export;
mod join;
mod queue;

use firmquote_config::Config;
use opentelemetry::{KeyValue, trace::TracerProvider as _};
use opentelemetry_sdk::{
    Resource,
    trace::{Sampler, SdkTracer, SdkTracerProvider},
};
use tokio::sync::mpsc;

pub use self::export::SpanExport;
use self::{collector::Collector, queue::Queue};
pub(crate) use self::{
    export::{Export, SpanMetrics},
    join::TRACING,
};
use crate::Error;

/// The most spans that wait to be sent: some megabytes.
const MOST_WAITING: usize = 4_096;

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
    let (sender, waiting) = mpsc::channel(MOST_WAITING);
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

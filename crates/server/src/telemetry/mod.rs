//! What a server tells of itself beside metrics: the log, and spans of requests for a collector.

mod log;
mod spans;

use std::io;

use firmquote_config::{Config, LogConfig};
use opentelemetry_sdk::trace::SdkTracer;
use prometheus::Registry;
use tracing::Dispatch;

use self::spans::{Export, SpanMetrics, Spans};
use crate::Error;
pub use log::LogWriter;
pub use spans::SpanExport;
pub(crate) use spans::TRACING;

/// The log and the spans of a configuration, before the process has a subscriber.
///
/// The program makes [`Self::dispatch`] its default, has the counters shown with the server's ([`Self::register`]), and sends
/// spans from [`Self::start`] on.
pub struct Telemetry {
    tracer: Option<SdkTracer>,
    export: Option<Export>,
    metrics: SpanMetrics,
}

impl Telemetry {
    /// What `[otlp]` of `config` wants; without it there are no spans.
    ///
    /// # Errors
    /// [`Error::Unusable`] when the collector is called over TLS and this system trusts no authority.
    pub fn new(config: &Config) -> Result<Self, Error> {
        let metrics = SpanMetrics::new()?;
        let spans = spans::open(config, &metrics)?;
        let (tracer, export) = spans.map(|Spans { tracer, export }| (tracer, export)).unzip();
        Ok(Self { tracer, export, metrics })
    }

    /// A subscriber that writes the log to standard error, as `[log]` wants it, and collects spans. Lines are written for as
    /// long as the [`LogWriter`] lives.
    ///
    /// # Errors
    /// [`io::Error`] when the system gives no thread to write them.
    pub fn dispatch(&self, config: LogConfig) -> io::Result<(Dispatch, LogWriter)> {
        log::dispatch(config, self.tracer.clone())
    }

    /// Has the counters of spans shown in `registry`, such as that of an [`Application`](crate::Application::registry).
    ///
    /// # Errors
    /// [`Error::Metrics`] when a metric of such a name is there already.
    pub fn register(&self, registry: &Registry) -> Result<(), Error> {
        Ok(self.metrics.register(registry)?)
    }

    /// Begins to send spans, on the present runtime, if there is a collector.
    pub fn start(self) -> Option<SpanExport> {
        self.export.map(Export::start)
    }
}

//! Telemetry besides metrics: the log, and spans of requests for a collector.

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

/// The configured log and spans, before a subscriber is installed in the process.
///
/// The program installs [`Self::dispatch`] as its default, registers the span counters with the server's metrics
/// ([`Self::register`]), and exports spans once [`Self::start`] is called.
pub struct Telemetry {
    tracer: Option<SdkTracer>,
    export: Option<Export>,
    metrics: SpanMetrics,
}

impl Telemetry {
    /// Creates the telemetry for `[otlp]` of `config`; without it, no spans are recorded.
    ///
    /// # Errors
    /// [`Error::Unusable`] when the collector is reached over TLS and the system has no trusted certificate
    /// authorities.
    pub fn new(config: &Config) -> Result<Self, Error> {
        let metrics = SpanMetrics::new()?;
        let spans = spans::open(config, &metrics)?;
        let (tracer, export) = spans.map(|Spans { tracer, export }| (tracer, export)).unzip();
        Ok(Self { tracer, export, metrics })
    }

    /// Returns a subscriber that writes the log to standard error, as `[log]` configures it, and records spans. Lines
    /// are written for as long as the [`LogWriter`] lives.
    ///
    /// # Errors
    /// [`io::Error`] when the writer thread cannot be started.
    pub fn dispatch(&self, config: LogConfig) -> io::Result<(Dispatch, LogWriter)> {
        log::dispatch(config, self.tracer.clone())
    }

    /// Registers the span counters in `registry`, such as that of an [`Application`](crate::Application::registry).
    ///
    /// # Errors
    /// [`Error::Metrics`] when a metric of the same name is already registered.
    pub fn register(&self, registry: &Registry) -> Result<(), Error> {
        Ok(self.metrics.register(registry)?)
    }

    /// Starts exporting spans on the current runtime, if a collector is configured.
    pub fn start(self) -> Option<SpanExport> {
        self.export.map(Export::start)
    }
}

//! Telemetry besides metrics: the log, and spans of requests for a collector.

mod log;
#[cfg(feature = "otlp")]
mod spans;
#[cfg(not(feature = "otlp"))]
#[path = "no_spans.rs"]
mod spans;

use std::io;

use firmquote_config::{Config, LogConfig};
use prometheus::Registry;
use tracing::Dispatch;

use self::spans::Spans;
use crate::{Error, features};
pub use log::LogWriter;
pub use spans::SpanExport;
pub(crate) use spans::TRACING;

/// The configured log and spans, before a subscriber is installed in the process.
///
/// The program installs [`Self::dispatch`] as its default, registers the span counters with the server's metrics
/// ([`Self::register`]), and exports spans once [`Self::start`] is called.
pub struct Telemetry {
    spans: Spans,
}

impl Telemetry {
    /// Creates the telemetry for `[otlp]` of `config`; without it, no spans are recorded.
    ///
    /// # Errors
    /// [`Error::Unusable`] when the collector is reached over TLS and the system has no trusted certificate
    /// authorities, [`Error::NotCompiled`] for `[otlp]` without the feature `otlp`.
    pub fn new(config: &Config) -> Result<Self, Error> {
        features::check(config)?;
        Ok(Self { spans: Spans::open(config)? })
    }

    /// Returns a subscriber that writes the log to standard error, as `[log]` configures it, and records spans. Lines
    /// are written for as long as the [`LogWriter`] lives.
    ///
    /// # Errors
    /// [`io::Error`] when the writer thread cannot be started.
    pub fn dispatch(&self, config: LogConfig) -> io::Result<(Dispatch, LogWriter)> {
        log::dispatch(config, self.spans.layer())
    }

    /// Registers the span counters in `registry`, such as that of an [`Application`](crate::Application::registry).
    ///
    /// # Errors
    /// [`Error::Metrics`] when a metric of the same name is already registered.
    pub fn register(&self, registry: &Registry) -> Result<(), Error> {
        Ok(self.spans.register(registry)?)
    }

    /// Starts exporting spans on the current runtime, if a collector is configured.
    pub fn start(self) -> Option<SpanExport> {
        self.spans.start()
    }
}

//! Without the feature `otlp` no spans are recorded; a configuration with `[otlp]` is refused before.

use std::convert::Infallible;

use firmquote_config::Config;
use firmquote_http::TracingHooks;
use prometheus::Registry;

use super::log::BoxedLayer;
use crate::Error;

/// No tracing hooks.
pub(crate) const TRACING: Option<TracingHooks> = None;

/// No spans.
pub(super) struct Spans;

impl Spans {
    pub(super) const fn open(_: &Config) -> Result<Self, Error> {
        Ok(Self)
    }

    pub(super) const fn layer(&self) -> Option<BoxedLayer> {
        None
    }

    pub(super) const fn register(&self, _: &Registry) -> prometheus::Result<()> {
        Ok(())
    }

    pub(super) const fn start(self) -> Option<SpanExport> {
        None
    }
}

/// Handle of an export task, of which there is none without the feature `otlp`.
pub struct SpanExport(Infallible);

impl SpanExport {
    /// Never called.
    pub async fn finish(self) {
        match self.0 {}
    }
}

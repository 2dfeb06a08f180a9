//! Where finished spans wait. Putting one there takes no time worth speaking of, and never waits for room.

use std::time::Duration;

use opentelemetry::Context;
use opentelemetry_sdk::{
    error::OTelSdkResult,
    trace::{Span, SpanData, SpanProcessor},
};
use prometheus::IntCounter;
use tokio::sync::mpsc::Sender;

/// Puts finished spans into a queue of a fixed size; those that find no room are counted and lost.
#[derive(Debug)]
pub(super) struct Queue {
    waiting: Sender<SpanData>,
    dropped: IntCounter,
}

impl Queue {
    pub(super) const fn new(waiting: Sender<SpanData>, dropped: IntCounter) -> Self {
        Self { waiting, dropped }
    }
}

impl SpanProcessor for Queue {
    fn on_start(&self, _: &mut Span, _: &Context) {}

    fn on_end(&self, span: SpanData) {
        if span.span_context.is_sampled() && self.waiting.try_send(span).is_err() {
            self.dropped.inc();
        }
    }

    fn force_flush(&self) -> OTelSdkResult {
        Ok(())
    }

    fn shutdown_with_timeout(&self, _: Duration) -> OTelSdkResult {
        Ok(())
    }
}

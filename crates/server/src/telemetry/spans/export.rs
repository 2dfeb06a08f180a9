//! The queue of finished spans, which never blocks, and the task that exports them in batches.

use std::{pin::pin, time::Duration};

use opentelemetry::Context;
use opentelemetry_sdk::{
    error::OTelSdkResult,
    trace::{Span, SpanData, SpanProcessor},
};
use prometheus::{IntCounter, IntCounterVec, Opts, Registry};
use tokio::{
    sync::{
        mpsc::{Receiver, Sender},
        oneshot,
    },
    task::JoinHandle,
    time::timeout,
};

use super::collector::Collector;
use crate::supervise::Outage;

/// Maximum number of spans in a batch.
const MAX_BATCH_SIZE: usize = 512;
/// How long a partial batch waits for more spans.
const BATCH_DELAY: Duration = Duration::from_secs(1);

/// Counters of exported and dropped spans.
#[derive(Clone)]
pub(crate) struct SpanMetrics {
    exported: IntCounter,
    dropped: IntCounterVec,
    pub(super) dropped_when_full: IntCounter,
    dropped_by_export: IntCounter,
}

impl SpanMetrics {
    /// Creates the counters at zero.
    ///
    /// # Errors
    /// When a metric cannot be created; a bug in this file.
    pub(crate) fn new() -> prometheus::Result<Self> {
        let exported = IntCounter::new("firmquote_spans_exported_total", "Spans accepted by the collector.")?;
        let dropped = Opts::new("firmquote_spans_dropped_total", "Spans dropped, by reason.");
        let dropped = IntCounterVec::new(dropped, &["reason"])?;
        let because = |reason| dropped.with_label_values(&[reason]);
        let (dropped_when_full, dropped_by_export) = (because("queue_full"), because("export_failed"));
        Ok(Self { exported, dropped, dropped_when_full, dropped_by_export })
    }

    /// Registers the counters in `registry`.
    ///
    /// # Errors
    /// When a metric of the same name is already registered.
    pub(crate) fn register(&self, registry: &Registry) -> prometheus::Result<()> {
        registry.register(Box::new(self.exported.clone()))?;
        registry.register(Box::new(self.dropped.clone()))
    }
}

/// The exporter of spans; idle until started.
pub(crate) struct Export {
    collector: Collector,
    waiting: Receiver<SpanData>,
    metrics: SpanMetrics,
    timeout: Duration,
    /// The outage of the collector.
    outage: Outage<()>,
}

/// Handle of the running export task.
#[must_use = "the last spans are sent by `finish`"]
pub struct SpanExport {
    task: JoinHandle<()>,
    stop: oneshot::Sender<()>,
    timeout: Duration,
}

impl Export {
    pub(super) const fn new(
        collector: Collector,
        waiting: Receiver<SpanData>,
        metrics: SpanMetrics,
        timeout: Duration,
    ) -> Self {
        Self { collector, waiting, metrics, timeout, outage: Outage::new() }
    }

    /// Starts the export on the current runtime.
    pub(crate) fn start(self) -> SpanExport {
        let (stop, stopped) = oneshot::channel();
        let timeout = self.timeout;
        SpanExport { task: tokio::spawn(self.run(stopped)), stop, timeout }
    }

    async fn run(mut self, stopped: oneshot::Receiver<()>) {
        let mut stopped = pin!(stopped);
        let mut batch = Vec::with_capacity(MAX_BATCH_SIZE);
        loop {
            tokio::select! {
                () = gather(&mut self.waiting, &mut batch) => self.send(std::mem::take(&mut batch)).await,
                _ = &mut stopped => break,
            }
        }
        self.waiting.close();
        while self.waiting.recv_many(&mut batch, MAX_BATCH_SIZE).await > 0 {
            self.send(std::mem::take(&mut batch)).await;
        }
        self.send(batch).await;
    }

    async fn send(&self, batch: Vec<SpanData>) {
        let count = u64::try_from(batch.len()).unwrap_or(u64::MAX);
        if count == 0 {
            return;
        }
        let refused = match self.collector.send(batch).await {
            Ok(refused) => {
                if self.outage.recover() {
                    tracing::info!("spans are exported again");
                }
                refused.min(count)
            }
            Err(error) => {
                if self.outage.fail(()) {
                    tracing::warn!(error, "spans cannot be exported and are dropped; requests are not affected");
                }
                count
            }
        };
        self.metrics.exported.inc_by(count - refused);
        self.metrics.dropped_by_export.inc_by(refused);
    }
}

/// Waits for a span, then for more, until the batch is full or [`BATCH_DELAY`] has passed. Cancel safe: spans already
/// received stay in `batch`.
async fn gather(waiting: &mut Receiver<SpanData>, batch: &mut Vec<SpanData>) {
    if batch.is_empty() && waiting.recv_many(batch, MAX_BATCH_SIZE).await == 0 {
        // All senders are gone: no more spans will arrive.
        return std::future::pending().await;
    }
    let fill = async {
        while batch.len() < MAX_BATCH_SIZE {
            if waiting.recv_many(batch, MAX_BATCH_SIZE - batch.len()).await == 0 {
                break;
            }
        }
    };
    // Sent in either case: full, or out of time.
    drop(timeout(BATCH_DELAY, fill).await);
}

impl SpanExport {
    /// Exports the remaining spans, within the timeout of one batch. Spans that do not make it are lost.
    pub async fn finish(self) {
        let Self { mut task, stop, timeout: within } = self;
        // If the task has already ended, nothing is left to export.
        let is_running = stop.send(()).is_ok();
        if is_running && timeout(within, &mut task).await.is_err() {
            task.abort();
            tracing::warn!(within_s = within.as_secs(), "the last spans could not be exported in time");
        }
    }
}

/// Puts finished spans into a bounded queue; when it is full, they are dropped and counted.
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

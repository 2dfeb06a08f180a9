//! The instrumented store.

use std::time::Instant;

use firmquote_http::SPAN_TARGET;
use firmquote_store::{StoreCall, StoreError, StoreLayer};
use prometheus::Registry;
use tracing::{Instrument as _, Span, field::Empty};

use super::{Families, Series};

/// The layer that counts and times the calls of a store.
pub(crate) struct StoreInstrumentation([Series; StoreCall::ALL.len()]);

impl StoreInstrumentation {
    /// Registers the metrics of store calls in `registry`.
    ///
    /// # Errors
    /// When a metric of the same name is already registered; a bug.
    pub(crate) fn new(registry: &Registry) -> prometheus::Result<Self> {
        let families = Families::new(
            registry,
            "call",
            ["firmquote_store_call_duration_seconds", "Duration of a store call."],
            ["firmquote_store_call_failures_total", "Failed store calls."],
        )?;
        Ok(Self(StoreCall::ALL.map(|call| families.series(call.name()))))
    }
}

impl StoreLayer for StoreInstrumentation {
    async fn around<T: Send + 'static>(
        &self,
        call: StoreCall,
        work: impl Future<Output = Result<T, StoreError>> + Send,
    ) -> Result<T, StoreError> {
        // Only within a request: the calls of background tasks belong to no trace.
        let span = match Span::current().is_none() {
            true => Span::none(),
            false => tracing::info_span!(
                target: SPAN_TARGET,
                "store",
                otel.name = format_args!("store {}", call.name()),
                otel.status_code = Empty
            ),
        };
        let started = Instant::now();
        let done = work.instrument(span.clone()).await;
        let Some(series) = self.0.get(call as usize) else { return done };
        series.durations.observe(started.elapsed().as_secs_f64());
        if done.as_ref().is_err_and(|error| !matches!(error, StoreError::ClientFull { .. })) {
            series.failures.inc();
            span.record("otel.status_code", "ERROR");
        }
        done
    }
}

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
        Ok(Self(StoreCall::ALL.map(|call| families.series(names(call).0))))
    }
}

/// Returns the label of a call in metrics, and the name of its span. Calls that belong to no request have no span.
const fn names(call: StoreCall) -> (&'static str, Option<&'static str>) {
    match call {
        StoreCall::Insert => ("insert", Some("store insert")),
        StoreCall::Find => ("find", Some("store find")),
        StoreCall::Open => ("open", Some("store open")),
        StoreCall::Prepare => ("prepare", Some("store prepare")),
        StoreCall::Commit => ("commit", Some("store commit")),
        StoreCall::SetOutcome => ("set_outcome", None),
        StoreCall::ApplyChanges => ("apply_changes", None),
        StoreCall::ChangesSince => ("changes_since", Some("store changes_since")),
        StoreCall::SigningDelaySeconds => ("signing_delay", None),
        StoreCall::StoreLevels => ("store_levels", Some("store store_levels")),
        StoreCall::FindLevels => ("find_levels", Some("store find_levels")),
        StoreCall::Reserve => ("reserve", Some("store reserve")),
        StoreCall::SetReservedUntil => ("set_reserved_until", Some("store set_reserved_until")),
        StoreCall::SetPaused => ("set_paused", Some("store set_paused")),
        StoreCall::Paused => ("paused", None),
        StoreCall::Estimates => ("estimates", None),
        StoreCall::StoreEstimates => ("store_estimates", None),
        StoreCall::Ping => ("ping", None),
    }
}

impl StoreLayer for StoreInstrumentation {
    async fn around<T: Send + 'static>(
        &self,
        call: StoreCall,
        work: impl Future<Output = Result<T, StoreError>> + Send,
    ) -> Result<T, StoreError> {
        let span = match names(call).1 {
            Some(name) => tracing::info_span!(target: SPAN_TARGET, "store", otel.name = name, otel.status_code = Empty),
            None => Span::none(),
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

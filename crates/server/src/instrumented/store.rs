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

/// Returns the label of a call in metrics, and the name of its span. A ping belongs to no request and has no span.
const fn names(call: StoreCall) -> (&'static str, Option<&'static str>) {
    match call {
        StoreCall::Insert => ("insert", Some("store insert")),
        StoreCall::Find => ("find", Some("store find")),
        StoreCall::Claim => ("claim", Some("store claim")),
        StoreCall::Release => ("release", Some("store release")),
        StoreCall::Record => ("record", Some("store record")),
        StoreCall::InsertSigned => ("insert_signed", Some("store insert_signed")),
        StoreCall::SetOutcome => ("set_outcome", Some("store set_outcome")),
        StoreCall::ChargeVolume => ("spend", Some("store spend")),
        StoreCall::Commit => ("commit", Some("store commit")),
        StoreCall::Ping => ("ping", None),
    }
}

impl StoreLayer for StoreInstrumentation {
    async fn around<T: Send>(
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
        let is_answer = |error: &StoreError| {
            matches!(error, StoreError::OtherTerms | StoreError::Unclaimed | StoreError::ClientFull { .. })
        };
        if done.as_ref().is_err_and(|error| !is_answer(error)) {
            series.failures.inc();
            span.record("otel.status_code", "ERROR");
        }
        done
    }
}

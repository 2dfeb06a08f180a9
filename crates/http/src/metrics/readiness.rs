//! Readiness for dashboards and for the log, as of its last query.

use std::sync::atomic::{AtomicUsize, Ordering};

use firmquote_desk::{Condition, PartState};
use prometheus::{IntGauge, Registry, register_int_gauge_vec_with_registry, register_int_gauge_with_registry};
use strum::VariantArray as _;

use crate::readiness::{Part, Readiness};

/// The gauges of readiness.
pub(crate) struct ReadinessMetrics {
    ready: IntGauge,
    /// For each part, one gauge per state.
    parts: Vec<Vec<IntGauge>>,
    /// The last observed state of each part.
    observed: Vec<AtomicUsize>,
}

impl ReadinessMetrics {
    /// Registers the gauges in `registry`. Every part counts as ready until it is first queried.
    ///
    /// # Errors
    /// If a metric of that name is already registered, which is a bug in this crate.
    pub(crate) fn new(registry: &Registry) -> prometheus::Result<Self> {
        let ready =
            register_int_gauge_with_registry!("firmquote_ready", "1 if the service is ready (/readyz).", registry)?;
        let states = register_int_gauge_vec_with_registry!(
            "firmquote_part_state",
            "Readiness of each part: 1 for its current state.",
            &["part", "state"],
            registry
        )?;
        let gauge = |part: &Part, state: &PartState| states.with_label_values(&[part.name(), state.name()]);
        let gauges = |part| PartState::VARIANTS.iter().map(|state| gauge(part, state)).collect();
        let observed = || AtomicUsize::new(PartState::Ready as usize);
        let parts = Part::VARIANTS;
        Ok(Self {
            ready,
            parts: parts.iter().map(gauges).collect(),
            observed: parts.iter().map(|_| observed()).collect(),
        })
    }

    /// Updates the gauges, and logs the parts whose state changed.
    pub(crate) fn update(&self, readiness: &Readiness) {
        self.ready.set(readiness.is_ready().into());
        let parts = readiness.0.iter().zip(&self.parts).zip(&self.observed);
        for (((part, condition), gauges), observed) in parts {
            for (gauge, state) in gauges.iter().zip(PartState::VARIANTS) {
                gauge.set((condition.state == *state).into());
            }
            let state = condition.state as usize;
            if observed.swap(state, Ordering::Relaxed) != state {
                log_part_state(*part, condition);
            }
        }
    }
}

/// Logs the new state of a part.
fn log_part_state(part: Part, condition: &Condition) {
    let (part, state, reasons) = (part.name(), condition.state.name(), condition.reasons.join("; "));
    match condition.state {
        PartState::Ready => tracing::info!(part, state, "a part of the service is ready again"),
        PartState::Unready if part == Part::Stopping.name() => {
            tracing::info!(part, state, reasons, "the service is stopping")
        }
        PartState::Degraded | PartState::Unready => {
            tracing::warn!(part, state, reasons, "a part of the service is not ready");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{io::Write, sync::Arc};

    use parking_lot::Mutex;

    use super::*;

    /// Captures the log of a test.
    #[derive(Clone, Default)]
    struct Lines(Arc<Mutex<Vec<u8>>>);

    impl Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    fn observed(store: Condition) -> Readiness {
        let mut parts = std::array::from_fn(|part| (Part::VARIANTS[part], Condition::ready()));
        parts[0].1 = store;
        Readiness(parts)
    }

    #[test]
    fn a_check_is_logged_on_state_changes_only() {
        let metrics = ReadinessMetrics::new(&Registry::new()).unwrap();
        let away = || observed(Condition::from_reasons(PartState::Unready, ["it is away".to_owned()]));
        let (lines, ready) = (Lines::default(), observed(Condition::ready()));
        let writer = lines.clone();
        let log = tracing_subscriber::fmt().with_ansi(false).with_writer(move || writer.clone()).finish();
        // With a single subscriber, tracing asks that of the thread which reaches a callsite first: maybe none.
        let _another = tracing::Dispatch::new(tracing::subscriber::NoSubscriber::new());
        tracing::subscriber::with_default(log, || {
            [&ready, &away(), &away(), &ready, &ready].into_iter().for_each(|observed| metrics.update(observed));
        });
        let text = String::from_utf8(lines.0.lock().clone()).unwrap();
        let log_lines: Vec<_> = text.lines().collect();
        assert_eq!(log_lines.len(), 2, "{text}");
        assert!(log_lines[0].ends_with(r#"part="store" state="unready" reasons="it is away""#), "{text}");
        assert!(log_lines[1].ends_with(r#"a part of the service is ready again part="store" state="ready""#), "{text}");
        assert_eq!(metrics.ready.get(), 1);
    }
}

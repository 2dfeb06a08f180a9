//! Whether what operators wrote is in force.

use prometheus::{IntCounterVec, IntGauge, Opts, Registry};

/// Counts what became of changed configurations.
pub(crate) struct ReloadMetrics {
    reloads: IntCounterVec,
    last: IntGauge,
}

impl ReloadMetrics {
    /// The metrics of a service that has just been configured, in `registry`.
    ///
    /// # Errors
    /// When a metric of that name is there already; a mistake in this program.
    pub(crate) fn new(registry: &Registry) -> prometheus::Result<Self> {
        let reloads =
            Opts::new("firmquote_reloads_total", "Configurations that were read again, by what became of them.");
        let reloads = IntCounterVec::new(reloads, &["outcome"])?;
        let last = IntGauge::new(
            "firmquote_last_reload_successful",
            "1 if all that is written is in force, 0 if some of it was refused.",
        )?;
        for outcome in ["applied", "refused"] {
            reloads.get_metric_with_label_values(&[outcome])?;
        }
        last.set(1);
        registry.register(Box::new(reloads.clone()))?;
        registry.register(Box::new(last.clone()))?;
        Ok(Self { reloads, last })
    }

    /// Shows whether all that is written is in force.
    pub(crate) fn show(&self, is_in_force: bool) {
        self.last.set(i64::from(is_in_force));
    }

    /// Counts one.
    pub(crate) fn count(&self, is_applied: bool) {
        let outcome = if is_applied { "applied" } else { "refused" };
        self.reloads.with_label_values(&[outcome]).inc();
    }
}

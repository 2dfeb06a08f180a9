//! Metrics of configuration reloads.

use prometheus::{IntCounterVec, IntGauge, Opts, Registry};

/// Counters and state of reloads.
pub(crate) struct ReloadMetrics {
    reloads: IntCounterVec,
    last: IntGauge,
}

impl ReloadMetrics {
    /// Registers the metrics of a freshly started service in `registry`.
    ///
    /// # Errors
    /// When a metric of the same name is already registered; a bug.
    pub(crate) fn new(registry: &Registry) -> prometheus::Result<Self> {
        let reloads = Opts::new("firmquote_reloads_total", "Configuration reloads, by outcome.");
        let reloads = IntCounterVec::new(reloads, &["outcome"])?;
        let last = IntGauge::new(
            "firmquote_last_reload_successful",
            "1 if all configuration files are in effect, 0 if one of them was refused.",
        )?;
        for outcome in ["applied", "refused"] {
            reloads.get_metric_with_label_values(&[outcome])?;
        }
        last.set(1);
        registry.register(Box::new(reloads.clone()))?;
        registry.register(Box::new(last.clone()))?;
        Ok(Self { reloads, last })
    }

    /// Sets whether all configuration files are in effect.
    pub(crate) fn show(&self, is_successful: bool) {
        self.last.set(i64::from(is_successful));
    }

    /// Counts one reload.
    pub(crate) fn count(&self, is_applied: bool) {
        let outcome = if is_applied { "applied" } else { "refused" };
        self.reloads.with_label_values(&[outcome]).inc();
    }
}

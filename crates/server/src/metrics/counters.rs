//! Metrics that are counted as they happen: configuration reloads, and the outcomes of signed swaps.

use firmquote_desk::ObservationReport;
use firmquote_domain::PoolId;
use prometheus::{
    IntCounterVec, IntGauge, IntGaugeVec, Registry, register_int_counter_vec_with_registry,
    register_int_gauge_vec_with_registry, register_int_gauge_with_registry,
};

/// Counters and state of reloads.
pub(crate) struct ReloadMetrics {
    reloads: IntCounterVec,
    last: IntGauge,
    credentials_file: IntGaugeVec,
}

impl ReloadMetrics {
    /// Registers the metrics of a freshly started service in `registry`, which has read the credentials file with this id.
    ///
    /// # Errors
    /// When a metric of the same name is already registered; a bug.
    pub(crate) fn new(registry: &Registry, credentials_file_id: &str) -> prometheus::Result<Self> {
        let reloads = register_int_counter_vec_with_registry!(
            "firmquote_reloads_total",
            "Configuration reloads, by outcome.",
            &["outcome"],
            registry
        )?;
        let last = register_int_gauge_with_registry!(
            "firmquote_last_reload_successful",
            "1 if all configuration files are in effect, 0 if one of them was refused.",
            registry
        )?;
        let credentials_file = register_int_gauge_vec_with_registry!(
            "firmquote_credentials_file_info",
            "The credentials file that is in effect: the first digits of its SHA-256.",
            &["sha256"],
            registry
        )?;
        for outcome in ["applied", "refused"] {
            reloads.get_metric_with_label_values(&[outcome])?;
        }
        last.set(1);
        let metrics = Self { reloads, last, credentials_file };
        metrics.show_credentials_file(credentials_file_id);
        Ok(metrics)
    }

    /// Sets whether all configuration files are in effect.
    pub(crate) fn show(&self, is_successful: bool) {
        self.last.set(i64::from(is_successful));
    }

    /// Shows the id of the credentials file that is in effect; it is empty without one.
    pub(crate) fn show_credentials_file(&self, id: &str) {
        self.credentials_file.reset();
        self.credentials_file.with_label_values(&[id]).set(1);
    }

    /// Counts one reload.
    pub(crate) fn count(&self, is_applied: bool) {
        let outcome = if is_applied { "applied" } else { "refused" };
        self.reloads.with_label_values(&[outcome]).inc();
    }
}

/// The counters of settled, lapsed, reorganized, replayed and unmatched swaps of each pool.
#[derive(Clone)]
pub(crate) struct SwapOutcomeMetrics {
    outcomes: IntCounterVec,
    replayed: IntCounterVec,
    signed_before: IntCounterVec,
    unmatched: IntCounterVec,
}

impl SwapOutcomeMetrics {
    /// Registers the counters, with a series for each of `pools` from the start.
    ///
    /// # Errors
    /// When a metric of the same name is already registered; a bug.
    pub(crate) fn new(registry: &Registry, pools: &[PoolId]) -> prometheus::Result<Self> {
        let outcomes = register_int_counter_vec_with_registry!(
            "firmquote_swap_outcomes_total",
            "Signed swaps that settled, lapsed, or are outstanding again after a reorganization, as seen by this replica.",
            &["pool", "outcome"],
            registry
        )?;
        let replayed = register_int_counter_vec_with_registry!(
            "firmquote_replayed_swaps_total",
            "Executed swaps of signatures that had been executed before.",
            &["pool"],
            registry
        )?;
        let signed_before = register_int_counter_vec_with_registry!(
            "firmquote_signed_before_swaps_total",
            "Executed swaps of signatures that are in the ledger, and no longer in the book.",
            &["pool"],
            registry
        )?;
        let unmatched = register_int_counter_vec_with_registry!(
            "firmquote_unmatched_swaps_total",
            "Executed swaps that match no recorded signature of the pool.",
            &["pool"],
            registry
        )?;
        let metrics = Self { outcomes, replayed, signed_before, unmatched };
        for pool in pools {
            metrics.count(*pool, &ObservationReport::default());
            metrics.count_unmatched(*pool, 0, 0);
        }
        Ok(metrics)
    }

    /// Counts the changes caused by an observation.
    pub(crate) fn count(&self, pool: PoolId, report: &ObservationReport) {
        let pool = pool.to_string();
        let count = |outcome: &str, swaps: usize| {
            self.outcomes.with_label_values(&[pool.as_str(), outcome]).inc_by(u64::try_from(swaps).unwrap_or_default());
        };
        count("settled", report.settled);
        count("lapsed", report.lapsed);
        count("reorganized", report.reorganized);
        self.replayed.with_label_values(&[&pool]).inc_by(u64::try_from(report.replayed).unwrap_or_default());
    }

    /// Counts executed swaps that the book does not explain: those of signatures that the ledger has, and the others.
    pub(crate) fn count_unmatched(&self, pool: PoolId, signed_before: usize, unmatched: usize) {
        let pool = pool.to_string();
        self.signed_before.with_label_values(&[&pool]).inc_by(u64::try_from(signed_before).unwrap_or_default());
        self.unmatched.with_label_values(&[&pool]).inc_by(u64::try_from(unmatched).unwrap_or_default());
    }
}

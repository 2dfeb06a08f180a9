//! Counters of the outcomes of signed swaps.

use firmquote_desk::SettlementReport;
use firmquote_domain::PoolId;
use prometheus::{IntCounterVec, Opts, Registry};

/// The counters of settled, lapsed, reorganized and unmatched swaps of each pool.
#[derive(Clone)]
pub(crate) struct SettlementMetrics {
    outcomes: IntCounterVec,
    unmatched: IntCounterVec,
}

impl SettlementMetrics {
    /// Registers the counters, with a series for each of `pools` from the start.
    ///
    /// # Errors
    /// When a metric of the same name is already registered; a bug.
    pub(crate) fn new(registry: &Registry, pools: &[PoolId]) -> prometheus::Result<Self> {
        let outcomes = Opts::new(
            "firmquote_swap_outcomes_total",
            "Signed swaps that settled, lapsed, or are outstanding again after a reorganization, as seen by this replica.",
        );
        let unmatched = Opts::new(
            "firmquote_unmatched_swaps_total",
            "Executed swaps that match no recorded signature of the pool.",
        );
        let metrics = Self {
            outcomes: IntCounterVec::new(outcomes, &["pool", "outcome"])?,
            unmatched: IntCounterVec::new(unmatched, &["pool"])?,
        };
        registry.register(Box::new(metrics.outcomes.clone()))?;
        registry.register(Box::new(metrics.unmatched.clone()))?;
        for pool in pools {
            metrics.count(*pool, &SettlementReport::default());
        }
        Ok(metrics)
    }

    /// Counts the changes caused by an observation.
    pub(crate) fn count(&self, pool: PoolId, report: &SettlementReport) {
        let pool = pool.to_string();
        let count = |outcome: &str, swaps: usize| {
            self.outcomes.with_label_values(&[pool.as_str(), outcome]).inc_by(u64::try_from(swaps).unwrap_or_default());
        };
        count("settled", report.settled);
        count("lapsed", report.lapsed);
        count("reorganized", report.reorganized);
        self.unmatched.with_label_values(&[&pool]).inc_by(u64::try_from(report.unmatched).unwrap_or_default());
    }
}

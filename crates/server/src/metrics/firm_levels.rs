//! Metrics of broken promises of firm levels.

use std::sync::Arc;

use firmquote_desk::FirmLevelsState;
use prometheus::{
    CounterVec, Opts,
    core::{Collector, Desc},
    proto::MetricFamily,
};

use super::families::float;

/// Collector of the desk's counters of firm levels.
pub(crate) struct FirmLevelMetrics {
    firm_levels: Arc<FirmLevelsState>,
    descriptions: Vec<Desc>,
}

impl FirmLevelMetrics {
    /// Creates the collector of `firm_levels`.
    ///
    /// # Errors
    /// When a metric cannot be created; a bug in this file.
    pub(crate) fn new(firm_levels: Arc<FirmLevelsState>) -> prometheus::Result<Self> {
        let descriptions = families()?.iter().flat_map(Collector::desc).cloned().collect();
        Ok(Self { firm_levels, descriptions })
    }
}

fn families() -> prometheus::Result<[CounterVec; 2]> {
    let family = |name: &str, help: &str, labels: &[&str]| CounterVec::new(Opts::new(name, help), labels);
    Ok([
        family(
            "firmquote_levels_breaches_total",
            "Refusals of quotes and signatures that live firm levels had promised.",
            &["reason"],
        )?,
        family(
            "firmquote_levels_store_failures_total",
            "Failures of the store to hold firm levels or to release reserved inputs.",
            &[],
        )?,
    ])
}

impl Collector for FirmLevelMetrics {
    fn desc(&self) -> Vec<&Desc> {
        self.descriptions.iter().collect()
    }

    fn collect(&self) -> Vec<MetricFamily> {
        // Cannot fail here: `new` has already created them once.
        let Ok([breaches, failures]) = families() else { return Vec::new() };
        for (reason, count) in self.firm_levels.breaches() {
            breaches.with_label_values(&[reason.name()]).inc_by(float(count));
        }
        failures.with_label_values::<&str>(&[]).inc_by(float(self.firm_levels.store_failures()));
        [breaches, failures].iter().flat_map(Collector::collect).collect()
    }
}

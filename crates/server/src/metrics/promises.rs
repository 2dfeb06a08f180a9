//! Promises of firm levels that could not be kept.

use std::sync::Arc;

use firmquote_desk::Promises;
use prometheus::{
    CounterVec, Opts,
    core::{Collector, Desc},
    proto::MetricFamily,
};

use super::families::float;

/// Collector of what the desk counts about firm levels.
pub(crate) struct PromiseMetrics {
    promises: Arc<Promises>,
    descriptions: Vec<Desc>,
}

impl PromiseMetrics {
    /// Creates the collector of `promises`.
    ///
    /// # Errors
    /// When a metric cannot be created; a bug in this file.
    pub(crate) fn new(promises: Arc<Promises>) -> prometheus::Result<Self> {
        let descriptions = families()?.iter().flat_map(Collector::desc).cloned().collect();
        Ok(Self { promises, descriptions })
    }
}

fn families() -> prometheus::Result<[CounterVec; 2]> {
    let family = |name: &str, help: &str, labels: &[&str]| CounterVec::new(Opts::new(name, help), labels);
    Ok([
        family(
            "firmquote_levels_breaches_total",
            "Quotes and signatures of live firm levels that were refused although the levels promised them.",
            &["reason"],
        )?,
        family(
            "firmquote_levels_store_failures_total",
            "Levels that the store did not hold, and inputs that it did not give back.",
            &[],
        )?,
    ])
}

impl Collector for PromiseMetrics {
    fn desc(&self) -> Vec<&Desc> {
        self.descriptions.iter().collect()
    }

    fn collect(&self) -> Vec<MetricFamily> {
        // Cannot fail here: `new` has already created them once.
        let Ok([breaches, failures]) = families() else { return Vec::new() };
        for (reason, count) in self.promises.breaches() {
            breaches.with_label_values(&[reason.name()]).inc_by(float(count));
        }
        failures.with_label_values::<&str>(&[]).inc_by(float(self.promises.store_failures()));
        [breaches, failures].iter().flat_map(Collector::collect).collect()
    }
}

//! Metrics of broken promises of firm levels.

use std::sync::Arc;

use firmquote_desk::FirmLevelsState;
use prometheus::CounterVec;

use super::{ScrapeMetrics, scrape::FamilySet, values::float};

/// Metrics of the desk's counters of firm levels.
pub(crate) struct FirmLevelMetrics(pub(crate) Arc<FirmLevelsState>);

impl ScrapeMetrics for FirmLevelMetrics {
    type Families = [CounterVec; 2];

    fn families(set: &mut FamilySet) -> prometheus::Result<[CounterVec; 2]> {
        Ok([
            set.counter(
                "firmquote_levels_breaches_total",
                "Refusals of quotes and signatures that live firm levels had promised.",
                &["reason"],
            )?,
            set.counter(
                "firmquote_levels_store_failures_total",
                "Failures of the store to hold firm levels or to release reserved inputs.",
                &[],
            )?,
        ])
    }

    fn read(&self, [breaches, failures]: &[CounterVec; 2]) {
        for (reason, count) in self.0.breaches() {
            breaches.with_label_values(&[reason.name()]).inc_by(float(count));
        }
        failures.with_label_values::<&str>(&[]).inc_by(float(self.0.store_failures()));
    }
}

//! Metrics of the desk: the swaps of each client by asset pair, and broken promises of firm levels.

use std::sync::Arc;

use firmquote_desk::{FirmLevelsState, OperatorView};
use firmquote_domain::Symbol;
use prometheus::CounterVec;

use super::{
    ScrapeMetrics,
    scrape::{FamilySet, float},
};

/// Metrics of the signatures recorded by the operator view, with their value.
pub(crate) struct VolumeMetrics(pub(crate) Arc<OperatorView>);

impl ScrapeMetrics for VolumeMetrics {
    type Families = [CounterVec; 4];

    fn families(set: &mut FamilySet) -> prometheus::Result<[CounterVec; 4]> {
        let mut counter = |name, help| set.counter(name, help, &["client", "input_asset", "output_asset"]);
        Ok([
            counter("firmquote_client_signatures_total", "Signed swaps, each counted once, by client and pair.")?,
            counter("firmquote_client_volume_usd_total", "Input value of signed swaps, in US dollars.")?,
            counter("firmquote_client_settled_total", "Settled swaps of all replicas, as seen by this replica.")?,
            counter("firmquote_client_lapsed_total", "Lapsed swaps of all replicas, as seen by this replica.")?,
        ])
    }

    fn read(&self, families: &[CounterVec; 4]) {
        for volume in self.0.signatures.volumes() {
            let client = volume.client.name().unwrap_or_default();
            let [input, output] = volume.symbols.each_ref().map(|symbol| symbol.as_ref().map_or("", Symbol::as_str));
            let totals = [float(volume.signatures), volume.value_in_usd, float(volume.settled), float(volume.lapsed)];
            for (counter, total) in families.iter().zip(totals) {
                counter.with_label_values(&[client, input, output]).inc_by(total);
            }
        }
    }
}

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

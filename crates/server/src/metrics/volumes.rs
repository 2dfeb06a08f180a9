//! Signed, settled and lapsed swaps of each client, by asset pair.

use std::sync::Arc;

use firmquote_desk::OperatorView;
use firmquote_domain::Symbol;
use prometheus::CounterVec;

use super::{ScrapeMetrics, scrape::FamilySet, values::float};

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

//! Signed, settled and lapsed swaps of each client, by asset pair.

use std::sync::Arc;

use firmquote_desk::OperatorView;
use firmquote_domain::Symbol;
use prometheus::{
    CounterVec, Opts,
    core::{Collector, Desc},
    proto::MetricFamily,
};

use super::families::float;

const LABELS: [&str; 3] = ["client", "input_asset", "output_asset"];

/// Collector of the signatures recorded by the operator view, with their value.
pub(crate) struct VolumeMetrics {
    operator_view: Arc<OperatorView>,
    descriptions: Vec<Desc>,
}

impl VolumeMetrics {
    /// Creates the collector of `operator_view`.
    ///
    /// # Errors
    /// When a metric cannot be created; a bug in this file.
    pub(crate) fn new(operator_view: Arc<OperatorView>) -> prometheus::Result<Self> {
        let descriptions = families()?.iter().flat_map(Collector::desc).cloned().collect();
        Ok(Self { operator_view, descriptions })
    }
}

fn families() -> prometheus::Result<[CounterVec; 4]> {
    let family = |name: &str, help: &str| CounterVec::new(Opts::new(name, help), &LABELS);
    Ok([
        family("firmquote_client_signatures_total", "Signed swaps, each counted once, by client and pair.")?,
        family("firmquote_client_volume_usd_total", "Input value of signed swaps, in US dollars.")?,
        family("firmquote_client_settled_total", "Settled swaps of all replicas, as seen by this replica.")?,
        family("firmquote_client_lapsed_total", "Lapsed swaps of all replicas, as seen by this replica.")?,
    ])
}

impl Collector for VolumeMetrics {
    fn desc(&self) -> Vec<&Desc> {
        self.descriptions.iter().collect()
    }

    fn collect(&self) -> Vec<MetricFamily> {
        // Cannot fail here: `new` has already created them once.
        let Ok([signatures, value, settled, lapsed]) = families() else { return Vec::new() };
        for volume in self.operator_view.signatures.volumes() {
            let client = volume.client.name().unwrap_or_default();
            let [input, output] = volume.symbols.each_ref().map(|symbol| symbol.as_ref().map_or("", Symbol::as_str));
            let counters = [
                (&signatures, float(volume.signatures)),
                (&value, volume.value_in_usd),
                (&settled, float(volume.settled)),
                (&lapsed, float(volume.lapsed)),
            ];
            for (counter, total) in counters {
                counter.with_label_values(&[client, input, output]).inc_by(total);
            }
        }
        [signatures, value, settled, lapsed].iter().flat_map(Collector::collect).collect()
    }
}

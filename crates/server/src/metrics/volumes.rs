//! Signed volume of each client, by asset pair.

use std::sync::Arc;

use firmquote_desk::{OperatorView, SignedVolume};
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

fn families() -> prometheus::Result<[CounterVec; 2]> {
    let family = |name: &str, help: &str| CounterVec::new(Opts::new(name, help), &LABELS);
    Ok([
        family("firmquote_client_signatures_total", "Signed swaps, each counted once, by client and pair.")?,
        family("firmquote_client_volume_usd_total", "Input value of signed swaps, in US dollars.")?,
    ])
}

impl Collector for VolumeMetrics {
    fn desc(&self) -> Vec<&Desc> {
        self.descriptions.iter().collect()
    }

    fn collect(&self) -> Vec<MetricFamily> {
        // Cannot fail here: `new` has already created them once.
        let Ok([signatures, value]) = families() else { return Vec::new() };
        for SignedVolume { client, symbols, signatures: count, value_in_usd } in self.operator_view.signatures.volumes()
        {
            let client = client.name().unwrap_or_default();
            let [input, output] = symbols.each_ref().map(|symbol| symbol.as_ref().map_or("", Symbol::as_str));
            signatures.with_label_values(&[client, input, output]).inc_by(float(count));
            value.with_label_values(&[client, input, output]).inc_by(value_in_usd);
        }
        [signatures.collect(), value.collect()].concat()
    }
}

//! What each client had signed, by what it swapped for what.

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

/// Gathers the signatures that `operator_view` has seen, and what they are worth.
pub(crate) struct VolumeMetrics {
    operator_view: Arc<OperatorView>,
    descriptions: Vec<Desc>,
}

impl VolumeMetrics {
    /// The metrics of `operator_view`.
    ///
    /// # Errors
    /// When a metric cannot be made; a mistake in this file.
    pub(crate) fn new(operator_view: Arc<OperatorView>) -> prometheus::Result<Self> {
        let descriptions = families()?.iter().flat_map(Collector::desc).cloned().collect();
        Ok(Self { operator_view, descriptions })
    }
}

fn families() -> prometheus::Result<[CounterVec; 2]> {
    let family = |name: &str, help: &str| CounterVec::new(Opts::new(name, help), &LABELS);
    Ok([
        family("firmquote_client_signatures_total", "Swaps that were signed, once each, by client and pair.")?,
        family("firmquote_client_volume_usd_total", "US dollars of the input of swaps that were signed.")?,
    ])
}

impl Collector for VolumeMetrics {
    fn desc(&self) -> Vec<&Desc> {
        self.descriptions.iter().collect()
    }

    fn collect(&self) -> Vec<MetricFamily> {
        // They could be made when this was.
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

//! Occupancy of a store that keeps quotes in the memory of this process.

use std::sync::Arc;

use firmquote_store::{Occupancy, QuoteStore};
use prometheus::{
    Gauge, Opts,
    core::{Collector, Desc},
    proto::MetricFamily,
};

use super::families::float;

/// Collector of the number of live quotes and the capacity of a store; empty for a remote store.
pub(crate) struct OccupancyMetrics {
    store: Arc<dyn QuoteStore>,
    quotes: Gauge,
    capacity: Gauge,
}

impl OccupancyMetrics {
    /// Creates the collector of `store`.
    ///
    /// # Errors
    /// When a metric cannot be created; a bug in this file.
    pub(crate) fn new(store: Arc<dyn QuoteStore>) -> prometheus::Result<Self> {
        let gauge = |name: &str, help: &str| Gauge::with_opts(Opts::new(name, help));
        let quotes = gauge("firmquote_store_quotes", "Live quotes in the memory store, signed ones included.")?;
        let capacity = gauge("firmquote_store_capacity_quotes", "Maximum number of live quotes in the memory store.")?;
        Ok(Self { store, quotes, capacity })
    }
}

impl Collector for OccupancyMetrics {
    fn desc(&self) -> Vec<&Desc> {
        [self.quotes.desc(), self.capacity.desc()].concat()
    }

    fn collect(&self) -> Vec<MetricFamily> {
        let Some(Occupancy { quotes, capacity }) = self.store.occupancy() else { return Vec::new() };
        self.quotes.set(float(quotes));
        self.capacity.set(float(capacity));
        [self.quotes.collect(), self.capacity.collect()].concat()
    }
}

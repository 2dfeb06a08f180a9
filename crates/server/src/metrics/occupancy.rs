//! How full a store is whose room is the memory of this process.

use std::sync::Arc;

use firmquote_store::{Occupancy, QuoteStore};
use prometheus::{
    Gauge, Opts,
    core::{Collector, Desc},
    proto::MetricFamily,
};

use super::families::float;

/// Gathers the live quotes of a store, and how many it takes; nothing of a store on another machine.
pub(crate) struct OccupancyMetrics {
    store: Arc<dyn QuoteStore>,
    quotes: Gauge,
    capacity: Gauge,
}

impl OccupancyMetrics {
    /// The metrics of `store`.
    ///
    /// # Errors
    /// When a metric cannot be made; a mistake in this file.
    pub(crate) fn new(store: Arc<dyn QuoteStore>) -> prometheus::Result<Self> {
        let gauge = |name: &str, help: &str| Gauge::with_opts(Opts::new(name, help));
        let quotes = gauge("firmquote_store_quotes", "Live quotes in the store in memory, signed ones included.")?;
        let capacity = gauge("firmquote_store_capacity_quotes", "Live quotes that the store in memory takes.")?;
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

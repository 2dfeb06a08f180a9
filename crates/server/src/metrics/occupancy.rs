//! Occupancy of a store that keeps quotes in the memory of this process.

use std::sync::Arc;

use firmquote_store::{Occupancy, QuoteStore};
use prometheus::GaugeVec;

use super::{
    ScrapeMetrics,
    scrape::{FamilySet, float, set},
};

/// The number of live quotes and the capacity of a store; nothing for a remote store.
pub(crate) struct OccupancyMetrics(pub(crate) Arc<dyn QuoteStore>);

impl ScrapeMetrics for OccupancyMetrics {
    type Families = [GaugeVec; 2];

    fn families(set: &mut FamilySet) -> prometheus::Result<[GaugeVec; 2]> {
        Ok([
            set.gauge("firmquote_store_quotes", "Live quotes in the memory store, signed ones included.", &[])?,
            set.gauge("firmquote_store_capacity_quotes", "Maximum number of live quotes in the memory store.", &[])?,
        ])
    }

    fn read(&self, [live, maximum]: &[GaugeVec; 2]) {
        if let Some(Occupancy { quotes, capacity }) = self.0.occupancy() {
            set(live, &[], float(quotes));
            set(maximum, &[], float(capacity));
        }
    }
}

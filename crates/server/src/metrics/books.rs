//! Outstanding swaps, and the age of this replica's copies of the books.

use std::sync::Arc;

use firmquote_desk::{AssetOverview, PoolOverview};
use firmquote_domain::{Asset, BasisPoints, Clock, Timestamp};
use firmquote_http::LiveService;
use prometheus::{
    GaugeVec, Opts,
    core::{Collector, Desc},
    proto::MetricFamily,
};

use super::{families::float, set, show_age};

/// Collector of the books of the served pools.
pub(crate) struct BookMetrics {
    live: Arc<LiveService>,
    clock: Arc<dyn Clock>,
    descriptions: Vec<Desc>,
}

struct BookFamilies {
    swaps: GaugeVec,
    age: GaugeVec,
    share: GaugeVec,
    limit: GaugeVec,
}

impl BookFamilies {
    fn new() -> prometheus::Result<Self> {
        let gauge = |name: &str, help: &str, labels: &[&str]| GaugeVec::new(Opts::new(name, help), labels);
        let pool = &["chain_id", "pool"];
        Ok(Self {
            swaps: gauge("firmquote_outstanding_swaps", "Swaps that are signed, not executed and not expired.", pool)?,
            age: gauge("firmquote_book_age_seconds", "Time since this replica's copy of the book was complete.", pool)?,
            share: gauge(
                "firmquote_outstanding_share",
                "The part of the reserve that outstanding swaps may take out.",
                &["chain_id", "pool", "symbol"],
            )?,
            limit: gauge(
                "firmquote_outstanding_share_limit",
                "The largest part of a reserve that may be outstanding; absent without a limit.",
                pool,
            )?,
        })
    }

    fn all(&self) -> [&GaugeVec; 4] {
        [&self.swaps, &self.age, &self.share, &self.limit]
    }

    fn show(&self, view: &PoolOverview, now: Timestamp) {
        let spec = view.pool.spec();
        let (chain_id, address) = (spec.id.chain_id.to_string(), spec.id.address.to_string());
        let labels = [chain_id.as_str(), address.as_str()];
        set(&self.swaps, &labels, float(view.outstanding_swaps));
        show_age(&self.age, &labels, view.book_updated_at, now);
        if let Some(most) = view.max_outstanding_share {
            set(&self.limit, &labels, f64::from(most.hundredths()) / f64::from(BasisPoints::ONE_HUNDREDTHS));
        }
        let share = |(asset, observed): (&Asset, &AssetOverview)| {
            let labels = [chain_id.as_str(), address.as_str(), asset.symbol.as_str()];
            observed.outstanding_share().into_iter().for_each(|share| set(&self.share, &labels, share));
        };
        spec.assets.iter().zip(&view.assets).for_each(share);
    }
}

impl BookMetrics {
    /// Creates the collector of the pools that `live` serves.
    ///
    /// # Errors
    /// When a metric cannot be created; a bug in this file.
    pub(crate) fn new(live: Arc<LiveService>, clock: Arc<dyn Clock>) -> prometheus::Result<Self> {
        let descriptions = BookFamilies::new()?.all().into_iter().flat_map(Collector::desc).cloned().collect();
        Ok(Self { live, clock, descriptions })
    }
}

impl Collector for BookMetrics {
    fn desc(&self) -> Vec<&Desc> {
        self.descriptions.iter().collect()
    }

    fn collect(&self) -> Vec<MetricFamily> {
        // Cannot fail here: `new` has already created them once.
        let Ok(families) = BookFamilies::new() else { return Vec::new() };
        let now = self.clock.now();
        self.live.desk().overview().pools.iter().for_each(|pool| families.show(pool, now));
        families.all().into_iter().flat_map(Collector::collect).collect()
    }
}

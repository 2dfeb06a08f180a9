//! Outstanding swaps, and the age of this replica's copies of the books.

use std::sync::Arc;

use firmquote_desk::{AssetOverview, PoolOverview};
use firmquote_domain::{Asset, BasisPoints, Clock, Timestamp};
use firmquote_http::LiveService;
use prometheus::GaugeVec;

use super::{
    ScrapeMetrics,
    scrape::{FamilySet, float, set, set_age},
};

/// Metrics of the books of the served pools.
pub(crate) struct BookMetrics {
    pub(crate) live: Arc<LiveService>,
    pub(crate) clock: Arc<dyn Clock>,
}

pub(crate) struct BookFamilies {
    swaps: GaugeVec,
    age: GaugeVec,
    share: GaugeVec,
    limit: GaugeVec,
}

impl ScrapeMetrics for BookMetrics {
    type Families = BookFamilies;

    fn families(set: &mut FamilySet) -> prometheus::Result<BookFamilies> {
        let pool = &["chain_id", "pool"];
        Ok(BookFamilies {
            swaps: set.gauge(
                "firmquote_outstanding_swaps",
                "Swaps that are signed, not executed and not expired.",
                pool,
            )?,
            age: set.gauge(
                "firmquote_book_age_seconds",
                "Time since this replica's copy of the book was complete.",
                pool,
            )?,
            share: set.gauge(
                "firmquote_outstanding_share",
                "The part of the reserve that outstanding swaps may take out.",
                &["chain_id", "pool", "symbol"],
            )?,
            limit: set.gauge(
                "firmquote_outstanding_share_limit",
                "The largest part of a reserve that may be outstanding; absent without a limit.",
                pool,
            )?,
        })
    }

    fn read(&self, families: &BookFamilies) {
        let now = self.clock.now();
        self.live.desk().overview().pools.iter().for_each(|pool| families.set_pool(pool, now));
    }
}

impl BookFamilies {
    fn set_pool(&self, pool: &PoolOverview, now: Timestamp) {
        let spec = pool.pool.spec();
        let (chain_id, address) = (spec.id.chain_id.to_string(), spec.id.address.to_string());
        let labels = [chain_id.as_str(), address.as_str()];
        set(&self.swaps, &labels, float(pool.outstanding_swaps));
        set_age(&self.age, &labels, pool.book_updated_at, now);
        if let Some(limit) = pool.max_outstanding_share {
            set(&self.limit, &labels, f64::from(limit.hundredths()) / f64::from(BasisPoints::SCALE));
        }
        let set_share = |(asset, overview): (&Asset, &AssetOverview)| {
            let labels = [chain_id.as_str(), address.as_str(), asset.symbol.as_str()];
            overview.outstanding_share().into_iter().for_each(|share| set(&self.share, &labels, share));
        };
        spec.assets.iter().zip(&pool.assets).for_each(set_share);
    }
}

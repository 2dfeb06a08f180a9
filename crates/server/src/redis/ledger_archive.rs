//! Follows how far an archiver has copied the ledger in Redis: entries that Redis drops before are lost.

use std::{sync::Arc, time::Duration};

use arc_swap::ArcSwapOption;
use firmquote_domain::{Clock, Timestamp};
use firmquote_store::{
    StoreError,
    redis::{ArchiveStatus, RedisStore},
};
use prometheus::Registry;
use tokio::time::sleep;

use crate::{
    metrics::{FamilySet, ScrapeMetrics, set_value},
    supervise::{Outage, in_time},
};

/// The delay between two looks at the archive.
const INTERVAL: Duration = Duration::from_secs(10);
/// Timeout of a look.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Follows the archive of a ledger, and registers its metric in `registry`.
///
/// # Errors
/// When a metric of the same name is already registered; a bug.
pub(crate) fn follow_archive(
    store: Arc<RedisStore>,
    clock: Arc<dyn Clock>,
    registry: &Registry,
) -> prometheus::Result<impl Future<Output = ()> + Send + 'static> {
    let status = Arc::default();
    ArchiveMetrics { status: Arc::clone(&status), clock }.register(registry)?;
    Ok(ArchiveFollower { store, status }.run())
}

/// Follows the archive of a ledger.
struct ArchiveFollower {
    store: Arc<RedisStore>,
    /// `None` without an archiver.
    status: Arc<ArcSwapOption<ArchiveStatus>>,
}

impl ArchiveFollower {
    /// Follows the archive until the runtime ends; logs the start and the end of an outage.
    async fn run(self) {
        let outage = Outage::new();
        loop {
            outage.record(
                in_time(TIMEOUT, self.read()).await,
                |error| tracing::warn!(error, "cannot read how far the ledger is archived"),
                || tracing::info!("the state of the archive of the ledger can be read again"),
            );
            sleep(INTERVAL).await;
        }
    }

    async fn read(&self) -> Result<(), StoreError> {
        self.status.store(self.store.archive_status().await?.map(Arc::new));
        Ok(())
    }
}

/// The lag of the archive, at each scrape.
struct ArchiveMetrics {
    status: Arc<ArcSwapOption<ArchiveStatus>>,
    clock: Arc<dyn Clock>,
}

impl ScrapeMetrics for ArchiveMetrics {
    fn collect(&self, families: &mut FamilySet) -> prometheus::Result<()> {
        let lag = families.gauge(
            "firmquote_ledger_archive_lag_seconds",
            "Time since Redis added the first entry of the ledger that is not archived; 0 if all are.",
            &[],
        )?;
        if let Some(status) = self.status.load_full() {
            set_value(&lag, lag_seconds(&status, self.clock.now()));
        }
        Ok(())
    }
}

fn lag_seconds(status: &ArchiveStatus, now: Timestamp) -> f64 {
    let Some(first) = status.first_unarchived else { return 0.0 };
    let millis = now.millis_since(first.time());
    Duration::from_millis(millis).as_secs_f64()
}

#[cfg(test)]
mod tests {
    use firmquote_store::redis::LedgerId;

    use super::*;

    #[test]
    fn the_lag_is_the_age_of_the_first_entry_that_is_not_archived() {
        let now = Timestamp::from_seconds(1_795_230_380);
        let lag = |first| lag_seconds(&ArchiveStatus { first_unarchived: first }, now).to_string();
        assert_eq!(lag(None), "0");
        assert_eq!(lag(Some(LedgerId { ms: 1_795_230_378_500, sequence: 3 })), "1.5");
        // The clock of Redis may be ahead.
        assert_eq!(lag(Some(LedgerId { ms: 1_795_230_381_000, sequence: 0 })), "0");
    }
}

//! Stores how the swaps of a pool ended, beside the blocks that are followed: a block may end thousands, and each may
//! wait for the disk.

use firmquote_domain::PoolId;
use firmquote_http::LiveService;
use firmquote_outbound::error_chain;
use tokio::sync::Notify;

use crate::supervise::Outage;

/// Writes outcomes to the store and to the ledger, one batch after the other.
pub(super) struct OutcomeWriter<'l> {
    live: &'l LiveService,
    pool: PoolId,
    observed: Notify,
    /// Of the store.
    outage: Outage<()>,
}

impl<'l> OutcomeWriter<'l> {
    /// Creates the writer of the outcomes of `pool`.
    pub(super) fn new(live: &'l LiveService, pool: PoolId) -> Self {
        Self { live, pool, observed: Notify::new(), outage: Outage::new() }
    }

    /// Requests that all observed outcomes are stored, also those that could not be stored before.
    pub(super) fn request(&self) {
        self.observed.notify_one();
    }

    /// Stores the outcomes at each request, until the runtime ends.
    pub(super) async fn run(&self) {
        loop {
            self.observed.notified().await;
            self.store().await;
        }
    }

    async fn store(&self) {
        let (desk, pool) = (self.live.desk(), self.pool);
        let Some(served) = desk.pool(pool) else { return };
        self.outage.record(
            desk.store_outcomes(served).await,
            |error| {
                let error = error_chain(&error);
                tracing::warn!(%pool, error, "the outcomes of swaps cannot be stored: retrying at each block");
            },
            || tracing::info!(%pool, "the outcomes of swaps can be stored again"),
        );
    }
}

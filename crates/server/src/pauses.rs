//! Keeps this replica's knowledge of paused pools up to date.

use std::{sync::Arc, time::Duration};

use firmquote_desk::{PAUSES_TTL_SECONDS, Pauses};
use firmquote_domain::Clock;
use prometheus::IntCounter;
use tokio::time::sleep;

use crate::supervise::{Outage, in_time};

/// Delay between two reads: a pause set on another replica takes effect here within a second.
const POLL_INTERVAL: Duration = Duration::from_millis(250);

/// Timeout of a read.
const READ_TIMEOUT: Duration = Duration::from_secs(1);

/// Polls the store for the paused pools.
pub(crate) struct PauseReader {
    pauses: Arc<Pauses>,
    clock: Arc<dyn Clock>,
    outage: Outage<()>,
    /// Counts pauses that the store lost.
    lost: IntCounter,
}

impl PauseReader {
    /// Creates the reader and reads the pauses once, if the store responds: nothing is quoted before they are known.
    pub(crate) async fn start(pauses: Arc<Pauses>, clock: Arc<dyn Clock>, lost: IntCounter) -> Self {
        let reader = Self { pauses, clock, outage: Outage::new(), lost };
        reader.read().await;
        reader
    }

    /// Polls the pauses until the runtime ends.
    pub(crate) async fn run(self) {
        loop {
            sleep(POLL_INTERVAL).await;
            self.read().await;
        }
    }

    /// Reads the pauses; logs the start and the end of an outage.
    async fn read(&self) {
        let read = in_time(READ_TIMEOUT, self.pauses.refresh(self.clock.now())).await;
        for pool in self.pauses.take_lost() {
            tracing::error!(%pool, "the store lost the pause of the pool: it stays paused, and is stored again");
            self.lost.inc();
        }
        self.outage.record(
            read,
            |error| tracing::error!(error, believed_s = PAUSES_TTL_SECONDS, "cannot read which pools are paused"),
            || tracing::info!("paused pools can be read again"),
        );
    }
}

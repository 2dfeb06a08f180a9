//! Keeps this replica's knowledge of paused pools up to date.

use std::{sync::Arc, time::Duration};

use firmquote_desk::{PAUSES_TTL_SECONDS, Pauses};
use firmquote_domain::Clock;
use firmquote_outbound::error_chain;
use tokio::time::{sleep, timeout};

/// How long after a reading the next one begins: a pause that another replica sets holds here within a second.
const POLL_INTERVAL: Duration = Duration::from_millis(250);

/// How long a reading is waited for.
const READ_TIMEOUT: Duration = Duration::from_secs(1);

/// Reads which pools are paused.
pub(crate) struct PauseReader {
    pauses: Arc<Pauses>,
    clock: Arc<dyn Clock>,
    /// Whether it was told that they cannot be read.
    is_told: bool,
}

impl PauseReader {
    /// Reads them once, as far as the store answers: nothing is quoted before they are known.
    pub(crate) async fn start(pauses: Arc<Pauses>, clock: Arc<dyn Clock>) -> Self {
        let mut reader = Self { pauses, clock, is_told: false };
        reader.read().await;
        reader
    }

    /// Reads them again and again, until the runtime ends.
    pub(crate) async fn run(mut self) {
        loop {
            sleep(POLL_INTERVAL).await;
            self.read().await;
        }
    }

    /// What cannot be read is told once, until it can.
    async fn read(&mut self) {
        let reading = timeout(READ_TIMEOUT, self.pauses.refresh(self.clock.now())).await;
        let failed = match reading {
            Ok(read) => read.err().map(|error| error_chain(&error)),
            Err(elapsed) => {
                self.pauses.lapse(self.clock.now());
                Some(error_chain(&elapsed))
            }
        };
        if let (Some(error), false) = (&failed, self.is_told) {
            tracing::error!(error, believed_s = PAUSES_TTL_SECONDS, "which pools are paused cannot be read");
        }
        self.is_told = failed.is_some();
    }
}

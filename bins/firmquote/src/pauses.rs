//! Keeps this replica's knowledge of paused pools up to date.

use std::{sync::Arc, time::Duration};

use firmquote_desk::Pauses;
use tokio::time::sleep;

/// How long after a reading the next one begins: a pause that another replica sets holds here within a second.
const READ_EVERY: Duration = Duration::from_millis(250);

/// Reads which pools are paused.
pub(crate) struct PauseReader {
    pauses: Arc<Pauses>,
    /// Whether it was told that they cannot be read.
    is_told: bool,
}

impl PauseReader {
    /// Reads them once, as far as the store answers: nothing is quoted before they are known.
    pub(crate) async fn start(pauses: Arc<Pauses>) -> Self {
        let mut reader = Self { pauses, is_told: false };
        reader.read().await;
        reader
    }

    /// Reads them again and again, until the runtime ends.
    pub(crate) async fn keep(mut self) {
        loop {
            sleep(READ_EVERY).await;
            self.read().await;
        }
    }

    /// What cannot be read is told once, until it can.
    async fn read(&mut self) {
        let failed = self.pauses.refresh().await.err().map(anyhow::Error::from);
        if let (Some(error), false) = (&failed, self.is_told) {
            tracing::error!(error = %format!("{error:#}"), "which pools are paused cannot be read; what was known stays");
        }
        self.is_told = failed.is_some();
    }
}

//! Keeps this replica's knowledge of paused pools up to date.

use std::{sync::Arc, time::Duration};

use firmquote_desk::Pauses;
use tokio::time::{MissedTickBehavior, interval};

/// How often what is kept is read: a pause that another replica sets holds here within a second.
const READ_EVERY: Duration = Duration::from_millis(250);

/// Reads which pools are paused, again and again, until the runtime ends. What cannot be read is told once, until it can.
pub(crate) async fn keep(pauses: Arc<Pauses>) {
    let mut ticks = interval(READ_EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut is_told = false;
    loop {
        ticks.tick().await;
        match pauses.refresh().await {
            Ok(()) => is_told = false,
            Err(error) if !is_told => {
                let error = anyhow::Error::from(error);
                tracing::error!(error = %format!("{error:#}"), "which pools are paused cannot be read; what was known stays");
                is_told = true;
            }
            Err(_) => {}
        }
    }
}

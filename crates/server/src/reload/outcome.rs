//! The outcome of reloading one part of the configuration, logged once.

use std::time::Duration;

use firmquote_outbound::error_chain;
use tokio::time::Instant;

use crate::Error;

/// The reason for a retry, as logged.
pub(super) const RETRY: &str = "retry";

/// Delay before a refused reload is retried.
const RETRY_AFTER: Duration = Duration::from_secs(5);

/// The outcome of the last reload of one part.
pub(super) struct Outcome {
    part: &'static str,
    /// The reason and time of the last refusal.
    refused: Option<(String, Instant)>,
}

impl Outcome {
    /// Creates the outcome of a part that is in effect.
    pub(super) const fn new(part: &'static str) -> Self {
        Self { part, refused: None }
    }

    /// Whether the current files were refused.
    pub(super) const fn is_refused(&self) -> bool {
        self.refused.is_some()
    }

    /// Whether it was refused and is due for a retry.
    pub(super) fn is_due(&self, now: Instant) -> bool {
        self.refused.as_ref().is_some_and(|(_, at)| now.duration_since(*at) >= RETRY_AFTER)
    }

    /// Logs the outcome, unless a retry was refused for the same reason as before. Returns whether it was logged.
    pub(super) fn report(&mut self, because: &'static str, outcome: Result<(), Error>) -> bool {
        let part = self.part;
        let Err(error) = outcome else {
            tracing::info!(because, "{part} reloaded");
            self.refused = None;
            return true;
        };
        let error = error_chain(&error);
        let is_logged = self.refused.as_ref().is_some_and(|(logged, _)| *logged == error) && because == RETRY;
        if !is_logged {
            tracing::error!(because, error, "{part} rejected: the previous version stays active, retrying");
        }
        self.refused = Some((error, Instant::now()));
        !is_logged
    }
}

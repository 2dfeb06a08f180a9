//! The outcome of reloading one part of the configuration, logged once.

use std::time::Duration;

use firmquote_outbound::error_chain;
use tokio::time::Instant;

use crate::Error;

pub(super) const AGAIN: &str = "it was refused before";

/// Delay before a refused reload is retried.
const RETRY_AFTER: Duration = Duration::from_secs(5);

/// The outcome of the last reload of one part.
pub(super) struct Outcome {
    what: &'static str,
    done: &'static str,
    /// The reason and time of the last refusal.
    refused: Option<(String, Instant)>,
}

impl Outcome {
    /// Creates the outcome of `what`, which is in effect; `done` is logged after a successful reload.
    pub(super) const fn new(what: &'static str, done: &'static str) -> Self {
        Self { what, done, refused: None }
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
    pub(super) fn tell(&mut self, because: &'static str, outcome: Result<(), Error>) -> bool {
        let Self { what, done, .. } = self;
        let Err(error) = outcome else {
            tracing::info!(because, "{what} read again: {done}");
            self.refused = None;
            return true;
        };
        let error = error_chain(&error);
        let is_known = self.refused.as_ref().is_some_and(|(known, _)| *known == error) && because == AGAIN;
        if !is_known {
            tracing::error!(because, error, "{what} refused: what was in force stays, and it is tried again");
        }
        self.refused = Some((error, Instant::now()));
        !is_known
    }
}

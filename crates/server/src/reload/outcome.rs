//! What became of something that was read again, told once.

use std::time::Duration;

use firmquote_outbound::error_chain;
use tokio::time::Instant;

use crate::Error;

pub(super) const AGAIN: &str = "it was refused before";

/// How long after a refusal it is tried again.
const RETRY_AFTER: Duration = Duration::from_secs(5);

/// What became of something that was read again, the last time.
pub(super) struct Outcome {
    what: &'static str,
    done: &'static str,
    /// Why it was refused, and when.
    refused: Option<(String, Instant)>,
}

impl Outcome {
    /// That of `what`, which is in force; `done` is what is said once it was read again.
    pub(super) const fn new(what: &'static str, done: &'static str) -> Self {
        Self { what, done, refused: None }
    }

    /// Whether what is written is not in force.
    pub(super) const fn is_refused(&self) -> bool {
        self.refused.is_some()
    }

    /// Whether it was refused, and should be tried again.
    pub(super) fn is_due(&self, now: Instant) -> bool {
        self.refused.as_ref().is_some_and(|(_, at)| now.duration_since(*at) >= RETRY_AFTER)
    }

    /// Writes it into the log, unless it was refused for the same reason before and nobody changed anything. Says whether
    /// it was written.
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

//! The delays between the connections of a stream.

use std::time::Duration;

use uuid::Uuid;

use crate::{Error, Reaction};

/// The first delay before a new connection, and the longest.
const MIN_DELAY: Duration = Duration::from_millis(250);
const MAX_DELAY: Duration = Duration::from_secs(10);
/// The longest delay that a service can request.
const MAX_REQUESTED_DELAY: Duration = Duration::from_secs(60);

/// A delay that grows with every connection that ended before the stream was up to date.
#[derive(Debug)]
pub(crate) struct Backoff {
    failures: u32,
}

impl Backoff {
    pub(crate) const fn new() -> Self {
        Self { failures: 0 }
    }

    /// The stream is up to date: the next delay is the shortest again.
    pub(crate) const fn reset(&mut self) {
        self.failures = 0;
    }

    /// Returns the delay before the next connection after one that ended with `error`.
    ///
    /// # Errors
    /// `error`, if another connection cannot fix it.
    pub(crate) fn next_delay(&mut self, error: Error) -> Result<(Error, Duration), Error> {
        let requested = match error.reaction() {
            Reaction::GiveUp | Reaction::Requote => return Err(error),
            Reaction::Retry { after } => after.unwrap_or_default(),
        };
        let delay = MIN_DELAY.saturating_mul(1 << self.failures.min(10)).min(MAX_DELAY);
        self.failures = self.failures.saturating_add(1);
        Ok((error, with_jitter(delay).max(requested).min(MAX_REQUESTED_DELAY)))
    }

    /// Returns the delay that the service requested when it ended the stream. Jitter is added to it, never subtracted.
    pub(crate) fn requested_delay(requested: Duration) -> Duration {
        with_jitter(requested.min(MAX_DELAY) * 2)
    }
}

/// Returns a random duration from half of `delay` to `delay`, so that clients do not reconnect together.
fn with_jitter(delay: Duration) -> Duration {
    let [random, ..] = Uuid::new_v4().into_bytes();
    delay.mul_f64(0.5 + f64::from(random) / 512.0)
}

//! The port to the wall clock, and a manual clock for tests.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::Timestamp;

/// A wall clock. Libraries take it as an argument; only a composition root reads the real one.
pub trait Clock: Send + Sync {
    /// The current instant.
    fn now(&self) -> Timestamp;

    /// Checks the clock against the time elapsed since it was first read, if there is another measure of that time.
    ///
    /// # Errors
    /// [`ClockJump`] if the clock was set forward: signatures made with it would be valid for too long.
    fn check(&self) -> Result<(), ClockJump> {
        Ok(())
    }
}

/// The error of a clock that was set forward while the process ran, by more than is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the clock of this machine was set forward by {ahead_ms} ms; if it is now correct, restart the service")]
pub struct ClockJump {
    /// Size of the jump, in milliseconds.
    pub ahead_ms: u64,
}

/// A clock that stands still until it is advanced or set.
#[derive(Debug)]
pub struct ManualClock(AtomicU64);

impl ManualClock {
    /// A clock stopped at `start`.
    pub const fn at(start: Timestamp) -> Self {
        Self(AtomicU64::new(start.as_micros()))
    }

    /// Advances the clock by `micros` microseconds.
    pub fn advance_micros(&self, micros: u64) {
        self.0.fetch_add(micros, Ordering::SeqCst);
    }

    /// Sets the clock, forward or backward.
    pub fn set(&self, instant: Timestamp) {
        self.0.store(instant.as_micros(), Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_micros(self.0.load(Ordering::SeqCst))
    }
}

//! The port to the time of day, and the clock that tests turn by hand.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::Timestamp;

/// Tells the time of day. Only binaries read the real one.
pub trait Clock: Send + Sync {
    /// The present instant.
    fn now(&self) -> Timestamp;

    /// Checks the clock against the time that has passed since it was first read, where there is another measure of it.
    ///
    /// # Errors
    /// [`ClockJump`] when the clock was set forward: what is signed by it is valid for too long.
    fn check(&self) -> Result<(), ClockJump> {
        Ok(())
    }
}

/// A clock was set forward while the process ran, by more than is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the clock of this machine was set forward by {ahead_ms} ms; if it is right now, restart the service")]
pub struct ClockJump {
    /// By how much, in milliseconds.
    pub ahead_ms: u64,
}

/// A clock that stands still until somebody moves it.
#[derive(Debug)]
pub struct ManualClock(AtomicU64);

impl ManualClock {
    /// A clock that stands at `start`.
    pub const fn at(start: Timestamp) -> Self {
        Self(AtomicU64::new(start.as_micros()))
    }

    /// Moves the hands forward by `micros` microseconds.
    pub fn advance_micros(&self, micros: u64) {
        self.0.fetch_add(micros, Ordering::SeqCst);
    }

    /// Sets the hands, forward or backward.
    pub fn set(&self, instant: Timestamp) {
        self.0.store(instant.as_micros(), Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_micros(self.0.load(Ordering::SeqCst))
    }
}

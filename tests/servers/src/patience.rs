//! Waiting for a condition: asked again and again, until it holds or a test has failed.
#![expect(clippy::panic, reason = "a condition that never holds is a failed test")]

use std::{
    thread,
    time::{Duration, Instant},
};

/// Longer than anything takes; only a test that fails waits for it.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// Between two attempts.
const PAUSE: Duration = Duration::from_millis(20);

/// Returns as soon as `attempt` does; the reasons it gives for not being done are for the reader of a failed test.
///
/// # Panics
/// With the last reason, when [`PATIENCE`] ends.
pub fn wait_until<T>(what: &str, mut attempt: impl FnMut() -> Result<T, String>) -> T {
    let start = Instant::now();
    loop {
        match attempt() {
            Ok(done) => return done,
            Err(reason) if start.elapsed() > PATIENCE => panic!("waited in vain until {what}: {reason}"),
            Err(_) => thread::sleep(PAUSE),
        }
    }
}

//! Polls a condition until it holds or a timeout fails the test.
#![expect(clippy::panic, reason = "a condition that never holds is a failed test")]

use std::{
    thread,
    time::{Duration, Instant},
};

/// Timeout of every wait, longer than any successful operation takes; only a failing test reaches it.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// The pause between two attempts.
const PAUSE: Duration = Duration::from_millis(20);

/// Calls `attempt` until it succeeds and returns its result. The errors are reasons for the message of a failed test.
///
/// # Panics
/// With `what` and the last reason, after [`PATIENCE`].
pub fn wait_until<T>(what: &str, mut attempt: impl FnMut() -> Result<T, String>) -> T {
    let start = Instant::now();
    loop {
        match attempt() {
            Ok(value) => return value,
            Err(reason) if start.elapsed() > PATIENCE => panic!("timed out waiting until {what}: {reason}"),
            Err(_) => thread::sleep(PAUSE),
        }
    }
}

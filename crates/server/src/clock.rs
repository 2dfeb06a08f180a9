//! The system clock: the only file that reads the wall clock.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use firmquote_domain::{Clock, ClockJump, Timestamp};
use rustix::time::{ClockId, clock_gettime};

/// Returns the time of the system clock; a time before 1970 is reported as the Unix epoch.
pub fn system_time() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp::from_micros(u64::try_from(since.as_micros()).unwrap_or(u64::MAX))
}

/// The system clock, checked against the time since boot, which cannot be set. Time that the machine spent suspended
/// counts.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock {
    /// The clock's time at boot.
    booted_at_us: i128,
    max_skew: Duration,
}

impl SystemClock {
    /// Creates a clock that is assumed to be correct now. Once it is set forward by more than `max_skew`, its
    /// [`check`](Clock::check) fails and the desk signs nothing;
    /// [`StoreConfig::max_clock_skew`](firmquote_config::StoreConfig::max_clock_skew) is the configured value.
    pub fn new(max_skew: Duration) -> Self {
        Self { booted_at_us: booted_at_us(), max_skew }
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        system_time()
    }

    fn check(&self) -> Result<(), ClockJump> {
        check(booted_at_us() - self.booted_at_us, self.max_skew)
    }
}

fn booted_at_us() -> i128 {
    let running = clock_gettime(ClockId::Boottime);
    let running_us = i128::from(running.tv_sec) * 1_000_000 + i128::from(running.tv_nsec) / 1_000;
    i128::from(system_time().as_micros()) - running_us
}

fn check(ahead_us: i128, max_skew: Duration) -> Result<(), ClockJump> {
    match u128::try_from(ahead_us) {
        Ok(ahead) if ahead > max_skew.as_micros() => {
            Err(ClockJump { ahead_ms: u64::try_from(ahead / 1_000).unwrap_or(u64::MAX) })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_trusted_until_set_forward_beyond_the_tolerance() {
        let tolerance = Duration::from_secs(5);
        for (ahead_us, expected) in [
            (0, Ok(())),
            (-31_536_000_000_000, Ok(())),
            (5_000_000, Ok(())),
            (5_000_001, Err(ClockJump { ahead_ms: 5_000 })),
            (31_536_000_000_000, Err(ClockJump { ahead_ms: 31_536_000_000 })),
        ] {
            assert_eq!(check(ahead_us, tolerance), expected, "{ahead_us}");
        }
    }

    #[test]
    fn an_unadjusted_clock_stays_trusted() {
        assert_eq!(SystemClock::new(Duration::from_secs(5)).check(), Ok(()));
    }
}

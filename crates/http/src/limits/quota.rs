//! The rate limits of a service: their names and their configured quotas.

use std::{num::NonZeroU32, time::Duration};

/// The limits of a service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Quote and sign requests without credentials, by client address.
    pub anonymous: Quota,
    /// Wrong credentials, by client address: API keys, passwords, admin tokens.
    pub failed_logins: Quota,
    /// Requests with credentials, by client name; `None` leaves them unlimited.
    pub credential: Option<Quota>,
}

impl Default for Limits {
    /// Anonymous: 5 requests per second with a burst of 20. Failed logins: 30 per minute with a burst of 10.
    /// Credentials: unlimited.
    fn default() -> Self {
        Self { anonymous: Quota::per_second(5, 20), failed_logins: Quota::per_minute(30, 10), credential: None }
    }
}

/// One of the limits of the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LimitName {
    Anonymous,
    AnonymousSignatures,
    FailedLogins,
    Credential,
    LevelStreams,
    LevelBooks,
    LiveQuotes,
}

impl LimitName {
    /// Returns the policy name in the `RateLimit` headers.
    pub(crate) const fn policy(self) -> &'static str {
        match self {
            Self::Anonymous => "anonymous",
            Self::AnonymousSignatures => "anonymous-signatures",
            Self::FailedLogins => "failed-logins",
            Self::Credential => "credential",
            Self::LevelStreams => "level-streams",
            Self::LevelBooks => "level-books",
            Self::LiveQuotes => "live-quotes",
        }
    }
}

/// A burst of requests, then one more per interval until the whole burst is available again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quota {
    burst: u32,
    interval: Duration,
}

impl Quota {
    /// The upper bound of the burst and of the number of requests per second, minute or hour.
    const MAX_REQUESTS: u32 = 1_000_000;

    /// A burst of `burst`, then `count` per second. Both are clamped to 1 to 1,000,000.
    pub const fn per_second(count: u32, burst: u32) -> Self {
        Self::every(Duration::from_secs(1), count, burst)
    }

    /// A burst of `burst`, then `count` per minute, clamped as in [`Self::per_second`].
    pub const fn per_minute(count: u32, burst: u32) -> Self {
        Self::every(Duration::from_secs(60), count, burst)
    }

    /// A burst of `burst`, then `count` per hour, clamped as in [`Self::per_second`].
    pub const fn per_hour(count: u32, burst: u32) -> Self {
        Self::every(Duration::from_secs(3_600), count, burst)
    }

    /// Multiplies both burst and rate by `factor`; the burst is clamped to the upper bound.
    pub(crate) fn times(self, factor: u32) -> Self {
        let burst = Self::bounded(self.burst.saturating_mul(factor)).get();
        Self { burst, interval: self.interval / factor.max(1) }
    }

    const fn every(period: Duration, count: u32, burst: u32) -> Self {
        let nanos = period.as_nanos() / Self::bounded(count).get() as u128;
        // Even an hour in nanoseconds fits 64 bits, and the bounded count never divides the period down to zero.
        Self { burst: Self::bounded(burst).get(), interval: Duration::from_nanos_u128(nanos) }
    }

    const fn bounded(number: u32) -> NonZeroU32 {
        let number = if number > Self::MAX_REQUESTS { Self::MAX_REQUESTS } else { number };
        match NonZeroU32::new(number) {
            Some(number) => number,
            None => NonZeroU32::MIN,
        }
    }

    /// Returns the number of requests allowed at once.
    pub(crate) const fn burst(self) -> NonZeroU32 {
        Self::bounded(self.burst)
    }

    /// Returns the time until one more request is allowed.
    pub(crate) const fn interval(self) -> Duration {
        self.interval
    }

    /// Returns the time until the whole burst is available again.
    pub(crate) const fn window(self) -> Duration {
        self.interval.saturating_mul(self.burst)
    }
}

/// Returns the whole seconds of a `Retry-After`, rounded up and at least 1.
pub(crate) fn whole_seconds(time: Duration) -> u64 {
    (time.as_secs() + u64::from(time.subsec_nanos() > 0)).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quota_reports_the_next_and_the_full_replenishment() {
        for (quota, burst, interval_ms, window_ms) in [
            (Quota::per_second(5, 20), 20, 200, 4_000),
            (Quota::per_minute(30, 10), 10, 2_000, 20_000),
            (Quota::per_hour(1, 1), 1, 3_600_000, 3_600_000),
            (Quota::per_second(0, 0), 1, 1_000, 1_000),
        ] {
            assert_eq!(quota.burst().get(), burst);
            assert_eq!((quota.interval().as_millis(), quota.window().as_millis()), (interval_ms, window_ms));
        }
        let fastest = Quota::per_second(u32::MAX, u32::MAX);
        assert_eq!((fastest.burst().get(), fastest.interval()), (1_000_000, Duration::from_micros(1)));
    }

    #[test]
    fn seconds_are_whole_seconds() {
        for (millis, seconds) in [(0, 1), (1, 1), (1_000, 1), (1_001, 2), (59_999, 60)] {
            assert_eq!(whole_seconds(Duration::from_millis(millis)), seconds);
        }
    }
}

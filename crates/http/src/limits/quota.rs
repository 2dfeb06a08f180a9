//! The limits of a service: their names, and how much each allows, as an operator decides it.

use std::{num::NonZeroU32, time::Duration};

/// The limits of a service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Quote and sign without credentials, by client address.
    pub anonymous: Quota,
    /// Credentials that were wrong, by client address: API keys, passwords, admin tokens.
    pub failed_logins: Quota,
    /// Requests with credentials, by client name; `None` leaves them unlimited.
    pub credential: Option<Quota>,
}

impl Default for Limits {
    /// 5 anonymous requests a second and 20 at once, 30 failed logins a minute and 10 at once, credentials unlimited.
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
}

impl LimitName {
    /// The name of its policy.
    pub(crate) const fn policy(self) -> &'static str {
        match self {
            Self::Anonymous => "anonymous",
            Self::AnonymousSignatures => "anonymous-signatures",
            Self::FailedLogins => "failed-logins",
            Self::Credential => "credential",
        }
    }
}

/// So many at once, and after that one more at regular intervals, until all are there again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quota {
    burst: u32,
    interval: Duration,
}

impl Quota {
    /// The largest burst and the largest number in a second, minute or hour.
    const MAX_REQUESTS: u32 = 1_000_000;

    /// `burst` at once, and `count` in a second. Both are 1 to 1,000,000; what is beyond counts as the bound.
    pub const fn per_second(count: u32, burst: u32) -> Self {
        Self::every(Duration::from_secs(1), count, burst)
    }

    /// `burst` at once, and `count` in a minute, bounded as [`Self::per_second`].
    pub const fn per_minute(count: u32, burst: u32) -> Self {
        Self::every(Duration::from_secs(60), count, burst)
    }

    /// `burst` at once, and `count` in an hour, bounded as [`Self::per_second`].
    pub const fn per_hour(count: u32, burst: u32) -> Self {
        Self::every(Duration::from_secs(3_600), count, burst)
    }

    /// As many times as much at once, and in the same time; a burst beyond the bound counts as the bound.
    pub(crate) fn times(self, factor: u32) -> Self {
        let burst = Self::bounded(self.burst.saturating_mul(factor)).get();
        Self { burst, interval: self.interval / factor.max(1) }
    }

    const fn every(period: Duration, count: u32, burst: u32) -> Self {
        let nanos = period.as_nanos() / Self::bounded(count).get() as u128;
        // The longest period has fewer nanoseconds than fit 64 bits, and each count leaves some.
        Self { burst: Self::bounded(burst).get(), interval: Duration::from_nanos_u128(nanos) }
    }

    const fn bounded(number: u32) -> NonZeroU32 {
        let number = if number > Self::MAX_REQUESTS { Self::MAX_REQUESTS } else { number };
        match NonZeroU32::new(number) {
            Some(number) => number,
            None => NonZeroU32::MIN,
        }
    }

    /// How many are allowed at once.
    pub(crate) const fn burst(self) -> NonZeroU32 {
        Self::bounded(self.burst)
    }

    /// How long it takes until one more is allowed.
    pub(crate) const fn interval(self) -> Duration {
        self.interval
    }

    /// How long it takes until all are allowed again.
    pub(crate) const fn window(self) -> Duration {
        self.interval.saturating_mul(self.burst)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quota_says_when_one_more_and_when_all_are_there_again() {
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
}

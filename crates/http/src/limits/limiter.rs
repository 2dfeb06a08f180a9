//! A single rate limit: the generic cell rate algorithm of governor over a bounded number of entries.

use std::hash::Hash;

use actix_web::http::header::HeaderValue;
use governor::{
    RateLimiter,
    clock::{Clock, MonotonicClock},
    middleware::StateInformationMiddleware,
};

use super::{
    Quota,
    bounded_state_store::BoundedStateStore,
    quota::LimitName,
    rate_limit_status::{RateLimitStatus, policy},
};

/// Counts requests by key and refuses those that exceed the quota.
pub(super) struct Limiter<K: Hash + Eq + Clone, C: Clock = MonotonicClock> {
    limit: LimitName,
    quota: Quota,
    policy: HeaderValue,
    entries: BoundedStateStore<K>,
    governor: RateLimiter<K, BoundedStateStore<K>, C, StateInformationMiddleware>,
}

impl<K: Hash + Eq + Clone, C: Clock> Limiter<K, C> {
    /// Creates a limiter without any counted requests; at most `max_entries` keys are tracked, further ones share one
    /// state.
    pub(super) fn new(limit: LimitName, quota: Quota, max_entries: usize, clock: C) -> Self {
        let entries = BoundedStateStore::new(max_entries, quota.interval(), quota.window());
        let every = governor::Quota::with_period(quota.interval());
        let every = every.unwrap_or(governor::Quota::per_second(quota.burst())).allow_burst(quota.burst());
        let governor = RateLimiter::new(every, entries.clone(), clock);
        Self { limit, quota, policy: policy(limit, quota), entries, governor }
    }

    /// Returns the quota of one key.
    pub(super) const fn quota(&self) -> Quota {
        self.quota
    }

    /// Counts a request of `key` unless it is refused.
    pub(super) fn take(&self, key: &K) -> RateLimitStatus {
        let decision = self.governor.check_key(key);
        let (remaining, retry_after, is_refused) = match &decision {
            Ok(state) => (state.remaining_burst_capacity(), self.quota.interval(), false),
            Err(refused) => (0, refused.wait_time_from(self.governor.clock().now()), true),
        };
        RateLimitStatus { limit: self.limit, policy: self.policy.clone(), remaining, retry_after, is_refused }
    }

    /// Reverts the count of one request of `key`.
    pub(super) fn refund(&self, key: &K) {
        self.entries.refund(key);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use actix_web::http::header::HeaderMap;
    use governor::clock::FakeRelativeClock;

    use super::*;

    /// Returns whether the request is refused, the value of `RateLimit`, and the seconds to wait.
    fn reported(status: &RateLimitStatus) -> (bool, String, u64) {
        let mut headers = HeaderMap::new();
        status.add_to(&mut headers);
        let field = headers.get("ratelimit").unwrap().to_str().unwrap().to_owned();
        (status.is_refused, field, status.retry_after_seconds())
    }

    #[test]
    fn the_status_reports_remaining_quota_and_reset_time() {
        let clock = FakeRelativeClock::default();
        let limiter = Limiter::new(LimitName::Anonymous, Quota::per_minute(6, 2), 10, clock.clone());
        assert_eq!(reported(&limiter.take(&7)), (false, "\"anonymous\";r=1;t=10".into(), 10));
        assert_eq!(reported(&limiter.take(&7)), (false, "\"anonymous\";r=0;t=10".into(), 10));
        clock.advance(Duration::from_millis(2_500));
        assert_eq!(reported(&limiter.take(&7)), (true, "\"anonymous\";r=0;t=8".into(), 8));
        clock.advance(Duration::from_millis(7_499));
        assert_eq!(reported(&limiter.take(&7)), (true, "\"anonymous\";r=0;t=1".into(), 1));
        clock.advance(Duration::from_millis(1));
        assert_eq!(reported(&limiter.take(&7)), (false, "\"anonymous\";r=0;t=10".into(), 10));
        clock.advance(Duration::from_secs(20));
        assert_eq!(reported(&limiter.take(&7)), (false, "\"anonymous\";r=1;t=10".into(), 10));
    }

    #[test]
    fn a_client_that_honours_retry_after_is_not_rejected() {
        for quota in [Quota::per_second(1_000_000, 1), Quota::per_second(3, 7), Quota::per_hour(1, 1_000_000)] {
            let clock = FakeRelativeClock::default();
            let limiter = Limiter::new(LimitName::Credential, quota, 10, clock.clone());
            let mut status = limiter.take(&7);
            while !status.is_refused {
                status = limiter.take(&7);
            }
            clock.advance(Duration::from_secs(status.retry_after_seconds()));
            assert!(!limiter.take(&7).is_refused, "{quota:?}");
        }
    }
}

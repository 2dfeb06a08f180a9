//! The rate limit of clients that are identified only by their address.

use governor::clock::{Clock, MonotonicClock};

use super::{AddressBlock, LimitName, Quota, RateLimitStatus, address_prefixes::PREFIXES, limiter::Limiter};

/// The maximum number of tracked blocks of each prefix length; further ones share one state.
const MAX_ENTRIES: [usize; 3] = [1_000_000, 250_000, 250_000];

/// Counts requests by IPv4 address, and by IPv6 /64, /56 and /48, and refuses those that exceed the quota of any of
/// these.
pub(super) struct AddressLimiter<C: Clock = MonotonicClock> {
    quota: Quota,
    /// In the order of [`PREFIXES`].
    limiters: [Limiter<AddressBlock, C>; 3],
}

impl<C: Clock + Clone> AddressLimiter<C> {
    /// Creates a limiter without any counted requests.
    pub(super) fn new(limit: LimitName, quota: Quota, clock: C) -> Self {
        let limiters = std::array::from_fn(|level| {
            let (times, max_entries) = (PREFIXES.map(|(_, times)| times), MAX_ENTRIES);
            #[expect(clippy::indexing_slicing, reason = "the three arrays have the same length")]
            Limiter::new(limit, quota.times(times[level]), max_entries[level], clock.clone())
        });
        Self { quota, limiters }
    }

    /// Returns the quota of one address or /64.
    pub(super) const fn quota(&self) -> Quota {
        self.quota
    }

    /// Counts a request of `address` unless it is refused. Returns the refusal, or else the status of the limit with
    /// the fewest requests remaining.
    pub(super) fn take(&self, address: AddressBlock) -> RateLimitStatus {
        let [narrowest, wider @ ..] = &self.limiters;
        let mut tightest = narrowest.take(&address);
        for (level, (limiter, (_, block, _))) in wider.iter().zip(address.enclosing().skip(1)).enumerate() {
            if tightest.is_refused {
                break;
            }
            let status = limiter.take(&block);
            if status.is_refused {
                self.refund_narrower(address, level + 1);
            }
            if status.is_refused || status.remaining < tightest.remaining {
                tightest = status;
            }
        }
        tightest
    }

    /// Reverts the count of one request of `address`.
    pub(super) fn refund(&self, address: AddressBlock) {
        self.refund_narrower(address, self.limiters.len());
    }

    fn refund_narrower(&self, address: AddressBlock, levels: usize) {
        for (limiter, (_, block, _)) in self.limiters.iter().zip(address.enclosing()).take(levels) {
            limiter.refund(&block);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use governor::clock::FakeRelativeClock;

    use super::*;

    fn limiter() -> (AddressLimiter<FakeRelativeClock>, FakeRelativeClock) {
        let clock = FakeRelativeClock::default();
        (AddressLimiter::new(LimitName::Anonymous, Quota::per_second(1, 2), clock.clone()), clock)
    }

    /// Counts the requests that pass before one is refused.
    fn passed(limiter: &AddressLimiter<FakeRelativeClock>, address: AddressBlock) -> usize {
        (0..).take_while(|_| !limiter.take(address).is_refused).count()
    }

    #[test]
    fn a_household_has_the_quota_of_four_networks_and_a_company_of_sixteen() {
        let (limiter, clock) = limiter();
        let household = 0x2001_0db8_0001_0000_u64;
        let passed_of = |network| passed(&limiter, AddressBlock::V6(network));
        assert_eq!((0..256).map(|network| passed_of(household + network)).sum::<usize>(), 8);
        let company = (0..256).map(|number| household + (number << 8));
        assert_eq!(company.map(passed_of).sum::<usize>(), 32 - 8);
        assert_eq!(passed_of(0x2001_0db8_0002_0000), 2);
        clock.advance(Duration::from_secs(1));
        assert_eq!(passed_of(household + 7), 2, "it never got any, and its household regained four");
        assert_eq!((0..256).map(|network| passed_of(household + network)).sum::<usize>(), 2);
    }

    #[test]
    fn each_ipv4_address_is_a_separate_client() {
        let (limiter, _) = limiter();
        assert_eq!((0..256).map(|address| passed(&limiter, AddressBlock::V4(address))).sum::<usize>(), 512);
    }

    #[test]
    fn rejected_and_refunded_requests_do_not_count() {
        let (limiter, _) = limiter();
        for _ in 0..100 {
            assert!(!limiter.take(AddressBlock::V6(0)).is_refused);
            limiter.refund(AddressBlock::V6(0));
        }
        // Four networks use up the household's quota; the fifth is refused there, which does not count against its own
        // quota.
        assert_eq!((0..4).map(|network| passed(&limiter, AddressBlock::V6(network))).sum::<usize>(), 8);
        let refused = limiter.take(AddressBlock::V6(5));
        assert!(refused.is_refused);
        let [narrowest, ..] = &limiter.limiters;
        assert_eq!(narrowest.take(&AddressBlock::V6(5)).remaining, 1);
    }
}

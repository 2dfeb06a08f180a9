//! A sliding minute of signed volume, in counters of whole seconds.
//!
//! A second that is partly outside the minute still counts, so that no 60 seconds admit more than a limit; a trade
//! therefore counts for 60 to 61 seconds, and there are at most 61 counters. Time never goes backwards: a trade with an
//! earlier second than the newest counter is counted in the second of that counter, so a clock that is set back, or
//! that lags behind another replica's, frees no volume.

use std::collections::VecDeque;

use firmquote_domain::Usd;

use super::LimitExceeded;

/// The number of whole seconds before the current one that count with it.
pub(crate) const WINDOW_SECONDS: u32 = 60;

/// Counters of the seconds with signed volume, oldest first: a Unix second and an amount in steps of 1e-8 US dollars
/// each.
///
/// Sums saturate. The sum of admitted trades cannot overflow: it is within a limit, which is a `u64`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct VolumeWindow {
    counters: VecDeque<(u32, u64)>,
}

impl VolumeWindow {
    /// Returns the excess if adding `value` would exceed `limit`, or `None` if it fits. Changes nothing.
    pub(crate) fn excess(&self, value: Usd, limit: Usd, now: u32) -> Option<LimitExceeded> {
        let signed = self.total(now);
        let room_for_others = limit.steps().checked_sub(value.steps());
        if room_for_others.is_some_and(|room| signed <= room) {
            return None;
        }
        let retry_after_seconds = room_for_others.map(|room| self.seconds_until(room, signed, now));
        Some(LimitExceeded { signed: Usd::new(signed), retry_after_seconds })
    }

    /// Counts `value`, and drops the counters that have left the window.
    pub(crate) fn add(&mut self, value: Usd, now: u32) {
        let current = self.effective_second(now);
        while self.counters.pop_front_if(|(second, _)| has_left(*second, current)).is_some() {}
        match self.counters.back_mut() {
            Some((newest, steps)) if *newest == current => *steps = steps.saturating_add(value.steps()),
            _ => self.counters.push_back((current, value.steps())),
        }
    }

    /// The volume signed in the minute, in steps.
    fn total(&self, now: u32) -> u64 {
        self.in_window(now).fold(0, |total, (_, steps)| total.saturating_add(steps))
    }

    /// The number of seconds until at most `max_left` steps of `signed` are left in the window.
    fn seconds_until(&self, max_left: u64, signed: u64, now: u32) -> u32 {
        let current = self.effective_second(now);
        let mut left = signed;
        let mut seconds = 0;
        for (second, steps) in self.in_window(now) {
            if left <= max_left {
                break;
            }
            left = left.saturating_sub(steps);
            seconds = (WINDOW_SECONDS + 1).saturating_sub(current - second);
        }
        seconds
    }

    fn in_window(&self, now: u32) -> impl Iterator<Item = (u32, u64)> {
        let current = self.effective_second(now);
        self.counters.iter().copied().filter(move |(second, _)| !has_left(*second, current))
    }

    /// The effective current second: never before the newest counter.
    fn effective_second(&self, now: u32) -> u32 {
        self.counters.back().map_or(now, |(newest, _)| now.max(*newest))
    }

    /// Whether no counter is inside the minute any more.
    pub(crate) fn is_over(&self, now: u32) -> bool {
        self.in_window(now).next().is_none()
    }

    /// Trusts a clock that was set back by more than the whole minute: volume that still counted counts from `now` on,
    /// as if just signed. Otherwise a total would persist until the clock has caught up.
    pub(crate) fn reset_if_clock_set_back(&mut self, now: u32) {
        if has_left(now, self.effective_second(now)) {
            *self = Self { counters: VecDeque::from([(now, self.total(now))]) };
        }
    }
}

/// Builds a window from stored counters, oldest first.
impl FromIterator<(u32, u64)> for VolumeWindow {
    fn from_iter<I: IntoIterator<Item = (u32, u64)>>(counters: I) -> Self {
        Self { counters: counters.into_iter().collect() }
    }
}

const fn has_left(second: u32, current: u32) -> bool {
    current.saturating_sub(second) > WINDOW_SECONDS
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: u32 = 1_700_000_000;

    fn usd(dollars: u64) -> Usd {
        Usd::new(dollars * 100_000_000)
    }

    /// A window with each of these amounts added the given number of seconds after `NOW`.
    fn window(amounts: &[(u32, u64)]) -> VolumeWindow {
        let mut window = VolumeWindow::default();
        for (seconds, dollars) in amounts {
            window.add(usd(*dollars), NOW + seconds);
        }
        window
    }

    #[test]
    fn the_wait_ends_with_the_first_second_that_leaves_enough_room() {
        let window = window(&[(0, 10), (5, 20), (30, 70)]);
        for (value, wait) in [(1, 31), (10, 31), (11, 36), (30, 36), (31, 61), (100, 61)] {
            let excess = window.excess(usd(value), usd(100), NOW + 30).unwrap();
            assert_eq!(excess, LimitExceeded { signed: usd(100), retry_after_seconds: Some(wait) }, "{value}");
            assert_eq!(window.excess(usd(value), usd(100), NOW + 30 + wait), None, "{value}");
            assert!(window.excess(usd(value), usd(100), NOW + 29 + wait).is_some(), "{value}");
        }
        let never = window.excess(usd(101), usd(100), NOW + 30).unwrap();
        assert_eq!(never.retry_after_seconds, None);
        assert!(window.excess(usd(101), usd(100), NOW + 1_000).is_some());
    }

    #[test]
    fn there_are_at_most_61_counters() {
        let mut window = VolumeWindow::default();
        for second in 0..1_000 {
            window.add(usd(1), NOW + second);
            window.add(usd(1), NOW + second);
        }
        assert_eq!((window.counters.len(), window.total(NOW + 999)), (61, usd(122).steps()));
        assert!(!window.is_over(NOW + 1_059) && window.is_over(NOW + 1_060));
    }

    #[test]
    fn after_the_limit_is_lowered_trades_wait_until_they_fit() {
        let window = window(&[(0, 90), (10, 10)]);
        let excess = window.excess(usd(0), usd(50), NOW + 10).unwrap();
        assert_eq!(excess.retry_after_seconds, Some(51));
    }

    #[test]
    fn a_clock_set_back_frees_nothing_and_is_followed_only_when_far_back() {
        let mut window = window(&[(0, 10), (40, 20), (100, 30)]);
        for back in [NOW, NOW + 40, NOW + 99] {
            assert_eq!(window.excess(usd(51), usd(100), back).unwrap().signed, usd(50), "of seconds 40 and 100");
        }
        window.reset_if_clock_set_back(NOW + 40);
        assert_eq!(window.excess(usd(51), usd(100), NOW + 40).unwrap().retry_after_seconds, Some(1), "not so far back");
        window.reset_if_clock_set_back(NOW + 39);
        let excess = window.excess(usd(51), usd(100), NOW + 39).unwrap();
        assert_eq!(excess, LimitExceeded { signed: usd(50), retry_after_seconds: Some(61) });
        assert!(window.is_over(NOW + 100));
    }

    #[test]
    fn the_largest_amounts_do_not_wrap() {
        let all = Usd::new(u64::MAX);
        let mut window = VolumeWindow::default();
        assert_eq!(window.excess(all, all, u32::MAX), None);
        window.add(all, u32::MAX);
        let excess = window.excess(Usd::new(1), all, u32::MAX).unwrap();
        assert_eq!(excess, LimitExceeded { signed: all, retry_after_seconds: Some(61) });
        window.add(all, u32::MAX);
        assert_eq!(window.total(u32::MAX), u64::MAX);
    }
}

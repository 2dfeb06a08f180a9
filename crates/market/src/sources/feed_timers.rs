//! Silence of single feeds on a connection whose other feeds go on.

use std::time::Duration;

use tokio::time::Instant;

/// The longest time until a feed that stays silent is requested again.
const MAX_WAIT: Duration = Duration::from_hours(1);

/// A timer for each feed of a connection. A feed that stays silent is due again after twice the time, up to an hour: it
/// may have no prices at all.
pub(crate) struct FeedTimers {
    timeout: Duration,
    timers: Vec<FeedTimer>,
}

struct FeedTimer {
    wait: Duration,
    expires_at: Instant,
}

impl FeedTimers {
    /// Starts the timers of this many feeds, which are due when they have been silent for `timeout`.
    pub(crate) fn start(timeout: Duration, feeds: usize) -> Self {
        let timer = || FeedTimer { wait: timeout, expires_at: Instant::now() + timeout };
        Self { timeout, timers: std::iter::repeat_with(timer).take(feeds).collect() }
    }

    /// Restarts the timer of the feed at `position` after a price of it.
    pub(crate) fn restart(&mut self, position: usize) {
        if let Some(timer) = self.timers.get_mut(position) {
            *timer = FeedTimer { wait: self.timeout, expires_at: Instant::now() + self.timeout };
        }
    }

    /// Returns the positions of the feeds that are due, each with the time for which it was waited, and restarts their
    /// timers with twice the time.
    pub(crate) fn take_silent(&mut self) -> Vec<(usize, Duration)> {
        let now = Instant::now();
        let mut silent = Vec::new();
        for (position, timer) in self.timers.iter_mut().enumerate() {
            if timer.expires_at <= now {
                silent.push((position, timer.wait));
                timer.wait = timer.wait.saturating_mul(2).min(MAX_WAIT.max(self.timeout));
                timer.expires_at = now + timer.wait;
            }
        }
        silent
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_silent_feed_is_due_after_ever_longer_times_and_its_neighbor_is_not() {
        let second = Duration::from_secs(1);
        let mut timers = FeedTimers::start(second, 2);
        let mut due = Vec::new();
        for elapsed in 1..=16 {
            advance(second).await;
            timers.restart(1);
            due.extend(timers.take_silent().into_iter().map(|(feed, wait)| (elapsed, feed, wait.as_secs())));
        }
        assert_eq!(due, [(1, 0, 1), (3, 0, 2), (7, 0, 4), (15, 0, 8)]);
        timers.restart(0);
        advance(second).await;
        assert_eq!(timers.take_silent().first(), Some(&(0, second)), "a price starts anew");
        advance(Duration::from_hours(24)).await;
        for _ in 0..20 {
            advance(MAX_WAIT).await;
            timers.take_silent();
        }
        advance(MAX_WAIT).await;
        assert_eq!(timers.take_silent().len(), 2, "after an hour at most");
    }
}

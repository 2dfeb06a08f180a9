//! Faults of single feeds, each logged once and again while it lasts.

use std::{collections::HashMap, time::Duration};

use parking_lot::Mutex;
use tokio::time::Instant;

/// The time until the fault of a feed is logged again.
const REPEAT: Duration = Duration::from_mins(10);

/// When a fault of each feed was logged last; of those that name no feed, together.
#[derive(Default)]
pub(super) struct FeedFaults(Mutex<HashMap<Option<String>, Instant>>);

impl FeedFaults {
    /// Logs the fault of a feed of `source`, unless one was logged within the last minutes.
    pub(super) fn log(&self, source: &str, feed: Option<&str>, fault: &str) {
        if self.is_due(feed, Instant::now()) {
            let feed = feed.unwrap_or_default();
            tracing::warn!(source, feed, fault, "a price source has a fault, its other feeds go on");
        }
    }

    fn is_due(&self, feed: Option<&str>, now: Instant) -> bool {
        let mut logged = self.0.lock();
        let feed = feed.map(str::to_owned);
        let is_due = logged.get(&feed).is_none_or(|logged| now.duration_since(*logged) >= REPEAT);
        if is_due {
            logged.insert(feed, now);
        }
        is_due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_feeds_faults_are_logged_once_and_again_while_they_last() {
        let (faults, start) = (FeedFaults::default(), Instant::now());
        let due = [
            (Some("ETH-USD"), 0),
            (Some("ETH-USD"), 599),
            (Some("BTC-USD"), 599),
            (None, 599),
            (None, 600),
            (Some("ETH-USD"), 600),
        ]
        .map(|(feed, seconds)| faults.is_due(feed, start + Duration::from_secs(seconds)));
        assert_eq!(due, [true, false, true, true, false, true]);
    }
}

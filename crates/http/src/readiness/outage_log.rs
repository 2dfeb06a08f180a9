//! Selects the failures that the log reports in full: the first of each outage.

use std::collections::HashMap;

use firmquote_domain::Timestamp;
use parking_lot::Mutex;

/// Seconds without a failure after which an outage is over.
const OUTAGE_END_SECONDS: u32 = 60;

/// The maximum number of tracked outages, more than ever occur at once. Beyond it, ended outages are dropped, and then
/// all.
const MAX_OUTAGES: usize = 1_000;

/// The current outages, keyed by the failure text without digits, with the time of the last failure.
#[derive(Default)]
pub(crate) struct OutageLog(Mutex<HashMap<String, Timestamp>>);

impl OutageLog {
    /// Records a failure with this `detail` at `now`, and returns whether it is the first of its outage. Digits are
    /// ignored, so different ages and amounts belong to the same outage.
    pub(crate) fn record_failure(&self, detail: &str, now: Timestamp) -> bool {
        let outage: String = detail.chars().filter(|character| !character.is_ascii_digit()).collect();
        let mut failures = self.0.lock();
        let is_over = |last: Timestamp| last.plus_seconds(OUTAGE_END_SECONDS) < now;
        if failures.len() >= MAX_OUTAGES {
            failures.retain(|_, last| !is_over(*last));
        }
        if failures.len() >= MAX_OUTAGES {
            failures.clear();
        }
        failures.insert(outage, now).is_none_or(is_over)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_outage_starts_once() {
        let log = OutageLog::default();
        let begins = |detail: &str, second: u32| log.record_failure(detail, Timestamp::from_seconds(1_000 + second));
        let late = |second: u32| begins(&format!("Redis did not answer within {second} ms"), second);
        assert!(late(0));
        assert!((1..300).all(|second| !late(second)));
        assert!(begins("ETH is 7000 ms old", 300) && begins("DAI is 7000 ms old", 300), "each for itself");
        assert!(!begins("ETH is 9000 ms old", 302) && !late(359));
        assert!(late(420), "a minute without it");
    }

    #[test]
    fn tracked_outages_are_bounded() {
        let log = OutageLog::default();
        let name = |number: usize| "x".repeat(number);
        assert!((0..3 * MAX_OUTAGES).all(|number| log.record_failure(&name(number), Timestamp::from_seconds(7))));
        assert!(log.0.lock().len() <= MAX_OUTAGES);
    }
}

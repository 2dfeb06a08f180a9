//! Selects the refusals that the access log reports while every request is refused: one per second, client and reason,
//! with the number of those left out.

use std::collections::HashMap;

use firmquote_domain::{Client, Timestamp};
use parking_lot::Mutex;

use crate::error::Reason;

/// The maximum number of tracked clients and reasons. Beyond it, those of earlier seconds are dropped.
const MAX_TRACKED: usize = 10_000;

/// The refusals of each client, which is `None` before it is identified, for each reason.
#[derive(Default)]
pub(crate) struct RefusalLog(Mutex<HashMap<(Option<Client>, Reason), LoggedRefusal>>);

/// The last refusal that was reported.
struct LoggedRefusal {
    /// The Unix second of the report.
    second: u32,
    /// The number of refusals since that were not reported.
    omitted: u64,
}

impl RefusalLog {
    /// Records a refusal at `now`. Returns `None` if it is not reported, otherwise the number of equal ones since the
    /// last report.
    pub(crate) fn record(&self, client: Option<&Client>, reason: Reason, now: Timestamp) -> Option<u64> {
        let second = now.seconds().get();
        let mut logged = self.0.lock();
        if logged.len() >= MAX_TRACKED {
            logged.retain(|_, last| last.second == second);
        }
        let last = logged.entry((client.cloned(), reason)).or_insert(LoggedRefusal { second: 0, omitted: 0 });
        if last.second == second {
            last.omitted += 1;
            return None;
        }
        last.second = second;
        Some(std::mem::take(&mut last.omitted))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_refusal_of_each_client_and_reason_is_reported_each_second_with_the_number_of_the_others() {
        let log = RefusalLog::default();
        let (one, other) = (Client::Named("one".into()), Client::Named("other".into()));
        let record = |client: &Client, reason, millis: u64| {
            log.record(Some(client), reason, Timestamp::from_micros(1_700_000_000_000_000 + millis * 1_000))
        };
        assert_eq!(record(&one, Reason::Paused, 0), Some(0));
        assert_eq!(record(&one, Reason::Paused, 1), None);
        assert_eq!(record(&one, Reason::Paused, 999), None);
        assert_eq!(record(&other, Reason::Paused, 999), Some(0), "by client");
        assert_eq!(record(&one, Reason::Store, 999), Some(0), "by reason");
        assert_eq!(record(&one, Reason::Paused, 1_000), Some(2));
        assert_eq!(record(&one, Reason::Paused, 5_000), Some(0));
    }

    #[test]
    fn tracked_refusals_are_bounded() {
        let log = RefusalLog::default();
        for number in 0..3 * MAX_TRACKED {
            let client = Client::Named(number.to_string().into());
            let second = u32::try_from(number / 1_000).unwrap();
            assert_eq!(log.record(Some(&client), Reason::Paused, Timestamp::from_seconds(1 + second)), Some(0));
        }
        assert!(log.0.lock().len() <= MAX_TRACKED + 1_000);
    }
}

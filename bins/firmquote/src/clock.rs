//! The only place that reads the wall clock.

use std::time::{SystemTime, UNIX_EPOCH};

use firmquote_domain::{Clock, Timestamp};

/// The machine's clock. Before 1970 it stands at 1970.
pub(crate) struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp::from_micros(u64::try_from(since.as_micros()).unwrap_or(u64::MAX))
    }
}

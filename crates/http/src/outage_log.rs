//! Which failures the log reports in full: the first of each outage.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use firmquote_domain::{Address, Timestamp};

use crate::outcome::Reason;

/// An outage is over when no request has failed of it for as long.
const QUIET_SECONDS: u32 = 60;

/// What fails at present, by reason and pool, with the time of the last failure.
#[derive(Default)]
pub(crate) struct OutageLog(Mutex<HashMap<(Reason, Option<Address>), Timestamp>>);

impl OutageLog {
    /// Whether a failure at `now` is the first of its outage. Has at most an entry for each reason and pool.
    pub(crate) fn begins(&self, reason: Reason, pool: Option<Address>, now: Timestamp) -> bool {
        let mut failures = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let last = failures.insert((reason, pool), now);
        last.is_none_or(|last| last.plus_seconds(QUIET_SECONDS) < now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_outage_begins_once() {
        let log = OutageLog::default();
        let pool = Some(Address::from([7; 20]));
        let begins = |reason, pool, second: u32| log.begins(reason, pool, Timestamp::from_seconds(1_000 + second));
        assert!(begins(Reason::Store, None, 0));
        assert!((0..300).all(|second| !begins(Reason::Store, None, second)));
        assert!(begins(Reason::Market, None, 300) && begins(Reason::Market, pool, 300));
        assert!(!begins(Reason::Store, None, 359));
        assert!(begins(Reason::Store, None, 420), "a minute without it");
    }
}

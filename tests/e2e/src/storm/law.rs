//! What the operator has forbidden, and since when that is certain.
//!
//! A law is certain once the service has confirmed it, and until the operator begins to change it: from then until the next
//! confirmation only what both laws forbid is certain. What was asked under one law and answered under another could have
//! been decided under any of those between.

use std::{
    collections::BTreeSet,
    sync::{Mutex, MutexGuard, PoisonError},
};

use super::draws::Showing;

/// What is certainly refused.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Law {
    /// Pools that are paused.
    pub(super) paused: BTreeSet<&'static str>,
    /// Pools that are not there, or told not to swap.
    pub(super) closed: BTreeSet<&'static str>,
    /// Pools with a destination for which they do not sign.
    pub(super) denied: BTreeSet<(&'static str, &'static str)>,
    /// Credentials that open nothing.
    pub(super) shut: BTreeSet<Showing>,
}

impl Law {
    /// What both forbid.
    fn and(&self, other: &Self) -> Self {
        Self {
            paused: &self.paused & &other.paused,
            closed: &self.closed & &other.closed,
            denied: &self.denied & &other.denied,
            shut: &self.shut & &other.shut,
        }
    }
}

/// All laws there were, in their order.
#[derive(Debug)]
pub(super) struct Laws(Mutex<Vec<Law>>);

impl Laws {
    /// Begins with a law that is in force.
    pub(super) fn new(law: Law) -> Self {
        Self(Mutex::new(vec![law]))
    }

    /// The number of the present one.
    pub(super) fn number(&self) -> usize {
        self.lock().len() - 1
    }

    /// The operator is about to put `next` in force.
    pub(super) fn announce(&self, next: &Law) {
        let mut laws = self.lock();
        let both = laws[laws.len() - 1].and(next);
        laws.push(both);
    }

    /// The service has confirmed it.
    pub(super) fn enact(&self, law: Law) {
        self.lock().push(law);
    }

    /// Whether no new signature of this pool for this destination could have been made since a number until now: one and
    /// the same reason stood against it all the time. A request goes by the configuration of its arrival and by the pauses
    /// of its answer, so two reasons that follow each other may let it pass.
    pub(super) fn have_forbidden(&self, since: usize, pool: &str, destination: &str) -> bool {
        let laws = self.lock();
        let always = |forbids: &dyn Fn(&Law) -> bool| laws[since..].iter().all(forbids);
        always(&|law| law.paused.contains(pool))
            || always(&|law| law.closed.contains(pool))
            || always(&|law| law.denied.iter().any(|denied| *denied == (pool, destination)))
    }

    /// Whether this credential has opened nothing since a number until now.
    pub(super) fn have_shut(&self, since: usize, credential: Showing) -> bool {
        self.lock()[since..].iter().all(|law| law.shut.contains(&credential))
    }

    /// A client that panicked changed nothing here.
    fn lock(&self) -> MutexGuard<'_, Vec<Law>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

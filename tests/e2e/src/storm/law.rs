//! The restrictions set by the operator, and when they are certain to be effective.
//!
//! A law is certain from its confirmation by the service until the operator starts to change it. From then until the
//! next confirmation, only the restrictions common to both laws are certain. A request sent under one law and completed
//! under another may have been decided under any law in between.

use std::{
    collections::BTreeSet,
    sync::{Mutex, MutexGuard, PoisonError},
};

use super::draws::Showing;

/// Requests that are certain to be refused.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Law {
    /// Paused pools.
    pub(super) paused: BTreeSet<&'static str>,
    /// Pools that are not configured, or have swaps disabled.
    pub(super) closed: BTreeSet<&'static str>,
    /// Pools and the destinations that they deny.
    pub(super) denied: BTreeSet<(&'static str, &'static str)>,
    /// Credentials that are not accepted.
    pub(super) shut: BTreeSet<Showing>,
}

impl Law {
    /// Returns the restrictions common to both.
    fn and(&self, other: &Self) -> Self {
        Self {
            paused: &self.paused & &other.paused,
            closed: &self.closed & &other.closed,
            denied: &self.denied & &other.denied,
            shut: &self.shut & &other.shut,
        }
    }
}

/// The history of laws, in order.
#[derive(Debug)]
pub(super) struct Laws(Mutex<Vec<Law>>);

impl Laws {
    /// Starts the history with the effective law.
    pub(super) fn new(law: Law) -> Self {
        Self(Mutex::new(vec![law]))
    }

    /// Returns the number of the current law.
    pub(super) fn number(&self) -> usize {
        self.lock().len() - 1
    }

    /// Records that the operator is about to enact `next`.
    pub(super) fn announce(&self, next: &Law) {
        let mut laws = self.lock();
        let both = laws[laws.len() - 1].and(next);
        laws.push(both);
    }

    /// Records that the service has confirmed `law`.
    pub(super) fn enact(&self, law: Law) {
        self.lock().push(law);
    }

    /// Whether a new signature of this pool for this destination was forbidden by the same reason under all laws from
    /// number `since` until now. Two consecutive reasons do not suffice: a request is subject to the configuration at
    /// its arrival but to the pauses at its response, so it could pass between them.
    pub(super) fn have_forbidden(&self, since: usize, pool: &str, destination: &str) -> bool {
        let laws = self.lock();
        let always = |forbids: &dyn Fn(&Law) -> bool| laws[since..].iter().all(forbids);
        always(&|law| law.paused.contains(pool))
            || always(&|law| law.closed.contains(pool))
            || always(&|law| law.denied.iter().any(|denied| *denied == (pool, destination)))
    }

    /// Whether this credential was rejected under all laws from number `since` until now.
    pub(super) fn have_shut(&self, since: usize, credential: Showing) -> bool {
        self.lock()[since..].iter().all(|law| law.shut.contains(&credential))
    }

    /// Ignores poisoning: a client that panicked left the history intact.
    fn lock(&self) -> MutexGuard<'_, Vec<Law>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

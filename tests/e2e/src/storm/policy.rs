//! The restrictions set by the operator, and when they are certain to be effective.
//!
//! A policy is certain from its confirmation by the service until the operator starts to change it. From then until the
//! next confirmation, only the restrictions common to both policies are certain. A request sent under one policy and
//! completed under another may have been decided under any policy in between.

use std::{
    collections::BTreeSet,
    sync::{Mutex, MutexGuard, PoisonError},
};

use super::draws::CredentialKind;

/// Requests that are certain to be refused.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Policy {
    /// Paused pools.
    pub(super) paused: BTreeSet<&'static str>,
    /// Pools that are not configured, or have swaps disabled.
    pub(super) closed: BTreeSet<&'static str>,
    /// Pools and the destinations that they deny.
    pub(super) denied: BTreeSet<(&'static str, &'static str)>,
    /// Credentials that are not accepted.
    pub(super) rejected: BTreeSet<CredentialKind>,
}

impl Policy {
    /// Returns the restrictions common to both.
    fn and(&self, other: &Self) -> Self {
        Self {
            paused: &self.paused & &other.paused,
            closed: &self.closed & &other.closed,
            denied: &self.denied & &other.denied,
            rejected: &self.rejected & &other.rejected,
        }
    }
}

/// All policies so far, in order.
#[derive(Debug)]
pub(super) struct PolicyHistory(Mutex<Vec<Policy>>);

impl PolicyHistory {
    /// Starts the history with the effective policy.
    pub(super) fn new(policy: Policy) -> Self {
        Self(Mutex::new(vec![policy]))
    }

    /// Returns the number of the current policy.
    pub(super) fn number(&self) -> usize {
        self.lock().len() - 1
    }

    /// Records that the operator is about to change the policy to `next`.
    pub(super) fn announce(&self, next: &Policy) {
        let mut policies = self.lock();
        let common = policies[policies.len() - 1].and(next);
        policies.push(common);
    }

    /// Records that the service has confirmed `policy`.
    pub(super) fn confirm(&self, policy: Policy) {
        self.lock().push(policy);
    }

    /// Whether a new signature of this pool for this destination was forbidden for the same reason by all policies from
    /// number `since` until now. Two consecutive reasons do not suffice: a request is subject to the configuration at
    /// its arrival but to the pauses at its response, so it could pass between them.
    pub(super) fn always_forbid(&self, since: usize, pool: &str, destination: &str) -> bool {
        let policies = self.lock();
        let always = |forbids: &dyn Fn(&Policy) -> bool| policies[since..].iter().all(forbids);
        always(&|policy| policy.paused.contains(pool))
            || always(&|policy| policy.closed.contains(pool))
            || always(&|policy| policy.denied.iter().any(|denied| *denied == (pool, destination)))
    }

    /// Whether all policies from number `since` until now reject this credential.
    pub(super) fn always_reject(&self, since: usize, credential: CredentialKind) -> bool {
        self.lock()[since..].iter().all(|policy| policy.rejected.contains(&credential))
    }

    /// Ignores poisoning: a client that panicked left the history intact.
    fn lock(&self) -> MutexGuard<'_, Vec<Policy>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

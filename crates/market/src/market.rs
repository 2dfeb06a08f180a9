//! The place where quotes find the newest snapshot.

use std::sync::Arc;

use arc_swap::{ArcSwap, Guard};

use crate::Snapshot;

/// Holds the newest snapshot. Reading takes no lock and never waits for a writer.
#[derive(Debug, Default)]
pub struct Market(ArcSwap<Snapshot>);

impl Market {
    /// A market that starts with `snapshot`.
    pub fn new(snapshot: Snapshot) -> Self {
        Self(ArcSwap::from_pointee(snapshot))
    }

    /// The newest snapshot. It stays as it is while it is held; hold it for one request at most.
    pub fn snapshot(&self) -> Guard<Arc<Snapshot>> {
        self.0.load()
    }

    /// Puts `snapshot` in place of the present one; requests under way keep what they read.
    pub fn replace(&self, snapshot: Snapshot) {
        self.0.store(Arc::new(snapshot));
    }
}

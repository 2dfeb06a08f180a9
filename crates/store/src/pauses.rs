//! The paused pools, the trips of breakers that are in effect, and the revoked credentials.

use std::collections::{BTreeMap, BTreeSet};

use firmquote_domain::{PoolId, Timestamp};

use crate::{Trip, TripKey};

/// The paused pools, the trips and the revoked credentials of a store, read in one step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PausedPools {
    /// The pools.
    pub pools: BTreeSet<PoolId>,
    /// The trips of breakers that are in effect.
    pub trips: BTreeMap<TripKey, Trip>,
    /// The ids of revoked credentials.
    pub revoked: BTreeSet<String>,
    /// When pools were resumed last: breakers compare nothing with what was before.
    pub resumed: BTreeMap<PoolId, Timestamp>,
    /// Changes whenever the store may have lost pauses; `None` for a store that loses none while it runs.
    pub generation: Option<[u8; 32]>,
}

impl PausedPools {
    /// Resumes a pool, which ends the trips of its breakers.
    pub(crate) fn resume(&mut self, pool: PoolId, now: Timestamp) {
        self.pools.remove(&pool);
        self.trips.retain(|key, _| key.pool != pool);
        self.resumed.insert(pool, now);
    }

    /// Puts `trip` into effect. Returns `false` if one that goes as far is in effect already.
    pub(crate) fn trip(&mut self, trip: &Trip) -> bool {
        let is_new = trip.exceeds(self.trips.get(&trip.key));
        if is_new {
            self.trips.insert(trip.key, trip.clone());
        }
        if trip.pauses_pool() {
            self.pools.insert(trip.key.pool);
        }
        is_new
    }

    /// Ends `trip`. Returns `false` if another one is in effect for its key, or none.
    pub(crate) fn end(&mut self, trip: &Trip) -> bool {
        let is_current = self.trips.get(&trip.key) == Some(trip);
        if is_current {
            self.trips.remove(&trip.key);
        }
        is_current
    }
}

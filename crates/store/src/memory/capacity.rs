//! The capacity of the memory store, and how clients share it.

use alloy_primitives::map::HashMap;
use firmquote_domain::Client;
use parking_lot::Mutex;

use crate::{Occupancy, StoreError};

/// The largest number of places a client may hold, as a multiple of the free places.
const MAX_SHARE: usize = 3;

/// Live quotes, counted by client and bounded by the capacity.
///
/// A client gets a permit, which is a place, while it holds fewer than three times the free places (the dynamic threshold of Choudhury and
/// Hahne, "Dynamic Queue Length Thresholds for Shared-Memory Packet Switches", 1998): a single client gets three
/// quarters of the capacity, the client that holds the most is refused first, and some places are left for new clients.
/// All clients without a name count as one.
#[derive(Debug)]
pub(super) struct Capacity {
    total: usize,
    counts: Mutex<QuoteCounts>,
}

/// A place for one more quote, which is released when this is dropped.
#[must_use = "it is released when dropped"]
pub(super) struct CapacityPermit<'c> {
    capacity: &'c Capacity,
    client: Option<&'c Client>,
}

impl CapacityPermit<'_> {
    /// Leaves the place to the quote that is stored.
    pub(super) fn commit(mut self) {
        self.client = None;
    }
}

impl Drop for CapacityPermit<'_> {
    fn drop(&mut self) {
        if let Some(client) = self.client {
            self.capacity.release(client);
        }
    }
}

#[derive(Debug, Default)]
struct QuoteCounts {
    used: usize,
    /// Never contains zeros.
    by_client: HashMap<Client, usize>,
}

impl Capacity {
    pub(super) fn new(total: usize) -> Self {
        Self { total, counts: Mutex::default() }
    }

    /// The occupied places and the capacity.
    pub(super) fn occupancy(&self) -> Occupancy {
        Occupancy { quotes: self.counts.lock().used, capacity: self.total }
    }

    /// Acquires a permit for `client`.
    ///
    /// # Errors
    /// [`StoreError::Full`] when no place is free, [`StoreError::ClientFull`] when `client` already holds its share.
    pub(super) fn acquire<'c>(&'c self, client: &'c Client) -> Result<CapacityPermit<'c>, StoreError> {
        let mut counts = self.counts.lock();
        let free = self.total.saturating_sub(counts.used);
        if free == 0 {
            return Err(StoreError::Full { capacity: self.total });
        }
        match counts.by_client.get_mut(client) {
            Some(held) if *held >= free.saturating_mul(MAX_SHARE) => {
                return Err(StoreError::ClientFull { held: *held });
            }
            Some(held) => *held += 1,
            None => {
                counts.by_client.insert(client.clone(), 1);
            }
        }
        counts.used += 1;
        Ok(CapacityPermit { capacity: self, client: Some(client) })
    }

    /// Takes a place for `client`, whether or not one is free.
    pub(super) fn occupy(&self, client: &Client) {
        let mut counts = self.counts.lock();
        *counts.by_client.entry(client.clone()).or_default() += 1;
        counts.used += 1;
    }

    /// Releases a place that `client` took.
    pub(super) fn release(&self, client: &Client) {
        let mut counts = self.counts.lock();
        let Some(held) = counts.by_client.get_mut(client) else { return };
        *held -= 1;
        if *held == 0 {
            counts.by_client.remove(client);
        }
        counts.used -= 1;
    }
}

//! The capacity of the memory store, and how clients share it.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use firmquote_domain::Client;

use crate::{Occupancy, StoreError};

/// How many times the free places a client may hold.
const SHARE: usize = 3;

/// Counts the live quotes, by client, never more than the capacity.
///
/// A client gets a place while it holds fewer than three times as many as are free (the dynamic threshold of Choudhury and
/// Hahne, "Dynamic Queue Length Thresholds for Shared-Memory Packet Switches", 1998): one alone gets three quarters of the
/// capacity, the client that holds most is refused first, and some places are left for the next one. All clients without
/// a name are one.
#[derive(Debug)]
pub(super) struct Capacity {
    total: usize,
    holdings: Mutex<Holdings>,
}

#[derive(Debug, Default)]
struct Holdings {
    used: usize,
    /// No entry is 0.
    by_client: HashMap<Client, usize>,
}

impl Capacity {
    pub(super) fn new(total: usize) -> Self {
        Self { total, holdings: Mutex::default() }
    }

    /// The places that are taken, of how many.
    pub(super) fn occupancy(&self) -> Occupancy {
        Occupancy { quotes: self.lock().used, capacity: self.total }
    }

    /// Takes a place for `client`.
    ///
    /// # Errors
    /// [`StoreError::Full`] when none is free, [`StoreError::ClientFull`] when `client` holds its share of them.
    pub(super) fn acquire(&self, client: &Client) -> Result<(), StoreError> {
        let mut holdings = self.lock();
        let free = self.total.saturating_sub(holdings.used);
        if free == 0 {
            return Err(StoreError::Full { capacity: self.total });
        }
        match holdings.by_client.get_mut(client) {
            Some(held) if *held >= free.saturating_mul(SHARE) => return Err(StoreError::ClientFull { held: *held }),
            Some(held) => *held += 1,
            None => {
                holdings.by_client.insert(client.clone(), 1);
            }
        }
        holdings.used += 1;
        Ok(())
    }

    /// Gives back a place that `client` took.
    pub(super) fn release(&self, client: &Client) {
        let mut holdings = self.lock();
        let Some(held) = holdings.by_client.get_mut(client) else { return };
        *held -= 1;
        if *held == 0 {
            holdings.by_client.remove(client);
        }
        holdings.used -= 1;
    }

    /// A thread that panicked holding the lock left counts that are whole but for one place.
    fn lock(&self) -> MutexGuard<'_, Holdings> {
        self.holdings.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

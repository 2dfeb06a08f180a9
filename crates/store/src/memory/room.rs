//! The ceiling of the memory store.

use std::sync::atomic::{AtomicUsize, Ordering};

use firmquote_domain::Client;

/// Counts the places taken, never more than the capacity.
#[derive(Debug)]
pub(super) struct Room {
    used: AtomicUsize,
    capacity: usize,
}

impl Room {
    pub(super) const fn new(capacity: usize) -> Self {
        Self { used: AtomicUsize::new(0), capacity }
    }

    pub(super) fn used(&self) -> usize {
        self.used.load(Ordering::Relaxed)
    }

    /// How many places may be taken when one of them is for `client`: a quarter is kept for clients with a name.
    pub(super) const fn open_to(&self, client: &Client) -> usize {
        match client {
            Client::Named(_) => self.capacity,
            Client::Anonymous => self.capacity - self.capacity / 4,
        }
    }

    /// Takes a place, if fewer than `most` are taken.
    pub(super) fn take(&self, most: usize) -> bool {
        let taken = |used: usize| (used < most).then_some(used + 1);
        self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, taken).is_ok()
    }

    pub(super) fn give_back(&self, places: usize) {
        if places > 0 {
            self.used.fetch_sub(places, Ordering::Relaxed);
        }
    }
}

//! The ceiling of the memory store.

use std::sync::atomic::{AtomicUsize, Ordering};

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

    pub(super) const fn capacity(&self) -> usize {
        self.capacity
    }

    pub(super) fn used(&self) -> usize {
        self.used.load(Ordering::Relaxed)
    }

    /// Takes a place, if there is one.
    pub(super) fn take(&self) -> bool {
        let taken = |used: usize| (used < self.capacity).then_some(used + 1);
        self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, taken).is_ok()
    }

    pub(super) fn give_back(&self, places: usize) {
        if places > 0 {
            self.used.fetch_sub(places, Ordering::Relaxed);
        }
    }
}

//! The other ports of the memory store: pauses, books and firm levels.

use std::{
    collections::BTreeSet,
    sync::{MutexGuard, PoisonError},
};

use async_trait::async_trait;
use firmquote_domain::{FirmLevels, LevelsId, PoolId, QuoteId, Timestamp};

use super::{MemoryStore, books::Books, levels::FirmLevelBooks};
use crate::{
    BookChange, BookStore, BookUpdate, BookVersion, Booking, BookingOutcome, LevelBudget, LevelStore, LevelsLookup,
    PauseStore, Reservation, ReservationOutcome, StoreError,
};

impl MemoryStore {
    /// A panic while holding the lock leaves the set consistent: every change is one insertion or removal.
    fn paused_pools(&self) -> MutexGuard<'_, BTreeSet<PoolId>> {
        self.paused.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl PauseStore for MemoryStore {
    async fn set_paused(&self, pool: PoolId, is_paused: bool) -> Result<(), StoreError> {
        let mut paused = self.paused_pools();
        if is_paused {
            paused.insert(pool)
        } else {
            paused.remove(&pool)
        };
        Ok(())
    }

    async fn paused(&self) -> Result<BTreeSet<PoolId>, StoreError> {
        Ok(self.paused_pools().clone())
    }

    fn is_shared(&self) -> bool {
        false
    }
}

impl MemoryStore {
    /// A panic while holding the lock leaves at most the last change of one book incomplete.
    pub(super) fn books(&self) -> MutexGuard<'_, Books> {
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl BookStore for MemoryStore {
    async fn enter(&self, booking: &Booking, now: Timestamp) -> Result<BookingOutcome, StoreError> {
        Ok(self.books().enter(booking, now))
    }

    async fn check(&self, booking: &Booking, now: Timestamp) -> Result<BookingOutcome, StoreError> {
        Ok(self.books().check(booking, now).map_or_else(BookingOutcome::Refused, |_| BookingOutcome::Booked(None)))
    }

    async fn apply_changes(&self, pool: PoolId, changes: &[BookChange], now: Timestamp) -> Result<(), StoreError> {
        self.books().apply_changes(pool, changes, now);
        Ok(())
    }

    async fn changes_since(
        &self,
        pool: PoolId,
        version: Option<BookVersion>,
        now: Timestamp,
    ) -> Result<BookUpdate, StoreError> {
        Ok(self.books().changes_since(pool, version, now))
    }

    fn is_shared(&self) -> bool {
        false
    }
}

impl MemoryStore {
    /// A panic while holding the lock leaves at most the last change of one budget incomplete.
    fn levels(&self) -> MutexGuard<'_, FirmLevelBooks> {
        self.levels.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl LevelStore for MemoryStore {
    async fn store_levels(&self, levels: &FirmLevels, renewal: bool, now: Timestamp) -> Result<bool, StoreError> {
        Ok(self.levels().store_levels(levels, renewal, now))
    }

    async fn find_levels(&self, pool: PoolId, id: LevelsId, now: Timestamp) -> Result<LevelsLookup, StoreError> {
        Ok(self.levels().find(pool, id, now))
    }

    async fn reserve(&self, reservation: &Reservation<'_>, now: Timestamp) -> Result<ReservationOutcome, StoreError> {
        Ok(self.levels().reserve(reservation, now))
    }

    async fn set_reserved_until(
        &self,
        budget: &LevelBudget,
        quote_id: QuoteId,
        until: Timestamp,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        Ok(self.levels().set_until(budget, quote_id, until, now))
    }
}

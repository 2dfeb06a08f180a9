//! The other ports of the memory store: pauses, books and firm levels.

use async_trait::async_trait;
use firmquote_domain::{FirmLevels, LevelsId, PoolId, QuoteId, Timestamp};

use super::MemoryStore;
use crate::{
    BookChange, BookStore, BookUpdate, BookVersion, Booking, BookingOutcome, LevelBudget, LevelStore, LevelsLookup,
    PauseStore, PausedPools, Reservation, ReservationOutcome, StoreError,
};

#[async_trait]
impl PauseStore for MemoryStore {
    async fn set_paused(&self, pool: PoolId, is_paused: bool) -> Result<(), StoreError> {
        let mut paused = self.paused.lock();
        if is_paused {
            paused.insert(pool)
        } else {
            paused.remove(&pool)
        };
        Ok(())
    }

    async fn paused(&self) -> Result<PausedPools, StoreError> {
        Ok(PausedPools { pools: self.paused.lock().clone(), generation: None })
    }

    fn is_shared(&self) -> bool {
        false
    }
}

#[async_trait]
impl BookStore for MemoryStore {
    async fn enter(&self, booking: &Booking, now: Timestamp) -> Result<BookingOutcome, StoreError> {
        Ok(self.books.lock().enter(booking, now))
    }

    async fn check(&self, booking: &Booking, now: Timestamp) -> Result<BookingOutcome, StoreError> {
        Ok(self.books.lock().check(booking, now).map_or_else(BookingOutcome::Refused, |_| BookingOutcome::Booked(None)))
    }

    async fn apply_changes(&self, pool: PoolId, changes: &[BookChange], now: Timestamp) -> Result<(), StoreError> {
        self.books.lock().apply_changes(pool, changes, now);
        Ok(())
    }

    async fn changes_since(
        &self,
        pool: PoolId,
        version: Option<BookVersion>,
        now: Timestamp,
    ) -> Result<BookUpdate, StoreError> {
        Ok(self.books.lock().changes_since(pool, version, now))
    }

    async fn signing_delay_seconds(
        &self,
        _pool: PoolId,
        max_lifetime_seconds: u32,
        is_observed: bool,
        now: Timestamp,
    ) -> Result<u32, StoreError> {
        Ok(if is_observed { self.books.lock().seconds_incomplete(max_lifetime_seconds, now) } else { 0 })
    }

    fn is_shared(&self) -> bool {
        false
    }
}

#[async_trait]
impl LevelStore for MemoryStore {
    async fn store_levels(&self, levels: &FirmLevels, renewal: bool, now: Timestamp) -> Result<bool, StoreError> {
        Ok(self.levels.lock().store_levels(levels, renewal, now))
    }

    async fn find_levels(&self, pool: PoolId, id: LevelsId, now: Timestamp) -> Result<LevelsLookup, StoreError> {
        Ok(self.levels.lock().find(pool, id, now))
    }

    async fn reserve(&self, reservation: &Reservation<'_>, now: Timestamp) -> Result<ReservationOutcome, StoreError> {
        Ok(self.levels.lock().reserve(reservation, now))
    }

    async fn set_reserved_until(
        &self,
        budget: &LevelBudget,
        quote_id: QuoteId,
        until: Timestamp,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        Ok(self.levels.lock().set_until(budget, quote_id, until, now))
    }
}

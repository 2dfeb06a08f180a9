//! Keeping this replica's copy of a book up to date, and putting back what the store has lost of it.

use firmquote_domain::Timestamp;
use firmquote_store::{BookVersion, Booking, StoreError};

use super::PoolBook;
use crate::{Desk, DeskError, ServedPool};

/// The number of lost changes that are put back in one store call.
const MAX_CHANGES_RESTORED_AT_ONCE: usize = 256;

impl Desk {
    /// Enters a swap into this replica's copy of the book, which the store has as of `version`, or had before.
    ///
    /// # Errors
    /// [`DeskError::Store`] if the store has begun another epoch meanwhile and lost the swap, or could not be reached.
    pub(crate) async fn apply_booking(
        &self,
        pool: &ServedPool,
        booking: &Booking,
        version: Option<BookVersion>,
    ) -> Result<(), DeskError> {
        let book = pool.book();
        let is_followed = version.and_then(|version| book.enter(&booking.swap, version));
        // In a shared book, messages of other replicas report the changes in between.
        if is_followed.is_some_and(|is_followed| is_followed || self.store.is_shared()) {
            return Ok(());
        }
        let id = booking.swap.quote_id;
        if is_followed.is_some() || book.swap(id).is_none() {
            self.refresh_book(pool).await?;
        }
        let lost = || StoreError::Unavailable("it lost a swap that it had just entered".into());
        book.swap(id).map(drop).ok_or_else(|| DeskError::Store(lost()))
    }

    /// Brings this replica's copy of the book of `pool` up to date. If the store lost changes, what this replica knows
    /// of them is put back before the next read, which tells the store that its book is complete.
    ///
    /// # Errors
    /// [`DeskError::Store`] if the store could not be reached, [`DeskError::Clock`] if the clock cannot be trusted:
    /// swaps lapse by it.
    pub async fn refresh_book(&self, pool: &ServedPool) -> Result<(), DeskError> {
        self.check_clock()?;
        let (id, now, book) = (pool.spec().id, self.clock.now(), pool.book());
        // Reads from the version before the restored changes, so that the read includes them.
        let base = book.version();
        self.restore_pauses(book, now).await?;
        self.restore_lost(pool).await?;
        book.apply(self.store.changes_since(id, base, now).await.map_err(DeskError::from_store)?, now);
        if base.is_none() {
            book.mark_pauses_restored(book.version());
        }
        self.restore_pauses(book, now).await?;
        // A book of this process alone is restored from the ledger, which may lack the last outcomes.
        if base.is_none() && !self.store.is_shared() {
            book.assume_stored();
        }
        let base = book.version();
        if self.restore_lost(pool).await? {
            book.apply(self.store.changes_since(id, base, now).await.map_err(DeskError::from_store)?, now);
        }
        Ok(())
    }

    /// Puts back pauses in a new epoch of the store, which may have lost them, too, before a read tells the store that this
    /// replica has put back all.
    async fn restore_pauses(&self, book: &PoolBook, now: Timestamp) -> Result<(), DeskError> {
        if book.has_restored_pauses() {
            return Ok(());
        }
        let version = book.version();
        self.pauses.refresh(now).await?;
        book.mark_pauses_restored(version);
        Ok(())
    }

    /// Puts back what the store has lost of the book, in parts: a part that is stored stays so if this is cancelled.
    /// Returns whether it had lost anything.
    async fn restore_lost(&self, pool: &ServedPool) -> Result<bool, DeskError> {
        let mut had_lost = false;
        loop {
            let (epoch, lost) = pool.book().lost(MAX_CHANGES_RESTORED_AT_ONCE);
            if lost.is_empty() {
                return Ok(had_lost);
            }
            had_lost = true;
            self.store.apply_changes(pool.spec().id, &lost, self.clock.now()).await.map_err(DeskError::from_store)?;
            if !pool.book().mark_restored(epoch, &lost) {
                // Put back into a book that is lost, too: the next reading finds that.
                return Ok(had_lost);
            }
        }
    }
}

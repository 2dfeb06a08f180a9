//! Entering a quote into the book of its pool before it is signed.

use std::sync::Arc;

use firmquote_domain::{BookEntry, SwapState, Timestamp, is_expired};
use firmquote_store::{BookChange, BookVersion, Booking, BookingOutcome};

use super::PreTradeCheck;
use crate::{Desk, DeskError, ServedPool};

/// Maximum number of rechecks of a swap after concurrent signatures.
pub(crate) const MAX_ATTEMPTS: usize = 4;

/// Whether a swap is entered into the book, or only checked for room.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum BookingMode {
    Check,
    Enter,
}

impl Desk {
    /// Enters a quote into the book of its pool, or checks that the book has room for it. If others were signed meanwhile, the
    /// quote is checked again, as long as nothing else speaks against it. Returns the last check.
    ///
    /// # Errors
    /// [`DeskError::Conflict`] if the quote is not sound with the others, or an equal offer was signed already;
    /// [`DeskError::OutstandingLimit`], [`DeskError::BookIncomplete`] and [`DeskError::Store`].
    pub(crate) async fn book<'a>(
        &'a self,
        mut check: PreTradeCheck<'a>,
        mode: BookingMode,
        now: Timestamp,
    ) -> Result<PreTradeCheck<'a>, DeskError> {
        for _ in 0..MAX_ATTEMPTS {
            let booking = check.booking(now);
            let outcome = match mode {
                BookingMode::Check => self.books.check(&booking, now).await,
                BookingMode::Enter => self.books.enter(&booking, now).await,
            };
            match outcome.map_err(DeskError::Store)? {
                BookingOutcome::Booked(version) => {
                    if mode == BookingMode::Enter {
                        self.apply_booking(check.directed_pair.pool, &booking, version).await?;
                    }
                    return Ok(check);
                }
                refused => check = self.recheck(refused, &booking, check).await?,
            }
        }
        Err(check.conflict())
    }

    /// Enters a swap into this replica's copy of the book, which the store has as of `version`, or had before. If the store
    /// has begun another epoch meanwhile, it may have lost the swap: then it is put back.
    pub(crate) async fn apply_booking(
        &self,
        pool: &ServedPool,
        booking: &Booking,
        version: Option<BookVersion>,
    ) -> Result<(), DeskError> {
        let is_followed = version.is_some_and(|version| pool.book().enter(&booking.swap, version));
        if version.is_some_and(|version| pool.book().has_other_epoch(version)) {
            let entry = BookEntry { swap: Arc::clone(&booking.swap), state: SwapState::Outstanding };
            let (id, now) = (pool.spec().id, self.clock.now());
            self.books.apply_changes(id, &[BookChange::Entered(entry)], now).await.map_err(DeskError::Store)?;
        }
        // In a shared book, messages of other replicas report the changes in between.
        if is_followed || self.books.is_shared() { Ok(()) } else { self.refresh_book(pool).await }
    }

    /// Checks a quote again that the store did not enter, if it did not because others were signed meanwhile.
    ///
    /// # Errors
    /// Those of [`Self::book`].
    pub(crate) async fn recheck<'a>(
        &'a self,
        refused: BookingOutcome,
        booking: &Booking,
        check: PreTradeCheck<'a>,
    ) -> Result<PreTradeCheck<'a>, DeskError> {
        let (PreTradeCheck { quote, terms, .. }, now) = (&check, self.clock.now());
        let pool = check.directed_pair.pool;
        match refused {
            BookingOutcome::Moved => {
                self.refresh_book(pool).await?;
                let now = self.clock.now();
                if is_expired(quote.must_accept_by, now) {
                    return Err(DeskError::UnknownQuote(quote.id));
                }
                self.pauses.check(quote.pool)?;
                self.last_look(quote, now)?;
                return self.pre_trade_check(quote, terms, now);
            }
            BookingOutcome::PoolLimit | BookingOutcome::ClientLimit => {
                // The store may know of swaps that this copy lacks. Without them the refusal says less.
                self.refresh_book(pool).await.ok();
            }
            _ => {}
        }
        Err(check.refusal(refused, booking, now))
    }

    /// Brings this replica's copy of the book of `pool` up to date. If the store lost changes, what this replica knows of
    /// them is put back first.
    ///
    /// # Errors
    /// [`DeskError::Store`] if the store could not be reached.
    pub async fn refresh_book(&self, pool: &ServedPool) -> Result<(), DeskError> {
        let (id, now, base) = (pool.spec().id, self.clock.now(), pool.book().version());
        let update = self.books.changes_since(id, base, now).await.map_err(DeskError::Store)?;
        let lost = pool.book().lost_changes(&update, now);
        if lost.is_empty() {
            pool.book().apply(base, update, now);
            // A book of this process alone is restored from the ledger, which may lack the last outcomes.
            if base.is_none() && !self.books.is_shared() {
                pool.book().assume_stored();
            }
            return Ok(());
        }
        self.books.apply_changes(id, &lost, now).await.map_err(DeskError::Store)?;
        let restored = self.books.changes_since(id, None, now).await.map_err(DeskError::Store)?;
        pool.book().apply(base, restored, now);
        Ok(())
    }
}

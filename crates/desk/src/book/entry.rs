//! Entering a quote into the book of its pool before it is signed.

use firmquote_domain::{Timestamp, is_expired};
use firmquote_store::{BookVersion, Booking, BookingOutcome, BookingRefusal, StoreError};

use super::{PoolBook, PreTradeCheck};
use crate::{Desk, DeskError, ServedPool};

/// Maximum number of rechecks of a swap after concurrent signatures.
pub(crate) const MAX_ATTEMPTS: usize = 4;

/// The number of lost changes that are put back in one store call.
const MAX_CHANGES_RESTORED_AT_ONCE: usize = 256;

/// Whether a swap is entered into the book, or only checked for room.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum BookingMode {
    Check,
    Enter,
}

impl Desk {
    /// Enters a quote into the book of its pool, or checks that the book has room for it. If others were signed
    /// meanwhile, the quote is checked again, as long as nothing else speaks against it. Returns the last check.
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
                BookingOutcome::Refused(refusal) => check = self.recheck(refusal, &booking, check).await?,
            }
        }
        Err(check.conflict())
    }

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
        if is_followed.is_some_and(|is_followed| is_followed || self.books.is_shared()) {
            return Ok(());
        }
        let id = booking.swap.quote_id;
        if is_followed.is_some() || book.swap(id).is_none() {
            self.refresh_book(pool).await?;
        }
        let lost = || StoreError::Unavailable("it lost a swap that it had just entered".into());
        book.swap(id).map(drop).ok_or_else(|| DeskError::Store(lost()))
    }

    /// Checks a quote again that the store did not enter, if it did not because others were signed meanwhile.
    ///
    /// # Errors
    /// Those of [`Self::book`].
    pub(crate) async fn recheck<'a>(
        &'a self,
        refusal: BookingRefusal,
        booking: &Booking,
        check: PreTradeCheck<'a>,
    ) -> Result<PreTradeCheck<'a>, DeskError> {
        let (PreTradeCheck { quote, terms, .. }, now) = (&check, self.clock.now());
        let pool = check.directed_pair.pool;
        match refusal {
            BookingRefusal::Moved => {
                self.refresh_book(pool).await?;
                let now = self.clock.now();
                if is_expired(quote.must_accept_by, now) {
                    return Err(DeskError::UnknownQuote(quote.id));
                }
                self.pauses.check(quote.pool, now)?;
                self.last_look(quote, now)?;
                return self.pre_trade_check(quote, terms, now);
            }
            BookingRefusal::PoolLimit | BookingRefusal::ClientLimit => {
                // The store may know of swaps that this copy lacks. Without them the refusal says less.
                self.refresh_book(pool).await.ok();
            }
            BookingRefusal::EqualOffer | BookingRefusal::Incomplete { .. } => {}
        }
        Err(check.refusal(refusal, booking, now))
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
        book.apply(self.books.changes_since(id, base, now).await.map_err(DeskError::Store)?, now);
        if base.is_none() {
            book.mark_pauses_restored(book.version());
        }
        self.restore_pauses(book, now).await?;
        // A book of this process alone is restored from the ledger, which may lack the last outcomes.
        if base.is_none() && !self.books.is_shared() {
            book.assume_stored();
        }
        let base = book.version();
        if self.restore_lost(pool).await? {
            book.apply(self.books.changes_since(id, base, now).await.map_err(DeskError::Store)?, now);
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
            self.books.apply_changes(pool.spec().id, &lost, self.clock.now()).await.map_err(DeskError::Store)?;
            if !pool.book().mark_restored(epoch, &lost) {
                // Put back into a book that is lost, too: the next reading finds that.
                return Ok(had_lost);
            }
        }
    }
}

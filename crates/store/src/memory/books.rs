//! Books in memory: each with its latest changes, and the times at which its swaps lapse by the clock.

use std::{
    collections::{BTreeSet, VecDeque},
    sync::Arc,
};

use alloy_primitives::map::HashMap;
use firmquote_domain::{Book, BookEntry, PoolId, QuoteId, SwapState, Timestamp, UnixSeconds};

use crate::{BookChange, BookUpdate, BookVersion, Booking, BookingRefusal, book::is_same};

/// The number of changes that a follower may miss without having to read the whole book.
const MAX_CHANGES: usize = 4_096;

/// The books of all pools.
#[derive(Debug, Default)]
pub(super) struct Books {
    pools: HashMap<PoolId, VersionedBook>,
    /// Swaps signed before this time may be missing; `None` if none are.
    complete_since: Option<Timestamp>,
}

/// One book with its latest changes.
#[derive(Debug, Default)]
pub(super) struct VersionedBook {
    book: Book,
    changes: VecDeque<BookChange>,
    /// The number of the last change.
    version: u64,
    /// The number of the last change that made a guaranteed swap outstanding; 0 for none.
    guaranteed_at: u64,
    /// When the clock next changes the state of each swap.
    deadlines: BTreeSet<(UnixSeconds, QuoteId)>,
}

impl Books {
    /// Marks the books as incomplete for swaps of observed contracts that were signed before `since`.
    pub(super) const fn set_complete_since(&mut self, since: Timestamp) {
        self.complete_since = Some(since);
    }

    /// Seconds until nothing that may be missing is valid, if signatures last this long at most; 0 if nothing is missing.
    pub(super) fn seconds_incomplete(&self, max_lifetime_seconds: u32, now: Timestamp) -> u32 {
        let complete_at = self.complete_since.map(|since| since.plus_seconds(max_lifetime_seconds));
        let complete_at = complete_at.filter(|complete_at| now < *complete_at);
        complete_at.map_or(0, |complete_at| complete_at.seconds().get().saturating_sub(now.seconds().get()).max(1))
    }

    /// Returns the book that a swap can be entered into; `None` if it is there already.
    ///
    /// # Errors
    /// The refusal.
    pub(super) fn check(
        &mut self,
        booking: &Booking,
        now: Timestamp,
    ) -> Result<Option<&mut VersionedBook>, BookingRefusal> {
        let is_observed = booking.swap.block.is_some();
        let incomplete = if is_observed { self.seconds_incomplete(booking.max_lifetime_seconds, now) } else { 0 };
        let pool = self.pools.entry(booking.swap.offer.pool).or_default();
        pool.expire(now);
        if let Some(known) = pool.book.get(booking.swap.quote_id) {
            return if is_same(&known.swap, &booking.swap) { Ok(None) } else { Err(BookingRefusal::EqualOffer) };
        }
        if incomplete > 0 {
            return Err(BookingRefusal::Incomplete { retry_after_seconds: incomplete });
        }
        pool.check(booking)?;
        Ok(Some(pool))
    }

    pub(super) fn apply_changes(&mut self, pool: PoolId, changes: &[BookChange], now: Timestamp) {
        let pool = self.pools.entry(pool).or_default();
        pool.expire(now);
        for change in changes {
            pool.change(change.clone());
        }
    }

    pub(super) fn changes_since(&mut self, pool: PoolId, version: Option<BookVersion>, now: Timestamp) -> BookUpdate {
        let pool = self.pools.entry(pool).or_default();
        pool.expire(now);
        pool.since(version)
    }
}

impl VersionedBook {
    /// Enters the swap of a booking that was checked, and returns the version with it.
    pub(super) fn enter(&mut self, booking: &Booking) -> BookVersion {
        let entry = BookEntry { swap: Arc::clone(&booking.swap), state: SwapState::Outstanding };
        self.change(BookChange::Entered(entry));
        self.version()
    }

    fn version(&self) -> BookVersion {
        BookVersion { epoch: 0, number: self.version }
    }

    fn check(&self, booking: &Booking) -> Result<(), BookingRefusal> {
        booking.check(&self.book)?;
        let known = booking.version.filter(|version| version.epoch == 0).map_or(0, |version| version.number);
        if self.guaranteed_at > known { Err(BookingRefusal::Moved) } else { Ok(()) }
    }

    /// Applies a change and remembers it, if it changes anything.
    fn change(&mut self, change: BookChange) {
        let id = change.quote_id();
        let deadline = |booked: &BookEntry| (booked.deadline(), id);
        let previous = self.book.get(id).map(deadline);
        if !change.apply(&mut self.book) {
            return;
        }
        self.version += 1;
        if let Some(previous) = previous {
            self.deadlines.remove(&previous);
        }
        if let Some(booked) = self.book.get(id) {
            self.deadlines.insert(deadline(booked));
            if booked.state == SwapState::Outstanding && booked.swap.guarantee.is_some() {
                self.guaranteed_at = self.version;
            }
        }
        self.changes.push_back(change);
        if self.changes.len() > MAX_CHANGES {
            self.changes.pop_front();
        }
    }

    /// Lets swaps lapse, releases those that have counted long enough for their clients, and removes finished ones.
    fn expire(&mut self, now: Timestamp) {
        let now = now.seconds();
        while let Some((second, id)) = self.deadlines.first().copied()
            && second <= now
        {
            self.deadlines.pop_first();
            let state = self.book.get(id).and_then(|booked| booked.state_after_deadline(now));
            self.change(state.map_or(BookChange::Removed(id), |state| BookChange::State(id, state)));
        }
    }

    fn since(&self, version: Option<BookVersion>) -> BookUpdate {
        let missed = version.filter(|known| known.epoch == 0).and_then(|known| self.version.checked_sub(known.number));
        let missed =
            missed.and_then(|missed| usize::try_from(missed).ok()).filter(|missed| *missed <= self.changes.len());
        match missed {
            Some(missed) => {
                let changes = self.changes.range(self.changes.len() - missed..).cloned().collect();
                BookUpdate::Changes { version: self.version(), changes }
            }
            None => BookUpdate::Snapshot { version: self.version(), swaps: self.book.swaps().cloned().collect() },
        }
    }
}

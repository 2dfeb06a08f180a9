//! The books of the pools, as a store keeps them: swaps are entered before their signatures are made, and every replica
//! follows the changes.

mod booking;
mod limits;
mod update;

pub use booking::{Booking, BookingOutcome, BookingRefusal};
pub use limits::{ClientFlows, OutstandingLimits};
pub use update::{BookChange, BookUpdate, BookVersion};

use async_trait::async_trait;
use firmquote_domain::{PoolId, SignedSwap, Timestamp};

use crate::StoreError;

/// The books of the pools, for all replicas that share the store.
///
/// [`contract::check_books`](https://docs.rs/firmquote-store/latest/firmquote_store/contract/fn.check_books.html)
/// (feature `contract`) tests every implementation against this documentation.
///
/// A swap lapses by the clock 60 seconds after the end of its validity, or a day after it if it was checked against the
/// reserves of a block. A lapsed swap is released as long after its end as it was outstanding, and removed as long
/// after the clock would have let it lapse: see [`SignedSwap::deadlines`]. All other changes are up to the callers.
#[async_trait]
pub trait BookStore: Send + Sync {
    /// Enters a swap into the book of its pool if it is sound with the swaps that are there and within the limits, in
    /// one atomic step. A quote whose swap is in the book already changes nothing; for other terms it is refused as an
    /// equal offer is, since a signature for the first may be on its way.
    ///
    /// # Errors
    /// [`StoreError`] when the store could not be reached; the swap may or may not be in the book, and a retry is safe.
    async fn enter(&self, booking: &Booking, now: Timestamp) -> Result<BookingOutcome, StoreError>;

    /// Returns what [`Self::enter`] would, without entering the swap: [`BookingOutcome::Booked`] if there is room for
    /// it.
    ///
    /// # Errors
    /// [`StoreError`] when the store could not be reached.
    async fn check(&self, booking: &Booking, now: Timestamp) -> Result<BookingOutcome, StoreError>;

    /// Applies changes to the book of `pool`, at most one for each swap, in any order: settled, lapsed and reorganized
    /// swaps, and those that the store lost. Changes that are in the book already are skipped.
    ///
    /// # Errors
    /// [`StoreError`] when the store could not be reached; some changes may be applied, and a retry is safe.
    async fn apply_changes(&self, pool: PoolId, changes: &[BookChange], now: Timestamp) -> Result<(), StoreError>;

    /// Returns the changes of the book of `pool` since `version`; the whole book without one, and when the store no
    /// longer has all changes since then.
    ///
    /// # Errors
    /// [`StoreError`] when the store could not be reached.
    async fn changes_since(
        &self,
        pool: PoolId,
        version: Option<BookVersion>,
        now: Timestamp,
    ) -> Result<BookUpdate, StoreError>;

    /// Waits until a book may have changed since the last call; forever if only this process changes books. For one
    /// caller at a time.
    async fn changed(&self) {
        std::future::pending().await
    }

    /// Returns the seconds until swaps of `pool` are entered again: until nothing that was signed before the store lost
    /// data, or before the process started, can be executed any more. Zero if nothing may be missing. `is_observed` is
    /// whether the contract of the pool is observed, `max_lifetime_seconds` how long its signatures last at most.
    ///
    /// # Errors
    /// [`StoreError`] when the store could not be reached.
    async fn signing_delay_seconds(
        &self,
        _pool: PoolId,
        _max_lifetime_seconds: u32,
        _is_observed: bool,
        _now: Timestamp,
    ) -> Result<u32, StoreError> {
        Ok(0)
    }

    /// Whether other replicas enter swaps into the same books.
    fn is_shared(&self) -> bool;
}

/// Whether two swaps of one quote are of the same terms, as far as others depend on them.
pub(crate) fn is_same(one: &SignedSwap, other: &SignedSwap) -> bool {
    let is_guaranteed = |swap: &SignedSwap| swap.guarantee.is_some();
    one.offer == other.offer && one.native == other.native && is_guaranteed(one) == is_guaranteed(other)
}

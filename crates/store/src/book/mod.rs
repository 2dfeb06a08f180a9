//! The books of the pools, as a store keeps them: swaps are entered before their signatures are made, and every replica
//! follows the changes.

mod booking;
mod update;

pub use booking::{Booking, BookingOutcome, OutstandingLimits};
pub use update::{BookChange, BookUpdate, BookVersion};

use async_trait::async_trait;
use firmquote_domain::{BookEntry, BookedSwap, PoolId, SwapState, Timestamp, UnixSeconds};

use crate::StoreError;

/// The books of the pools, for all replicas that share the store.
///
/// [`contract::check_books`](https://docs.rs/firmquote-store/latest/firmquote_store/contract/fn.check_books.html) (feature
/// `contract`) tests every implementation against this documentation.
///
/// A swap lapses by the clock 60 seconds after the end of its validity, or a day after it if it was judged on the reserves
/// of a block, and is removed after as long again. All other changes are up to the callers.
#[async_trait]
pub trait BookStore: Send + Sync {
    /// Enters a swap into the book of its pool if it is sound beside the swaps that are there and within the limits, in
    /// one atomic step. A quote whose swap is in the book already changes nothing; for other terms it is refused as an
    /// equal offer is, since a signature for the first may be on its way.
    ///
    /// # Errors
    /// [`StoreError`] when the store could not be reached; the swap may or may not be in the book, and a retry is safe.
    async fn enter(&self, booking: &Booking, now: Timestamp) -> Result<BookingOutcome, StoreError>;

    /// Applies changes to the book of `pool`: settled, lapsed and reorganized swaps, and those that the store lost.
    /// Changes that are in the book already are skipped.
    ///
    /// # Errors
    /// [`StoreError`] when the store could not be reached; some changes may be applied, and a retry is safe.
    async fn amend(&self, pool: PoolId, changes: &[BookChange], now: Timestamp) -> Result<(), StoreError>;

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

    /// Whether other replicas enter swaps into the same books.
    fn is_shared(&self) -> bool;
}

/// Whether two swaps of one quote are of the same terms, as far as others depend on them.
pub(crate) fn is_same(one: &BookEntry, other: &BookEntry) -> bool {
    let is_guaranteed = |swap: &BookEntry| swap.guarantee.is_some();
    one.offer == other.offer && one.native == other.native && is_guaranteed(one) == is_guaranteed(other)
}

/// Seconds after the end of its validity from which on a swap has lapsed by the clock.
pub(crate) const LAPSE_MARGIN_SECONDS: u32 = 60;

/// The same for a swap that was judged on the reserves of a block: by then no replica reads the chain any more.
const CHAIN_LAPSE_MARGIN_SECONDS: u32 = 86_400;

/// The second from which on a swap has lapsed by the clock.
pub(crate) fn lapses_at(swap: &BookEntry) -> UnixSeconds {
    let expires_at = swap.offer.good_until.expires_at();
    let margin = if swap.block.is_some() { CHAIN_LAPSE_MARGIN_SECONDS } else { LAPSE_MARGIN_SECONDS };
    expires_at.checked_add(margin).unwrap_or(expires_at)
}

/// The second in which the clock changes a swap next. A swap that has lapsed counts for its client as long again as it was
/// outstanding.
pub(crate) fn deadline(BookedSwap { swap, state }: &BookedSwap) -> UnixSeconds {
    let lapse = lapses_at(swap);
    match state {
        SwapState::Outstanding => lapse,
        SwapState::Settled(_) | SwapState::Lapsed(_) => counts_until(swap, lapse),
    }
}

pub(crate) fn counts_until(swap: &BookEntry, lapse: UnixSeconds) -> UnixSeconds {
    lapse.checked_add(lapse.get().saturating_sub(swap.signed_at.seconds().get())).unwrap_or(lapse)
}

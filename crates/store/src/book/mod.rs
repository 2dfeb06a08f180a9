//! The books of the pools, as a store keeps them: swaps are entered before their signatures are made, and every replica
//! follows the changes.

mod booking;
mod limits;
mod update;

pub use booking::{Booking, BookingRefusal};
pub use limits::{ClientFlows, OutstandingLimits};
pub use update::{BookChange, BookUpdate, BookVersion};

use firmquote_domain::SignedSwap;

/// Whether two swaps of one quote are of the same terms, as far as others depend on them.
pub(crate) fn is_same(one: &SignedSwap, other: &SignedSwap) -> bool {
    let is_guaranteed = |swap: &SignedSwap| swap.guarantee.is_some();
    one.offer == other.offer && one.native == other.native && is_guaranteed(one) == is_guaranteed(other)
}

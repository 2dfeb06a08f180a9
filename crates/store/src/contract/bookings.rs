//! Bookings for the contract of books, and the stores that they go through.

use std::sync::Arc;

use firmquote_domain::{Amount, BookEntry, NativeSide, Quote, SignedSwap, SwapState, Timestamp, U256};

use super::sample::{self, sample_booking, sample_pool, sample_quote, sample_terms};
use crate::{BookChange, BookStore, BookUpdate, BookVersion, Booking, BookingOutcome};

/// Stores of books used in rotation.
pub(super) type Replicas<'a> = sample::Replicas<'a, dyn BookStore>;

impl Replicas<'_> {
    /// Enters a swap, after a check that has to return the same outcome and change nothing.
    pub(super) async fn enter(&self, booking: &Booking, now: Timestamp) -> BookingOutcome {
        let checked = self.next().check(booking, now).await.expect("the store answers");
        let entered = self.next().enter(booking, now).await.expect("the store answers");
        assert_eq!(checked, if is_booked(entered) { BookingOutcome::Booked(None) } else { entered });
        entered
    }

    pub(super) async fn apply_changes(&self, booking: &Booking, change: BookChange, now: Timestamp) {
        self.next().apply_changes(booking.swap.offer.pool, &[change], now).await.expect("the store answers");
    }

    pub(super) async fn book(&self, booking: &Booking, now: Timestamp) -> (BookVersion, Vec<BookEntry>) {
        match self.next().changes_since(booking.swap.offer.pool, None, now).await.expect("the store answers") {
            BookUpdate::Snapshot { version, swaps } => (version, swaps),
            BookUpdate::Changes { .. } => panic!("without a version the whole book is returned"),
        }
    }
}

/// A swap of `[input, output]` amounts at a pool of its own that any other swaps leave sound.
pub(super) fn booking(pool: u8, number: u8, [input, output]: [u64; 2], now: Timestamp) -> Booking {
    let mut quote = Quote { pool: sample_pool(pool, now), ..sample_quote(number, now) };
    let amount = |units: u64| Amount::new(U256::from(units)).expect("not zero");
    (quote.input.amount, quote.output.amount) = (amount(input), amount(output));
    let swap = SignedSwap {
        quote_id: quote.id,
        client: quote.client.clone(),
        source_network: None,
        offer: quote.offer_to(sample_terms(1).destination),
        native: NativeSide::Neither,
        signed_at: now,
        block: Some(100),
        guarantee: None,
    };
    Booking { is_single_use: true, ..sample_booking(swap) }
}

/// The same booking of another quote, for another destination.
pub(super) fn with_swap(booking: &Booking, change: impl FnOnce(&mut SignedSwap)) -> Booking {
    let mut swap = SignedSwap::clone(&booking.swap);
    change(&mut swap);
    Booking { swap: Arc::new(swap), ..booking.clone() }
}

pub(super) const fn is_booked(outcome: BookingOutcome) -> bool {
    matches!(outcome, BookingOutcome::Booked(_))
}

pub(super) fn entered(booking: &Booking) -> BookChange {
    BookChange::Entered(BookEntry { swap: Arc::clone(&booking.swap), state: SwapState::Outstanding })
}

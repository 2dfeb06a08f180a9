//! Bookings for the rules of books, and how they are entered.

use std::sync::Arc;

use firmquote_domain::{Amount, BookEntry, NativeSide, Quote, SignedSwap, SwapState, Timestamp, U256};

use super::sample::{Replicas, SampleCommitment, sample_booking, sample_pool, sample_quote, sample_terms};
use crate::{
    BookChange, BookUpdate, BookVersion, Booking, BookingRefusal, CommitOutcome, CommitRefusal, PrepareOutcome, Store,
};

/// Enters a swap, with the signature of a quote of its own.
pub(super) async fn enter(
    store: &dyn Store,
    booking: &Booking,
    now: Timestamp,
) -> Result<Option<BookVersion>, BookingRefusal> {
    let commitment = SampleCommitment { booking: booking.clone(), ..SampleCommitment::fresh(now) };
    match commitment.commit(store, now).await {
        CommitOutcome::Recorded { version, .. } => Ok(version),
        CommitOutcome::Refused(CommitRefusal::Booking(refusal)) => Err(refusal),
        outcome => panic!("only the book can refuse it: {outcome:?}"),
    }
}

impl Replicas<'_> {
    /// Enters a swap, after a preparation that has to return the same outcome and change nothing.
    pub(super) async fn enter(&self, booking: &Booking, now: Timestamp) -> Result<Option<BookVersion>, BookingRefusal> {
        let commitment = SampleCommitment { booking: booking.clone(), ..SampleCommitment::fresh(now) };
        let prepared = commitment.prepare(self.next(), now).await;
        let entered = enter(self.next(), booking, now).await;
        let expected = match entered {
            Ok(_) => PrepareOutcome::Prepared,
            Err(refusal) => PrepareOutcome::Refused(CommitRefusal::Booking(refusal)),
        };
        assert_eq!(prepared, expected);
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

pub(super) fn entered(booking: &Booking) -> BookChange {
    BookChange::Entered(BookEntry { swap: Arc::clone(&booking.swap), state: SwapState::Outstanding })
}

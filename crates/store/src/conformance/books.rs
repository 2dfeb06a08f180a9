//! Books: which swaps are entered.

use std::sync::Arc;

use firmquote_domain::{
    Address, Amount, BookEntry, Client, GoodUntil, NativeSide, QuoteId, ReserveBounds, SourceNetwork, SwapState,
    Timestamp, U256, UnixSeconds,
};

use super::{
    book_changes,
    bookings::{booking, enter, entered, with_swap},
    sample::{Replicas, sample_terms},
};
use crate::{BookChange, BookVersion, Booking, BookingRefusal, OutstandingLimits, Store};

/// Swaps that race for the room of one book.
const CONCURRENT_CALLS: u8 = 64;

/// Checks books, with swaps signed at `now`.
pub(super) async fn check(replicas: &[Arc<dyn Store>], now: Timestamp) {
    let store = &Replicas::new(replicas);
    check_rules!(
        store, now;
        enters_a_swap_once,
        refuses_what_others_made_unsound,
        refuses_an_equal_offer,
        refuses_bounds_from_before_a_guarantee,
        limits_what_is_outstanding,
        limits_what_is_outstanding_of_a_network,
        limits_a_client_with_a_swap_of_other_tokens,
        limits_the_number_of_swaps_of_a_client,
        limits_what_the_book_keeps_of_a_client,
        adds_amounts_of_any_size,
    );
    book_changes::check(store, now).await;
    check_rules!(replicas, now; admits_no_more_than_is_sound);
}

async fn enters_a_swap_once(store: &Replicas<'_>, now: Timestamp) {
    let swap = booking(101, 1, [10, 20], now);
    let Ok(Some(first)) = store.enter(&swap, now).await else { panic!("an empty book admits it") };
    assert_eq!(store.enter(&swap, now).await, Ok(None), "the same again changes nothing");
    let full = Booking { max_inflow: U256::ZERO, max_outflow: U256::ZERO, ..swap.clone() };
    assert_eq!(store.enter(&full, now).await, Ok(None), "whatever the conditions are by now");
    let (version, swaps) = store.book(&swap, now).await;
    assert_eq!(version, first);
    assert_eq!(swaps, [BookEntry { swap: Arc::clone(&swap.swap), state: SwapState::Outstanding }]);
    let guarantee = Some(ReserveBounds { max_input: U256::MAX, min_output: U256::ONE });
    for other in [
        with_swap(&swap, |swap| swap.offer.destination = Address::repeat_byte(8)),
        with_swap(&swap, |swap| swap.guarantee = guarantee),
        with_swap(&swap, |swap| swap.native = NativeSide::Input),
    ] {
        assert_eq!(store.enter(&other, now).await, Err(BookingRefusal::EqualOffer), "of other terms");
        let (_, swaps) = store.book(&swap, now).await;
        assert_eq!(swaps, [BookEntry { swap: Arc::clone(&swap.swap), state: SwapState::Outstanding }]);
    }
    let elsewhere = booking(102, 2, [10, 20], now);
    assert!(store.book(&elsewhere, now).await.1.is_empty(), "pools are kept apart");
}

async fn refuses_what_others_made_unsound(store: &Replicas<'_>, now: Timestamp) {
    assert!(store.enter(&booking(103, 1, [10, 20], now), now).await.is_ok());
    assert!(store.enter(&booking(103, 2, [3, 4], now), now).await.is_ok());
    for (number, max_inflow, max_outflow, expected) in [(3, 12, 1_000, false), (4, 1_000, 23, false), (5, 13, 24, true)]
    {
        let bounds = [max_inflow, max_outflow].map(U256::from);
        let [max_inflow, max_outflow] = bounds;
        let outcome = store.enter(&Booking { max_inflow, max_outflow, ..booking(103, number, [1, 1], now) }, now).await;
        assert_eq!(outcome.is_ok(), expected, "{number}: {outcome:?}");
        assert!(expected || outcome == Err(BookingRefusal::Moved), "{number}: {outcome:?}");
    }
    let back = with_swap(&booking(103, 6, [1, 1], now), |swap| {
        let offer = &mut swap.offer;
        std::mem::swap(&mut offer.input_token, &mut offer.output_token);
    });
    let back = Booking { max_inflow: U256::ZERO, max_outflow: U256::ZERO, ..back };
    assert!(store.enter(&back, now).await.is_ok(), "swaps the other way do not count");
}

async fn refuses_an_equal_offer(store: &Replicas<'_>, now: Timestamp) {
    let first = booking(104, 1, [10, 20], now);
    assert!(store.enter(&first, now).await.is_ok());
    let again = with_swap(&first, |swap| swap.quote_id = QuoteId::from_bytes([9; 16]));
    assert_eq!(store.enter(&again, now).await, Err(BookingRefusal::EqualOffer));
    let replayable = with_swap(&again, |swap| swap.quote_id = QuoteId::from_bytes([7; 16]));
    let replayable = Booking { is_single_use: false, ..replayable };
    assert!(store.enter(&replayable, now).await.is_ok(), "a contract that does not tell them apart executes both");
    store.apply_changes(&first, BookChange::Removed(replayable.swap.quote_id), now).await;
    store.apply_changes(&first, BookChange::Removed(first.swap.quote_id), now).await;
    assert!(store.enter(&first, now).await.is_ok());
    store.apply_changes(&first, BookChange::State(first.swap.quote_id, SwapState::Settled(101)), now).await;
    assert_eq!(store.enter(&again, now).await, Err(BookingRefusal::EqualOffer), "also once the first has settled");
    let later = with_swap(&again, |swap| {
        let expires_at = swap.offer.good_until.expires_at().get() + 1;
        swap.offer.good_until = GoodUntil::Plain(UnixSeconds::new(expires_at));
    });
    assert!(store.enter(&later, now).await.is_ok());
    store.apply_changes(&first, BookChange::Removed(first.swap.quote_id), now).await;
    assert!(store.enter(&with_swap(&again, |swap| swap.quote_id = QuoteId::from_bytes([8; 16])), now).await.is_ok());
}

async fn refuses_bounds_from_before_a_guarantee(store: &Replicas<'_>, now: Timestamp) {
    let first = booking(113, 1, [10, 20], now);
    assert!(store.enter(&first, now).await.is_ok(), "without a version, as long as nothing is guaranteed");
    let (before, _) = store.book(&first, now).await;
    let guarantee = Some(ReserveBounds { max_input: U256::MAX, min_output: U256::ONE });
    let guaranteed = with_swap(&booking(113, 2, [3, 4], now), |swap| swap.guarantee = guarantee);
    let guaranteed = Booking { version: Some(before), ..guaranteed };
    assert!(store.enter(&guaranteed, now).await.is_ok());
    let (after, swaps) = store.book(&first, now).await;
    assert!(swaps.iter().any(|booked| booked.swap == guaranteed.swap), "{swaps:?}");
    let judged = |number, version| Booking { version, ..booking(113, number, [number.into(), 1], now) };
    assert_eq!(store.enter(&judged(3, None), now).await, Err(BookingRefusal::Moved));
    assert_eq!(store.enter(&judged(4, Some(before)), now).await, Err(BookingRefusal::Moved));
    assert!(store.enter(&judged(5, Some(after)), now).await.is_ok());
    assert!(store.enter(&judged(6, Some(after)), now).await.is_ok(), "others that are entered change nothing");
    let id = guaranteed.swap.quote_id;
    store.apply_changes(&first, BookChange::State(id, SwapState::Settled(101)), now).await;
    assert!(store.enter(&judged(7, Some(after)), now).await.is_ok(), "nor does it that the guaranteed one is executed");
    store.apply_changes(&first, BookChange::State(id, SwapState::Outstanding), now).await;
    assert_eq!(
        store.enter(&judged(8, Some(after)), now).await,
        Err(BookingRefusal::Moved),
        "but it may be outstanding again"
    );
    let (again, _) = store.book(&first, now).await;
    assert!(store.enter(&judged(9, Some(again)), now).await.is_ok());
    let elsewhere = Booking { version: Some(BookVersion { epoch: again.epoch + 1, ..again }), ..judged(10, None) };
    let outcome = store.enter(&elsewhere, now).await;
    assert_eq!(outcome, Err(BookingRefusal::Moved), "of another numbering");
}

async fn limits_what_is_outstanding(store: &Replicas<'_>, now: Timestamp) {
    let limits = OutstandingLimits {
        pool_outflow: Some(U256::from(100)),
        client_outflow: Some(U256::from(50)),
        client_inflow: Some(U256::from(40)),
        ..OutstandingLimits::default()
    };
    let limited = |number, amounts| Booking { limits, ..booking(105, number, amounts, now) };
    let acme_booking = |booking: &Booking| with_swap(booking, |swap| swap.client = Client::Named("acme".into()));
    let acma_booking = |booking: &Booking| with_swap(booking, |swap| swap.client = Client::Named("acma".into()));
    assert_eq!(store.enter(&limited(1, [1, 101]), now).await, Err(BookingRefusal::PoolLimit));
    let first = limited(2, [39, 60]);
    assert!(store.enter(&first, now).await.is_ok(), "the first of a client is bounded by the pool alone");
    assert_eq!(store.enter(&limited(3, [1, 1]), now).await, Err(BookingRefusal::ClientLimit));
    assert!(store.enter(&acme_booking(&limited(4, [1, 30])), now).await.is_ok(), "clients are counted apart");
    assert_eq!(store.enter(&acme_booking(&limited(5, [40, 1])), now).await, Err(BookingRefusal::ClientLimit));
    assert_eq!(store.enter(&acme_booking(&limited(6, [1, 11])), now).await, Err(BookingRefusal::PoolLimit));
    let alike = acma_booking(&limited(10, [40, 1]));
    assert!(store.enter(&alike, now).await.is_ok(), "one whose name differs in the last letter, too");
    store.apply_changes(&alike, BookChange::Removed(alike.swap.quote_id), now).await;
    assert!(store.enter(&acme_booking(&limited(7, [1, 10])), now).await.is_ok());
    store.apply_changes(&first, BookChange::State(first.swap.quote_id, SwapState::Lapsed(Some(100))), now).await;
    assert_eq!(
        store.enter(&limited(8, [1, 1]), now).await,
        Err(BookingRefusal::ClientLimit),
        "an unused one still counts"
    );
    store.apply_changes(&first, BookChange::State(first.swap.quote_id, SwapState::Settled(100)), now).await;
    assert!(store.enter(&limited(9, [1, 1]), now).await.is_ok());
}

async fn limits_a_client_with_a_swap_of_other_tokens(store: &Replicas<'_>, now: Timestamp) {
    let limits = OutstandingLimits { client_outflow: Some(U256::from(50)), ..OutstandingLimits::default() };
    let first = booking(116, 1, [1, 60], now);
    let large = |number| {
        let reversed = with_swap(&booking(116, number, [1, 60], now), |swap| {
            std::mem::swap(&mut swap.offer.input_token, &mut swap.offer.output_token);
        });
        Booking { limits, ..reversed }
    };
    assert!(store.enter(&Booking { limits, ..first.clone() }, now).await.is_ok(), "its only one may be larger");
    assert_eq!(store.enter(&large(2), now).await, Err(BookingRefusal::ClientLimit), "it has one outstanding");
    store.apply_changes(&first, BookChange::State(first.swap.quote_id, SwapState::Lapsed(Some(100))), now).await;
    assert_eq!(store.enter(&large(3), now).await, Err(BookingRefusal::ClientLimit), "an unused one still counts");
    store.apply_changes(&first, BookChange::State(first.swap.quote_id, SwapState::Settled(100)), now).await;
    assert!(store.enter(&large(4), now).await.is_ok());
}

async fn limits_what_is_outstanding_of_a_network(store: &Replicas<'_>, now: Timestamp) {
    let limits = OutstandingLimits { network_outflow: Some(U256::from(50)), ..OutstandingLimits::default() };
    let network_booking = |number, output, source_network: Option<u64>| {
        let booking = with_swap(&booking(114, number, [1, output], now), |swap| {
            swap.client = Client::Anonymous;
            swap.source_network = source_network.map(SourceNetwork::new);
        });
        Booking { limits, ..booking }
    };
    let first = network_booking(1, 60, Some(1));
    assert!(store.enter(&first, now).await.is_ok(), "the first of a network is not bounded by its limit");
    assert_eq!(store.enter(&network_booking(2, 1, Some(1)), now).await, Err(BookingRefusal::ClientLimit));
    assert!(store.enter(&network_booking(3, 30, Some(2)), now).await.is_ok(), "networks are counted apart");
    assert!(store.enter(&network_booking(4, 20, Some(2)), now).await.is_ok());
    assert_eq!(store.enter(&network_booking(5, 1, Some(2)), now).await, Err(BookingRefusal::ClientLimit));
    assert!(
        store.enter(&network_booking(6, 99, None), now).await.is_ok(),
        "one of an unknown network is not counted so"
    );
    store.apply_changes(&first, BookChange::State(first.swap.quote_id, SwapState::Settled(100)), now).await;
    assert!(store.enter(&network_booking(7, 50, Some(1)), now).await.is_ok(), "what is executed is over");
}

async fn limits_the_number_of_swaps_of_a_client(store: &Replicas<'_>, now: Timestamp) {
    let limits = OutstandingLimits { client_swaps: Some(2), ..OutstandingLimits::default() };
    let limited = |number| Booking { limits, ..booking(118, number, [1, number.into()], now) };
    let first = limited(1);
    assert!(store.enter(&first, now).await.is_ok() && store.enter(&limited(2), now).await.is_ok());
    assert_eq!(store.enter(&limited(3), now).await, Err(BookingRefusal::ClientLimit));
    let other = with_swap(&limited(4), |swap| swap.client = Client::Named("acma".into()));
    assert!(store.enter(&other, now).await.is_ok(), "clients are counted apart");
    let state = |state| BookChange::State(first.swap.quote_id, state);
    store.apply_changes(&first, state(SwapState::Lapsed(Some(100))), now).await;
    assert_eq!(store.enter(&limited(5), now).await, Err(BookingRefusal::ClientLimit), "it still counts for its client");
    store.apply_changes(&first, state(SwapState::Settled(100)), now).await;
    assert!(store.enter(&limited(6), now).await.is_ok());
    assert_eq!(store.enter(&limited(7), now).await, Err(BookingRefusal::ClientLimit));
}

async fn limits_what_the_book_keeps_of_a_client(store: &Replicas<'_>, now: Timestamp) {
    let limits = OutstandingLimits { client_entries: Some(2), ..OutstandingLimits::default() };
    let limited = |number| Booking { limits, ..booking(119, number, [1, number.into()], now) };
    let (first, second) = (limited(1), limited(2));
    assert!(store.enter(&first, now).await.is_ok() && store.enter(&second, now).await.is_ok());
    for (entered, state) in [(&first, SwapState::Settled(100)), (&second, SwapState::Released(Some(100)))] {
        store.apply_changes(entered, BookChange::State(entered.swap.quote_id, state), now).await;
    }
    let refused = Err(BookingRefusal::ClientLimit);
    assert_eq!(store.enter(&limited(3), now).await, refused, "none of them counts, but they are still there");
    let other = with_swap(&limited(4), |swap| swap.client = Client::Named("acma".into()));
    assert!(store.enter(&other, now).await.is_ok(), "clients are counted apart");
    store.apply_changes(&first, BookChange::Removed(first.swap.quote_id), now).await;
    assert!(store.enter(&limited(5), now).await.is_ok());
    assert_eq!(store.enter(&limited(6), now).await, refused);
}

async fn adds_amounts_of_any_size(store: &Replicas<'_>, now: Timestamp) {
    let sized = |number, amount: U256| {
        with_swap(&booking(106, number, [1, 1], now), |swap| {
            swap.offer.input_amount = Amount::new(amount).expect("not zero");
            swap.offer.output_amount = swap.offer.input_amount;
        })
    };
    let amounts = [U256::MAX, U256::from(u64::MAX), U256::MAX, U256::from(u128::MAX), U256::ONE];
    for (number, amount) in (1..).zip(amounts) {
        let booking = sized(number, amount);
        let admits = Booking { max_inflow: U256::ZERO, max_outflow: U256::ZERO, ..booking.clone() };
        assert_eq!(store.enter(&admits, now).await.is_ok(), number == 1, "{number}");
        store.apply_changes(&booking, entered(&booking), now).await;
    }
    for number in [1, 3, 2] {
        let id = sized(number, U256::ONE).swap.quote_id;
        store.apply_changes(&sized(number, U256::ONE), BookChange::Removed(id), now).await;
    }
    // The remaining amounts are 2^128 - 1 and 1.
    let sum = U256::from(u128::MAX) + U256::ONE;
    let bound = |number, bound| Booking { max_inflow: bound, max_outflow: bound, ..booking(106, number, [2, 2], now) };
    assert_eq!(store.enter(&bound(7, sum - U256::ONE), now).await, Err(BookingRefusal::Moved));
    assert!(store.enter(&bound(8, sum), now).await.is_ok());
}

async fn admits_no_more_than_is_sound(replicas: &[Arc<dyn Store>], now: Timestamp) {
    let race = (1..=CONCURRENT_CALLS).zip(replicas.iter().cloned().cycle()).map(|(racer, store)| {
        let bounds = [U256::from(95), U256::from(1_000)];
        let [max_inflow, max_outflow] = bounds;
        let swap = Booking { max_inflow, max_outflow, ..booking(112, racer, [10, 20], now) };
        let swap = with_swap(&swap, |swap| swap.offer.destination = sample_terms(racer).destination);
        tokio::spawn(async move { enter(&*store, &swap, now).await })
    });
    let mut admitted = 0;
    for racer in race.collect::<Vec<_>>() {
        let outcome = racer.await.expect("no racer panics");
        assert!(outcome.is_ok() || outcome == Err(BookingRefusal::Moved), "{outcome:?}");
        admitted += u32::from(outcome.is_ok());
    }
    assert_eq!(admitted, 10, "as many as are sound together, and no more");
}

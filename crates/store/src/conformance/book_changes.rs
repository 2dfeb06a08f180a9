//! Books: how swaps end, what ended ones still count for, and how a book is followed.

use firmquote_domain::{Book, GoodUntil, QuoteId, SwapState, Timestamp, U256, UnixSeconds};

use super::{
    bookings::{booking, entered, with_swap},
    sample::Replicas,
};
use crate::{BookChange, BookUpdate, BookVersion, Booking, OutstandingLimits};

pub(super) async fn check(store: &Replicas<'_>, now: Timestamp) {
    check_rules!(
        store, now;
        counts_what_ended_after_the_block,
        counts_however_much_ended_after_the_block,
        lapses_by_the_clock,
        releases_what_was_not_executed,
        is_followed_change_by_change,
    );
}

async fn counts_what_ended_after_the_block(store: &Replicas<'_>, now: Timestamp) {
    let first = booking(107, 1, [10, 20], now);
    assert!(store.enter(&first, now).await.is_ok());
    let tight = |number, block| {
        let booking = with_swap(&booking(107, number, [1, 1], now), |swap| swap.block = Some(block));
        Booking { max_inflow: U256::from(9), max_outflow: U256::from(19), ..booking }
    };
    for (number, state, block, expected) in [
        (2, SwapState::Settled(101), 100, false),
        (3, SwapState::Lapsed(Some(102)), 101, false),
        (4, SwapState::Outstanding, 1_000, false),
        (5, SwapState::Settled(101), 101, true),
    ] {
        store.apply_changes(&first, BookChange::State(first.swap.quote_id, state), now).await;
        let outcome = store.enter(&tight(number, block), now).await;
        assert_eq!(outcome.is_ok(), expected, "{state:?} as of {block}: {outcome:?}");
    }
}

/// Swaps that end in two consecutive blocks.
const ENDED_SWAPS: u16 = 300;

async fn counts_however_much_ended_after_the_block(store: &Replicas<'_>, now: Timestamp) {
    let ended = |number: u16| {
        with_swap(&booking(117, 1, [10, 20], now), |swap| {
            let [first, second] = number.to_be_bytes();
            swap.quote_id = QuoteId::from_bytes([first, second, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9]);
        })
    };
    let state = |number, state| BookChange::State(ended(number).swap.quote_id, state);
    let sums = async |checked: u8, block, [inflow, outflow]: [u64; 2]| {
        let swap = with_swap(&booking(117, checked, [1, 1], now), |swap| swap.block = Some(block));
        let bounded = |max_inflow: u64, max_outflow: u64| Booking {
            max_inflow: U256::from(max_inflow),
            max_outflow: U256::from(max_outflow),
            ..swap.clone()
        };
        for too_tight in [bounded(inflow - 1, outflow), bounded(inflow, outflow - 1)] {
            assert!(store.enter(&too_tight, now).await.is_err(), "{checked}");
        }
        assert!(store.enter(&bounded(inflow, outflow), now).await.is_ok(), "{checked}");
        store.apply_changes(&swap, BookChange::Removed(swap.swap.quote_id), now).await;
    };
    for number in 0..ENDED_SWAPS {
        store.apply_changes(&ended(number), entered(&ended(number)), now).await;
        let end = if number % 2 == 0 { SwapState::Settled(101) } else { SwapState::Lapsed(Some(102)) };
        store.apply_changes(&ended(number), state(number, end), now).await;
    }
    sums(2, 100, [3_000, 6_000]).await;
    sums(3, 101, [1_500, 3_000]).await;
    for (number, end) in
        [(0, SwapState::Settled(102)), (2, SwapState::PartlySettled(101)), (4, SwapState::Lapsed(None))]
    {
        store.apply_changes(&ended(number), state(number, end), now).await;
    }
    sums(4, 100, [2_990, 5_980]).await;
    sums(5, 101, [1_510, 3_020]).await;
    store.apply_changes(&ended(1), BookChange::Removed(ended(1).swap.quote_id), now).await;
    store.apply_changes(&ended(3), state(3, SwapState::Outstanding), now).await;
    sums(6, 101, [1_500, 3_000]).await;
    sums(7, 102, [10, 20]).await;
}

async fn lapses_by_the_clock(store: &Replicas<'_>, now: Timestamp) {
    // As if it had been signed 100 seconds before its end, 59 seconds ago.
    let expires_at = now.seconds().get() - 59;
    let past = with_swap(&booking(108, 1, [10, 20], now), |swap| {
        swap.block = None;
        swap.offer.good_until = GoodUntil::Plain(UnixSeconds::new(expires_at));
        swap.signed_at = Timestamp::from_seconds(expires_at - 100);
    });
    assert!(store.enter(&past, now).await.is_ok());
    assert_eq!(store.book(&past, now).await.1.first().map(|booked| booked.state), Some(SwapState::Outstanding));
    let ended = with_swap(&booking(109, 2, [10, 20], now), |swap| {
        swap.block = None;
        swap.offer.good_until = GoodUntil::Plain(UnixSeconds::new(expires_at - 1));
        swap.signed_at = Timestamp::from_seconds(expires_at - 101);
    });
    assert!(store.enter(&ended, now).await.is_ok());
    assert_eq!(store.book(&ended, now).await.1.first().map(|booked| booked.state), Some(SwapState::Lapsed(None)));
    let gone = with_swap(&booking(110, 3, [10, 20], now), |swap| {
        swap.block = None;
        swap.offer.good_until = GoodUntil::Plain(UnixSeconds::new(expires_at - 200));
        swap.signed_at = Timestamp::from_seconds(expires_at - 220);
    });
    assert!(store.enter(&gone, now).await.is_ok());
    assert!(store.book(&gone, now).await.1.is_empty(), "a swap that lapsed as long ago as it was outstanding is gone");
}

async fn releases_what_was_not_executed(store: &Replicas<'_>, now: Timestamp) {
    let closed_at = |number: u8, expires_at: u32| {
        with_swap(&booking(120 + number, number, [10, 20], now), |swap| {
            swap.offer.good_until = GoodUntil::Plain(UnixSeconds::new(expires_at));
            swap.signed_at = Timestamp::from_seconds(expires_at - 50);
        })
    };
    let (counted, released) = (now.seconds().get() - 49, now.seconds().get() - 50);
    for (number, expires_at, closed, after) in [
        (1, counted, SwapState::Lapsed(Some(101)), SwapState::Lapsed(Some(101))),
        (2, released, SwapState::Lapsed(Some(101)), SwapState::Released(Some(101))),
        (3, counted, SwapState::PartlySettled(101), SwapState::PartlySettled(101)),
        (4, released, SwapState::PartlySettled(101), SwapState::Settled(101)),
    ] {
        let is_released = closed != after;
        let swap = closed_at(number, expires_at);
        assert!(store.enter(&swap, now).await.is_ok());
        store.apply_changes(&swap, BookChange::State(swap.swap.quote_id, closed), now).await;
        let limits = OutstandingLimits { client_outflow: Some(U256::from(20)), ..OutstandingLimits::default() };
        let next = Booking { limits, ..booking(120 + number, 10, [1, 1], now) };
        assert_eq!(store.enter(&next, now).await.is_ok(), is_released, "{number}");
        let (_, swaps) = store.book(&swap, now).await;
        let found = swaps.iter().find(|booked| booked.swap == swap.swap).map(|booked| booked.state);
        assert_eq!(found, Some(after), "it stays in the book");
        let tight = Booking { max_outflow: U256::from(20), ..booking(120 + number, 11, [1, 1], now) };
        let earlier = with_swap(&tight, |swap| swap.block = Some(100));
        assert_eq!(store.enter(&earlier, now).await.is_ok(), !is_released, "and counts as of the blocks before");
        store.apply_changes(&swap, BookChange::State(swap.swap.quote_id, SwapState::Outstanding), now).await;
        let again = with_swap(&Booking { limits, ..tight }, |swap| swap.quote_id = QuoteId::from_bytes([12; 16]));
        assert!(store.enter(&again, now).await.is_err(), "a reorganization makes it outstanding again");
    }
}

async fn is_followed_change_by_change(store: &Replicas<'_>, now: Timestamp) {
    let [first, second] = [booking(111, 1, [10, 20], now), booking(111, 2, [3, 4], now)];
    let pool = first.swap.offer.pool;
    let (mut version, swaps) = store.book(&first, now).await;
    let mut copy = Book::default();
    swaps.into_iter().for_each(|swap| _ = copy.insert(swap));
    let steps = [
        entered(&first),
        entered(&second),
        BookChange::State(first.swap.quote_id, SwapState::Settled(7)),
        BookChange::State(first.swap.quote_id, SwapState::PartlySettled(8)),
        BookChange::State(second.swap.quote_id, SwapState::Lapsed(None)),
        BookChange::State(first.swap.quote_id, SwapState::Outstanding),
        BookChange::Removed(second.swap.quote_id),
    ];
    for step in steps {
        store.apply_changes(&first, step.clone(), now).await;
        store.apply_changes(&first, step.clone(), now).await;
        let update = store.next().changes_since(pool, Some(version), now).await.expect("the store answers");
        let BookUpdate::Changes { version: after, changes } = update else { panic!("one change is not too many") };
        assert_eq!((changes.as_slice(), after.follows(version)), (&[step][..], true));
        changes.iter().for_each(|change| _ = change.apply(&mut copy));
        version = after;
        let (_, mut whole) = store.book(&first, now).await;
        let mut known: Vec<_> = copy.swaps().cloned().collect();
        for swaps in [&mut whole, &mut known] {
            swaps.sort_by_key(|booked| booked.swap.quote_id);
        }
        assert_eq!(whole, known);
    }
    let unchanged = store.next().changes_since(pool, Some(version), now).await.expect("the store answers");
    assert_eq!(unchanged, BookUpdate::Changes { version, changes: Vec::new() });
    for unknown in [BookVersion { number: version.number + 1, ..version }, BookVersion { epoch: 77, ..version }] {
        let update = store.next().changes_since(pool, Some(unknown), now).await.expect("the store answers");
        assert!(matches!(update, BookUpdate::Snapshot { .. }), "{unknown:?}: {update:?}");
    }
}

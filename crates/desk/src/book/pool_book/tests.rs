//! What a copy keeps through losses of the store, and what it puts back.

use firmquote_domain::NativeSide;

use super::*;
use crate::book::candidates;

fn swap(number: u8) -> Arc<SignedSwap> {
    let BookEntry { swap, .. } = candidates::tests::swap(number, [number.into(), 1], NativeSide::Neither, 100);
    Arc::new(SignedSwap { block: None, ..SignedSwap::clone(&swap) })
}

#[test]
fn a_reopening_that_the_store_lost_is_put_back() {
    let now = Timestamp::from_seconds(1);
    let entry = |state| {
        let observed = SignedSwap { block: Some(7), ..SignedSwap::clone(&swap(1)) };
        BookEntry { swap: Arc::new(observed), state }
    };
    let update =
        |epoch, state| BookUpdate::Snapshot { version: BookVersion { epoch, number: 1 }, swaps: vec![entry(state)] };
    let change = |state| vec![BookChange::State(swap(1).quote_id, state)];
    let lost = |known: &[SwapState], stored| {
        let book = PoolBook::default();
        book.apply(update(1, known[0]), now);
        for (number, state) in (1..).zip(&known[1..]) {
            let version = BookVersion { epoch: 1, number: number + 1 };
            book.apply(BookUpdate::Changes { version, changes: change(*state) }, now);
        }
        book.apply(update(2, stored), now);
        book.lost(usize::MAX).1
    };
    let (open, closed) = (SwapState::Outstanding, SwapState::Settled(8));
    assert_eq!(lost(&[closed, open], closed), change(open));
    assert_eq!(lost(&[closed, open, closed], open), change(closed));
    assert_eq!(lost(&[open], closed), [], "another replica knows more");
    assert_eq!(lost(&[closed], open), change(closed));
    assert_eq!(lost(&[closed, open], open), []);
    assert_eq!(lost(&[open, closed], closed), []);
}

#[test]
fn a_book_remembers_the_longest_lifetime() {
    let book = PoolBook::default();
    assert_eq!([73, 613, 73].map(|seconds| book.max_lifetime_seconds(seconds)), [73, 613, 613]);
}

#[test]
fn what_the_store_lost_stays_in_the_copy_until_it_is_put_back() {
    let now = Timestamp::from_seconds(1);
    let version = |epoch| BookVersion { epoch, number: 3 };
    let snapshot = |epoch| BookUpdate::Snapshot { version: version(epoch), swaps: Vec::new() };
    let book = PoolBook::default();
    assert_eq!(book.enter(&swap(1), version(1)), None, "nothing shows yet that this is the epoch");
    book.apply(snapshot(1), now);
    assert_eq!(book.enter(&swap(2), BookVersion { epoch: 1, number: 4 }), Some(true));
    let lost = || book.lost(usize::MAX).1.iter().map(BookChange::quote_id).collect::<Vec<_>>();
    // Two callers read the book of the second epoch, and none puts anything back before the third.
    for epoch in [2, 2, 3] {
        book.apply(snapshot(epoch), now);
        assert_eq!((lost(), book.swaps().len()), (vec![swap(2).quote_id], 1), "{epoch}: it still counts");
    }
    let changes = book.lost(usize::MAX).1;
    assert!(!book.mark_restored(Some(2), &changes), "it was put back into a book that is lost");
    assert_eq!(lost().len(), 1);
    assert!(book.mark_restored(Some(3), &[]));
    assert_eq!(lost().len(), 1, "another part");
    assert!(book.mark_restored(Some(3), &changes));
    assert_eq!(lost(), []);
    assert_eq!(book.enter(&swap(3), version(2)), None, "the reply of an earlier epoch");
    assert_eq!(book.swaps().len(), 1, "the store may lack it");
}

#[test]
fn a_signed_swap_is_in_the_copy_before_earlier_changes() {
    let (book, now) = (PoolBook::default(), Timestamp::from_seconds(1));
    let version = |epoch, number| BookVersion { epoch, number };
    book.apply(BookUpdate::Snapshot { version: version(1, 5), swaps: Vec::new() }, now);
    let [first, second] = [swap(1), swap(2)];
    assert_eq!(book.enter(&second, version(1, 7)), Some(false), "the sixth change is missing");
    assert!(book.swap(second.quote_id).is_some());
    assert_eq!(book.version(), Some(version(1, 5)));
    // The server loses both changes: the replica puts back the one that it knows.
    let replaced = PoolBook::default();
    replaced.apply(BookUpdate::Snapshot { version: version(1, 5), swaps: Vec::new() }, now);
    replaced.enter(&second, version(1, 7));
    replaced.apply(BookUpdate::Snapshot { version: version(2, 0), swaps: Vec::new() }, now);
    assert_eq!(replaced.lost(usize::MAX).1.iter().map(BookChange::quote_id).collect::<Vec<_>>(), [second.quote_id]);
    let entered = |swap: &Arc<SignedSwap>| {
        BookChange::Entered(BookEntry { swap: Arc::clone(swap), state: SwapState::Outstanding })
    };
    let changes = vec![entered(&first), entered(&second), BookChange::Removed(second.quote_id)];
    book.apply(BookUpdate::Changes { version: version(1, 8), changes }, now);
    assert_eq!(book.enter(&second, version(1, 7)), Some(false), "it has been removed since");
    assert_eq!(book.swaps().len(), 1);
    assert_eq!(book.enter(&swap(3), version(1, 9)), Some(true));
}

#[test]
fn an_update_adds_what_other_readers_have_not_applied_yet() {
    let (book, now) = (PoolBook::default(), Timestamp::from_seconds(1));
    let version = |epoch, number| BookVersion { epoch, number };
    book.apply(BookUpdate::Snapshot { version: version(1, 5), swaps: Vec::new() }, now);
    let entered = |number| BookChange::Entered(BookEntry { swap: swap(number), state: SwapState::Outstanding });
    // Three readers began at the fifth change; the last two read before the first applied what it had read.
    let update = |epoch, number, numbers: &[u8]| BookUpdate::Changes {
        version: version(epoch, number),
        changes: numbers.iter().map(|number| entered(*number)).collect(),
    };
    let removed = BookChange::Removed(swap(1).quote_id);
    book.apply(BookUpdate::Changes { version: version(1, 7), changes: vec![entered(1), removed.clone()] }, now);
    book.apply(update(1, 6, &[1]), now);
    assert_eq!((book.version(), book.swaps().len()), (Some(version(1, 7)), 0), "an earlier reading changes nothing");
    let changes = vec![entered(1), removed, entered(3)];
    book.apply(BookUpdate::Changes { version: version(1, 8), changes }, now);
    assert_eq!((book.version(), book.swaps().len()), (Some(version(1, 8)), 1));
    assert!(book.swap(swap(3).quote_id).is_some());
    book.apply(update(2, 9, &[4]), now);
    book.apply(update(1, 10, &[5]), now);
    assert_eq!((book.version(), book.swaps().len()), (Some(version(1, 8)), 1), "the copy cannot continue these");
}

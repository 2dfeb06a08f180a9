//! Matches events of the pool contract to signed swaps. An event contains neither signature nor quote, so that
//! tokens, recipient and amounts decide; auxiliary data does not, because it is not signed and the sender chooses it.

use std::collections::HashSet;

use alloy_primitives::map::HashMap;
use firmquote_domain::{Address, B256, BookEntry, QuoteId};

use super::{
    ambiguity::find_ambiguous,
    candidates::{Candidates, EventKey, MAX_COMPARISONS, event_key, swap_key},
    observed::{ExecutedSwap, ObservedBlock},
};

/// The result of matching events to swaps.
pub(super) struct Attribution {
    /// For each event, the position of the swap that it is attributed to.
    pub(super) positions: Vec<Option<usize>>,
    /// For each swap, whether an execution of its key was undone by a reorganization.
    pub(super) is_reorganized: Vec<bool>,
    /// For each swap, whether its event may be that of another swap, which stays open and does not stand for this one:
    /// it expires earlier or is smaller.
    pub(super) is_ambiguous: Vec<bool>,
    /// For each swap, whether its event is a small part of it and may be that of another client's swap: then it says
    /// nothing about this one.
    pub(super) is_doubtful: Vec<bool>,
}

/// Attributes each swap that the contract executed to one of `swaps`.
///
/// An attribution that the book shows is kept, so that a swap that is signed later changes no status, unless an
/// execution of exactly the stated amounts follows: a push was only a guess. But once an execution is undone, all events
/// of its key are attributed anew, to the swap that expires first: of equal swaps, any may have been executed, and the
/// others outlive that one. An execution is undone if no event in its block fits any more, or if its transaction, one of `transactions` as far as this replica has seen it, is no longer on the
/// chain. Apart from that, replicas come to the same result, because they share the book.
///
/// Where comparing amounts would take too long, the largest keys keep their events of other than stated amounts
/// unattributed: their swaps stay in the book until they expire.
///
/// An offer binds no function of the contract: any may be executed as a push, and one that takes `wrapped_native` with
/// native coin.
pub(super) fn attribute(
    swaps: &[BookEntry],
    transactions: &HashMap<QuoteId, B256>,
    block: &ObservedBlock,
    wrapped_native: Address,
) -> Attribution {
    let mut candidates = Candidates::new(swaps, block.since, wrapped_native);
    // As when they were new: no event takes a swap whose stated amounts are those of another event.
    let mut positions: Vec<_> = block.swaps.iter().map(|executed| candidates.take_settled_exact(executed)).collect();
    let pushes: HashSet<(EventKey, u64)> = positions
        .iter()
        .zip(&block.swaps)
        .filter(|(position, _)| position.is_none())
        .map(|(_, executed)| (event_key(&executed.event), executed.block_number))
        .collect();
    for (position, executed) in positions.iter_mut().zip(&block.swaps) {
        *position = position.or_else(|| candidates.take_pushed_exact(executed, &pushes));
    }
    for (position, executed) in positions.iter_mut().zip(&block.swaps) {
        *position = position.or_else(|| candidates.take_settled(executed));
    }
    let on_chain: HashSet<B256> = block.swaps.iter().map(|executed| executed.transaction_hash).collect();
    let is_undone = |(BookEntry { swap, state }, is_taken): &(&BookEntry, &bool)| {
        let transaction = transactions.get(&swap.quote_id);
        state.settled_in().is_some_and(|number| (block.since..=block.number).contains(&number))
            && (!**is_taken || transaction.is_some_and(|transaction| !on_chain.contains(transaction)))
    };
    let undone = swaps.iter().zip(&candidates.is_taken).filter(is_undone);
    let reorganized: HashSet<EventKey> = undone.map(|(entry, _)| swap_key(&entry.swap)).collect();
    for (position, executed) in positions.iter_mut().zip(&block.swaps) {
        if reorganized.contains(&event_key(&executed.event)) {
            candidates.release(position.take());
        }
    }
    // No event takes a swap whose stated amounts are those of another event.
    for (position, executed) in positions.iter_mut().zip(&block.swaps) {
        *position = position.or_else(|| candidates.take_exact(executed));
    }
    take_best(&mut candidates, &block.swaps, &mut positions);
    let is_reorganized: Vec<bool> = swaps.iter().map(|entry| reorganized.contains(&swap_key(&entry.swap))).collect();
    let is_closed =
        |(entry, is_reorganized): (&BookEntry, &bool)| entry.state.settled_in().is_some() && !is_reorganized;
    let is_closed: Vec<bool> = swaps.iter().zip(&is_reorganized).map(is_closed).collect();
    let is_ambiguous = find_ambiguous(&candidates, &is_closed, &block.swaps, &positions);
    let mut is_doubtful = vec![false; swaps.len()];
    for (position, executed) in positions.iter().zip(&block.swaps) {
        if let Some(position) = *position
            && is_closed.get(position) == Some(&false)
            && let Some(is_doubtful) = is_doubtful.get_mut(position)
        {
            *is_doubtful = candidates.may_be_of_another_client(position, executed);
        }
    }
    Attribution { positions, is_reorganized, is_ambiguous, is_doubtful }
}

/// Attributes the remaining events to the swaps that they fit best, cheapest key first, within [`MAX_COMPARISONS`].
fn take_best(candidates: &mut Candidates<'_>, events: &[ExecutedSwap], positions: &mut [Option<usize>]) {
    let groups = candidates.by_cost(events, |event| positions.get(event) == Some(&None));
    let mut comparisons_left = MAX_COMPARISONS;
    for (cost, group) in groups {
        let Some(remaining) = comparisons_left.checked_sub(cost) else { break };
        comparisons_left = remaining;
        for event in group {
            if let (Some(position), Some(executed)) = (positions.get_mut(event), events.get(event)) {
                *position = candidates.take_best(executed);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use firmquote_domain::{NativeSide, ReserveBounds, SignedSwap, SwapState, Timestamp, U256};

    use super::*;
    use crate::book::candidates::tests::{WRAPPED_NATIVE, executed, swap};

    fn block(swaps: Vec<ExecutedSwap>) -> ObservedBlock {
        ObservedBlock {
            max_age_seconds: 60,
            number: 9,
            time: Timestamp::from_seconds(2),
            since: 6,
            counted_until: 9,
            swaps,
            is_confirmed: true,
            is_deeply_reorganized: false,
        }
    }

    /// Three equal swaps, of which the last expires first and was signed last, in these states.
    fn equal_swaps(states: [SwapState; 3]) -> [BookEntry; 3] {
        let swaps = [(1, 20), (2, 30), (3, 10)];
        let mut swaps = swaps.map(|(number, expiry)| swap(number, [1_000, 3_000], NativeSide::Neither, expiry));
        swaps.iter_mut().zip(states).for_each(|(swap, state)| swap.state = state);
        swaps
    }

    /// The swaps that events with these blocks and transactions are attributed to.
    fn attributed(swaps: &[BookEntry], seen: &[(usize, u8)], events: &[(u64, u8)]) -> (Vec<Option<usize>>, Vec<bool>) {
        let seen = seen.iter().map(|(swap, byte)| (swaps[*swap].swap.quote_id, B256::repeat_byte(*byte))).collect();
        let events = events.iter().map(|(block, byte)| executed([1_000, 3_000], *block, *byte));
        let Attribution { positions, is_reorganized, .. } =
            attribute(swaps, &seen, &block(events.collect()), WRAPPED_NATIVE);
        (positions, is_reorganized)
    }

    #[test]
    fn an_execution_that_is_attributed_anew_may_be_that_of_another_swap() {
        let mut swaps = [
            swap(1, [1_005, 3_015], NativeSide::Neither, 20),
            // Pushed with half a percent more it pays the same, and covers less of the first.
            swap(2, [1_000, 3_000], NativeSide::Neither, 30),
        ];
        swaps[0].state = SwapState::Settled(7);
        let seen = HashMap::from_iter([(swaps[0].swap.quote_id, B256::repeat_byte(1))]);
        for (number, transaction, is_anew) in [(7, 1, false), (8, 2, true)] {
            let event = executed([1_005, 3_015], number, transaction);
            let found = attribute(&swaps, &seen, &block(vec![event]), WRAPPED_NATIVE);
            assert_eq!(found.positions, [Some(0)]);
            assert_eq!((found.is_reorganized, found.is_ambiguous), (vec![is_anew; 2], vec![is_anew, false]));
        }
    }

    #[test]
    fn an_attribution_of_a_push_survives_an_exact_execution_in_its_block() {
        let mut swaps =
            [swap(1, [1_000, 3_000], NativeSide::Neither, 10), swap(2, [500, 1_500], NativeSide::Neither, 30)];
        // The first event is a larger part of the second swap, whose own is the second event.
        let events = || vec![executed([400, 1_200], 7, 1), executed([500, 1_500], 7, 2)];
        for state in [SwapState::Outstanding, SwapState::Settled(7)] {
            swaps.iter_mut().for_each(|entry| entry.state = state);
            let found = attribute(&swaps, &HashMap::default(), &block(events()), WRAPPED_NATIVE);
            assert_eq!((found.positions, found.is_reorganized), (vec![Some(0), Some(1)], vec![false; 2]), "{state:?}");
        }
    }

    #[test]
    fn an_exact_execution_replaces_the_push_that_a_swap_was_thought_to_be() {
        // A stranger's larger swap to the same recipient, of which a few units are pushed.
        let mut swaps =
            [swap(1, [1_000, 3_000], NativeSide::Neither, 10), swap(2, [2_000, 6_000], NativeSide::Neither, 20)];
        let mut stranger = SignedSwap::clone(&swaps[1].swap);
        stranger.client = firmquote_domain::Client::Named("stranger".into());
        swaps[1].swap = Arc::new(stranger);
        let dust = || executed([10, 30], 7, 1);
        let found = attribute(&swaps, &HashMap::default(), &block(vec![dust()]), WRAPPED_NATIVE);
        assert_eq!((found.positions, found.is_doubtful), (vec![Some(0)], vec![true, false]), "it closes neither");
        // An earlier release closed the first.
        swaps[0].state = SwapState::PartlySettled(7);
        let exact = executed([1_000, 3_000], 8, 2);
        let found = attribute(&swaps, &HashMap::default(), &block(vec![dust(), exact]), WRAPPED_NATIVE);
        assert_eq!((found.positions, found.is_reorganized), (vec![Some(1), Some(0)], vec![false; 2]));
        // Most of the first is its own execution.
        swaps[0].state = SwapState::Outstanding;
        let found = attribute(&swaps, &HashMap::default(), &block(vec![executed([999, 2_997], 7, 1)]), WRAPPED_NATIVE);
        assert_eq!((found.positions, found.is_doubtful), (vec![Some(0)], vec![false; 2]));
    }

    #[test]
    fn an_attribution_survives_a_later_equal_swap_with_an_earlier_expiry() {
        use SwapState::{Outstanding, Settled};
        let swaps = equal_swaps([Settled(6), Settled(7), Outstanding]);
        for seen in [&[(0, 1), (1, 2)][..], &[]] {
            assert_eq!(attributed(&swaps, seen, &[(6, 1), (7, 2)]), (vec![Some(0), Some(1)], vec![false; 3]));
            assert_eq!(attributed(&swaps, seen, &[(6, 1), (7, 2), (8, 3)]).0, [Some(0), Some(1), Some(2)]);
        }
        let swaps = equal_swaps([Settled(5), Settled(7), Outstanding]);
        let expected = (vec![Some(1), Some(2), None], vec![false; 3]);
        assert_eq!(attributed(&swaps, &[(0, 1)], &[(7, 2), (8, 3), (8, 4)]), expected, "block 5 is not read again");
    }

    #[test]
    fn after_a_revert_the_swap_that_expires_first_is_chosen() {
        use SwapState::{Outstanding, Settled};
        let swaps = equal_swaps([Settled(6), Settled(7), Outstanding]);
        for events in [&[(6, 1)][..], &[(7, 2)], &[(8, 9)]] {
            assert_eq!(attributed(&swaps, &[], events), (vec![Some(2)], vec![true; 3]), "{events:?}");
        }
        assert_eq!(attributed(&swaps, &[], &[(6, 1), (8, 2)]).0, [Some(2), Some(0)], "in another block");
        let other_block = &[(6, 1), (7, 9)];
        assert_eq!(attributed(&swaps, &[(1, 2)], other_block).0, [Some(2), Some(0)], "a block of the same number");
        assert_eq!(attributed(&swaps, &[], other_block).0, [Some(0), Some(1)], "which only its transaction reveals");
        let swaps = equal_swaps([Settled(6), Settled(12), Outstanding]);
        let later_block = attributed(&swaps, &[(1, 2)], &[(6, 1)]);
        assert_eq!(later_block, (vec![Some(0)], vec![false; 3]), "another replica has read a later block");
    }

    #[test]
    fn one_event_of_a_transaction_can_be_reverted_alone() {
        let settled = SwapState::Settled(6);
        let swaps = equal_swaps([settled, SwapState::Settled(7), settled]);
        assert_eq!(attributed(&swaps, &[], &[(6, 1), (6, 1), (7, 2)]).0, [Some(2), Some(0), Some(1)]);
        assert_eq!(attributed(&swaps, &[(0, 1), (2, 1)], &[(6, 1), (7, 2)]).0, [Some(2), Some(0)]);
    }

    /// Which of `swaps` each event is attributed to, and which of them are ambiguous.
    fn ambiguous(swaps: &[BookEntry], events: &[[u64; 2]]) -> (Vec<Option<usize>>, Vec<bool>) {
        let events = events.iter().map(|amounts| executed(*amounts, 7, 1)).collect();
        let found = attribute(swaps, &HashMap::default(), &block(events), WRAPPED_NATIVE);
        (found.positions, found.is_ambiguous)
    }

    #[test]
    fn an_ambiguous_execution_closes_no_swap_unless_an_open_one_covers_it() {
        let early = |number| swap(number, [1_000, 3_000], NativeSide::Neither, 10);
        // A push of the first to the amounts of the second, which expires later or is as large.
        for (amounts, expiry, is_ambiguous) in
            [([500, 1_500], 20, true), ([500, 1_500], 10, false), ([1_005, 3_015], 10, true), ([1_005, 3_015], 5, true)]
        {
            let swaps = [early(1), swap(2, amounts, NativeSide::Neither, expiry)];
            let expected = (vec![Some(1)], vec![false, is_ambiguous]);
            assert_eq!(ambiguous(&swaps, &[amounts]), expected, "{amounts:?} {expiry}");
            let both = ambiguous(&swaps, &[amounts, [1_000, 3_000]]);
            assert_eq!(both, (vec![Some(1), Some(0)], vec![false; 2]), "nothing else is left: {amounts:?}");
        }
        // One that guarantees less does not cover one that guarantees more.
        for (max_input, is_ambiguous) in [(None, true), (Some(101), true), (Some(100), false)] {
            let guarantee = |max_input: u64| ReserveBounds { max_input: U256::from(max_input), min_output: U256::ONE };
            let mut swaps = [early(1), swap(2, [2_000, 6_000], NativeSide::Neither, 20)];
            let bounds = [Some(guarantee(100)), max_input.map(guarantee)];
            for (entry, guarantee) in swaps.iter_mut().zip(bounds) {
                entry.swap = Arc::new(SignedSwap { guarantee, ..(*entry.swap).clone() });
            }
            let dust = ambiguous(&swaps, &[[100, 300]]);
            assert_eq!(dust, (vec![Some(0)], vec![is_ambiguous, false]), "{max_input:?}");
        }
        // Exact amounts first: the dust that fits both leaves the first to its own event.
        let swaps = [early(1), swap(2, [2_000, 6_000], NativeSide::Neither, 20)];
        assert_eq!(ambiguous(&swaps, &[[100, 300], [1_000, 3_000]]), (vec![Some(1), Some(0)], vec![false; 2]));
        // Native coin in excess of the first, to the amounts of the second.
        let swaps = [swap(1, [990, 2_500], NativeSide::Input, 10), swap(2, [991, 2_500], NativeSide::Input, 20)];
        assert_eq!(ambiguous(&swaps, &[[991, 2_500]]), (vec![Some(1)], vec![false, true]));
        // The first was executed by the second event, unless that is a push of the third.
        let third = |expiry| swap(3, [2_000, 6_000], NativeSide::Neither, expiry);
        for (expiry, is_ambiguous) in [(15, [false, true, false]), (20, [false; 3])] {
            let swaps = [early(1), swap(2, [500, 1_500], NativeSide::Neither, 20), third(expiry)];
            let found = ambiguous(&swaps, &[[500, 1_500], [1_000, 3_000]]);
            assert_eq!(found, (vec![Some(1), Some(0)], is_ambiguous.into()), "{expiry}");
        }
    }

    #[test]
    fn a_key_with_too_many_comparisons_keeps_its_pushes_unattributed() {
        let to = |number: usize, destination: u8| {
            let BookEntry { swap, state } = swap(0, [1_000, 3_000], NativeSide::Neither, 10);
            let mut swap = SignedSwap::clone(&swap);
            swap.quote_id = QuoteId::from_bytes(u128::try_from(number).unwrap().to_be_bytes());
            swap.offer.destination = Address::repeat_byte(destination);
            BookEntry { swap: Arc::new(swap), state }
        };
        let push = |recipient: u8| {
            let mut executed = executed([500, 1_500], 7, recipient);
            executed.event.recipient = Address::repeat_byte(recipient);
            executed
        };
        for (pushes, is_attributed) in [(400, true), (600, false)] {
            let mut swaps: Vec<_> = (0..2_000).map(|number| to(number, 3)).collect();
            swaps.extend((2_000..2_100).map(|number| to(number, 4)));
            let mut events = vec![push(3); pushes];
            events.extend(vec![push(4); 60]);
            let mut exact = executed([1_000, 3_000], 7, 1);
            exact.event.recipient = Address::repeat_byte(3);
            events.push(exact);
            let Attribution { positions, .. } = attribute(&swaps, &HashMap::default(), &block(events), WRAPPED_NATIVE);
            assert!(positions[..pushes].iter().all(|position| position.is_some() == is_attributed), "{pushes}");
            assert!(positions[pushes..].iter().all(Option::is_some), "another recipient, and exact amounts");
        }
    }
}

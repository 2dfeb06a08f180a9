//! Matches events of the pool contract to signed swaps. An event contains neither signature nor quote, so that
//! tokens, recipient and amounts decide; auxiliary data does not, because it is not signed and the sender chooses it.

use std::collections::{HashMap, HashSet};

use firmquote_calldata::SwappedEvent;
use firmquote_domain::{Address, B256, BookEntry, QuoteId, SignedSwap, SwapState, U256};

use super::{
    match_quality::{MatchQuality, amounts, covers},
    observed::{ExecutedSwap, ObservedBlock},
};

/// The fields of an event other than amounts: input token, output token and recipient.
type Route = [Address; 3];

/// The result of matching events to swaps.
pub(super) struct Attribution {
    /// For each event, the position of the swap that it is attributed to.
    pub(super) positions: Vec<Option<usize>>,
    /// For each swap, whether an execution on its route was undone by a reorganization.
    pub(super) is_reorganized: Vec<bool>,
    /// For each swap, whether its event may be that of another swap, which stays open and does not stand for this one: it
    /// expires earlier or is smaller.
    pub(super) is_ambiguous: Vec<bool>,
}

/// Attributes each swap that the contract executed to one of `swaps`.
///
/// An attribution that the book shows is kept, so that a swap that is signed later changes no status. But once an
/// execution on a route is undone, all events of the route are attributed anew, to the swap that expires first: of equal
/// swaps, any may have been executed, and the others outlive that one. An execution is undone if no event in its block
/// fits any more, or if its transaction, one of `transactions` as far as this replica has seen it, is no longer on the
/// chain. Apart from that, replicas come to the same result, because they share the book.
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
    let mut positions: Vec<_> = block.swaps.iter().map(|executed| candidates.take_settled(executed)).collect();
    let on_chain: HashSet<B256> = block.swaps.iter().map(|executed| executed.transaction_hash).collect();
    let is_undone = |(BookEntry { swap, state }, is_taken): &(&BookEntry, &bool)| {
        let transaction = transactions.get(&swap.quote_id);
        matches!(state, SwapState::Settled(number) if (block.since..=block.number).contains(number))
            && (!**is_taken || transaction.is_some_and(|transaction| !on_chain.contains(transaction)))
    };
    let undone = swaps.iter().zip(&candidates.is_taken).filter(is_undone);
    let reorganized: HashSet<Route> = undone.map(|(booked, _)| route(&booked.swap)).collect();
    for (position, executed) in positions.iter_mut().zip(&block.swaps) {
        if reorganized.contains(&route_of(&executed.event)) {
            candidates.release(position.take());
        }
    }
    // No event takes a swap whose stated amounts are those of another event.
    for take in [Candidates::take_exact, Candidates::take_best] {
        for (position, executed) in positions.iter_mut().zip(&block.swaps) {
            *position = position.or_else(|| take(&mut candidates, executed));
        }
    }
    let is_reorganized = swaps.iter().map(|booked| reorganized.contains(&route(&booked.swap))).collect();
    let mut is_ambiguous = vec![false; swaps.len()];
    for (event, position) in positions.iter().enumerate() {
        if let Some(position) = *position
            && let Some(is_ambiguous) = is_ambiguous.get_mut(position)
        {
            *is_ambiguous = candidates.is_ambiguous(position, event, &block.swaps, &positions);
        }
    }
    Attribution { positions, is_reorganized, is_ambiguous }
}

/// The signed swaps that events can match, each at most once.
struct Candidates<'s> {
    swaps: &'s [BookEntry],
    wrapped_native: Address,
    is_taken: Vec<bool>,
    /// Positions, those that expire first first: of all swaps, of those with exactly these amounts, and of those that
    /// settled in a block.
    by_route: HashMap<Route, Vec<usize>>,
    by_amounts: HashMap<(Route, [U256; 2]), Vec<usize>>,
    by_block: HashMap<(Route, u64), Vec<usize>>,
}

impl<'s> Candidates<'s> {
    /// Swaps that settled before the block `since` are not free: events are known from there on.
    fn new(swaps: &'s [BookEntry], since: u64, wrapped_native: Address) -> Self {
        let is_earlier = |booked: &BookEntry| matches!(booked.state, SwapState::Settled(block) if block < since);
        let mut order: Vec<(usize, &BookEntry)> = swaps.iter().enumerate().collect();
        order.sort_by_key(|(_, BookEntry { swap, .. })| {
            (swap.offer.good_until.expires_at(), swap.signed_at, swap.quote_id)
        });
        let mut candidates = Self {
            swaps,
            wrapped_native,
            is_taken: swaps.iter().map(is_earlier).collect(),
            by_route: HashMap::new(),
            by_amounts: HashMap::new(),
            by_block: HashMap::new(),
        };
        for (position, BookEntry { swap, state }) in order {
            let route = route(swap);
            candidates.by_route.entry(route).or_default().push(position);
            candidates.by_amounts.entry((route, amounts(swap))).or_default().push(position);
            if let SwapState::Settled(block) = state {
                candidates.by_block.entry((route, *block)).or_default().push(position);
            }
        }
        candidates
    }

    /// Takes the swap that settled in the block of `executed` and fits best.
    fn take_settled(&mut self, executed: &ExecutedSwap) -> Option<usize> {
        let of_block = self.by_block.get(&(route_of(&executed.event), executed.block_number));
        let position = self.best(of_block, executed);
        self.take(position)
    }

    /// Takes the first to expire of the swaps with exactly the amounts of `executed`.
    fn take_exact(&mut self, executed: &ExecutedSwap) -> Option<usize> {
        let event = &executed.event;
        let exact = self.by_amounts.get(&(route_of(event), [event.input_amount, event.output_amount]));
        let is_free = |position: &usize| self.free(*position, executed).is_some();
        let position = exact.into_iter().flatten().copied().find(is_free);
        self.take(position)
    }

    /// Takes the swap that `executed` fits best, and of equal matches the one that expires first.
    fn take_best(&mut self, executed: &ExecutedSwap) -> Option<usize> {
        let position = self.best(self.by_route.get(&route_of(&executed.event)), executed);
        self.take(position)
    }

    fn take(&mut self, position: Option<usize>) -> Option<usize> {
        *self.is_taken.get_mut(position?)? = true;
        position
    }

    fn release(&mut self, position: Option<usize>) {
        if let Some(is_taken) = position.and_then(|position| self.is_taken.get_mut(position)) {
            *is_taken = false;
        }
    }

    /// Returns the free one of `positions` that fits best.
    fn best(&self, positions: Option<&Vec<usize>>, executed: &ExecutedSwap) -> Option<usize> {
        let fits = positions.into_iter().flatten().filter_map(|position| {
            let swap = self.free(*position, executed)?;
            Some((self.fit(swap, executed)?, *position))
        });
        fits.min_by_key(|(fit, _)| *fit).map(|(_, position)| position)
    }

    fn free(&self, position: usize, executed: &ExecutedSwap) -> Option<&'s SignedSwap> {
        let swap = self.swaps.get(position).map(|booked| &*booked.swap).filter(|swap| executed.may_be(swap))?;
        (self.is_taken.get(position) == Some(&false)).then_some(swap)
    }

    fn fit(&self, swap: &SignedSwap, executed: &ExecutedSwap) -> Option<MatchQuality> {
        MatchQuality::new(&executed.event, swap, self.wrapped_native)
    }

    /// Whether the swap at `position`, to which `event` is attributed, may not be the executed one, and no open entry would
    /// cover it then. Of all swaps that can be exchanged for it, directly or because others are exchanged for those,
    /// each free one has to expire no earlier, to be no smaller and to guarantee no less: it outlives whichever was not executed.
    ///
    /// A swap that the book shows as settled is not ambiguous: its event is not that of a swap signed later.
    fn is_ambiguous(
        &self,
        position: usize,
        event: usize,
        events: &[ExecutedSwap],
        positions: &[Option<usize>],
    ) -> bool {
        let Some(attributed) = self.swaps.get(position) else { return false };
        if let SwapState::Settled(_) = attributed.state {
            return false;
        }
        let (mut pending, mut visited) = (vec![event], HashSet::from([event]));
        while let Some(executed) = pending.pop().and_then(|event| events.get(event)) {
            for alternative in self.by_route.get(&route_of(&executed.event)).into_iter().flatten() {
                let Some(BookEntry { swap, .. }) = self.swaps.get(*alternative) else { continue };
                if *alternative == position || !executed.may_be(swap) || self.fit(swap, executed).is_none() {
                    continue;
                }
                if self.is_taken.get(*alternative) == Some(&false) {
                    if !covers(swap, &attributed.swap) {
                        return true;
                    }
                } else if let Some(other) = positions.iter().position(|position| *position == Some(*alternative))
                    && visited.insert(other)
                {
                    pending.push(other);
                }
            }
        }
        false
    }
}

fn route(SignedSwap { offer, .. }: &SignedSwap) -> Route {
    [offer.input_token, offer.output_token, offer.destination]
}

fn route_of(event: &SwappedEvent) -> Route {
    [event.input_token, event.output_token, event.recipient]
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use firmquote_domain::{
        Address, Amount, ChainId, Client, GoodUntil, NativeSide, Offer, PoolId, QuoteId, ReserveBounds, Timestamp,
        UnixSeconds,
    };

    use super::*;

    const WRAPPED_NATIVE: Address = Address::repeat_byte(1);

    fn swap(number: u8, [input, output]: [u64; 2], native: NativeSide, expires_at: u32) -> BookEntry {
        let amount = |units: u64| Amount::new(U256::from(units)).unwrap();
        let swap = SignedSwap {
            quote_id: QuoteId::from_bytes([number; 16]),
            client: Client::Anonymous,
            origin: None,
            offer: Offer {
                pool: PoolId { chain_id: ChainId::new(1).unwrap(), address: Address::repeat_byte(9) },
                input_token: Address::repeat_byte(1),
                output_token: Address::repeat_byte(2),
                input_amount: amount(input),
                output_amount: amount(output),
                good_until: GoodUntil::Plain(UnixSeconds::new(expires_at)),
                destination: Address::repeat_byte(3),
            },
            native,
            signed_at: Timestamp::from_seconds(1),
            block: Some(5),
            guarantee: None,
        };
        BookEntry { swap: Arc::new(swap), state: SwapState::Outstanding }
    }

    fn executed([input, output]: [u64; 2], block: u64, transaction: u8) -> ExecutedSwap {
        let event = SwappedEvent {
            input_token: Address::repeat_byte(1),
            output_token: Address::repeat_byte(2),
            recipient: Address::repeat_byte(3),
            input_amount: U256::from(input),
            output_amount: U256::from(output),
            aux_data: Default::default(),
        };
        ExecutedSwap {
            transaction_hash: B256::repeat_byte(transaction),
            log_index: 0,
            block_number: block,
            block_time: UnixSeconds::new(1),
            event,
        }
    }

    fn block(swaps: Vec<ExecutedSwap>) -> ObservedBlock {
        ObservedBlock {
            max_age_seconds: 60,
            number: 9,
            time: Timestamp::from_seconds(2),
            since: 6,
            counted_until: 9,
            swaps,
        }
    }

    #[test]
    fn an_event_is_attributed_to_the_best_matching_swap() {
        let swaps = [
            swap(1, [1_000, 3_000], NativeSide::Neither, 30),
            swap(2, [1_005, 3_015], NativeSide::Neither, 10),
            swap(3, [1_000, 3_000], NativeSide::Neither, 20),
            swap(4, [990, 2_500], NativeSide::Input, 5),
        ];
        let find = |executed: &ExecutedSwap, taken: [bool; 4]| {
            let mut candidates = Candidates::new(&swaps, 6, WRAPPED_NATIVE);
            candidates.is_taken = taken.into();
            let found = candidates.take_best(executed);
            assert_eq!(found.map(|position| candidates.is_taken[position]), found.map(|_| true));
            found
        };
        for (amounts, taken, expected) in [
            ([1_000, 3_000], [false; 4], Some(2)),
            ([1_000, 3_000], [false, false, true, false], Some(0)),
            ([1_005, 3_015], [false; 4], Some(1)),
            ([1_005, 3_015], [false, true, false, false], Some(2)),
            ([500, 1_500], [false; 4], Some(2)),
            ([2_000, 3_015], [false, true, false, false], Some(2)),
            ([991, 2_500], [false; 4], Some(3)),
            ([989, 2_500], [false; 4], None),
            ([1_000, 3_001], [false; 4], None),
        ] {
            assert_eq!(find(&executed(amounts, 7, 1), taken), expected, "{amounts:?} {taken:?}");
        }
        let mut elsewhere = executed([1_000, 3_000], 7, 1);
        elsewhere.event.recipient = Address::repeat_byte(4);
        assert_eq!(find(&elsewhere, [false; 4]), None);
        let late = ExecutedSwap { block_time: UnixSeconds::new(21), ..executed([1_000, 3_000], 7, 1) };
        assert_eq!(find(&late, [false; 4]), Some(0), "the third was no longer valid");
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
        let found = attribute(swaps, &HashMap::new(), &block(events), WRAPPED_NATIVE);
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
            for (booked, guarantee) in swaps.iter_mut().zip(bounds) {
                booked.swap = Arc::new(SignedSwap { guarantee, ..(*booked.swap).clone() });
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
}

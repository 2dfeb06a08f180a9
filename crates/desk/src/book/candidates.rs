//! The signed swaps that may have caused the events of a pool contract, found by what an event contains.

use std::collections::{HashMap, HashSet};

use firmquote_calldata::SwappedEvent;
use firmquote_domain::{Address, BookEntry, SignedQuote, SignedSwap, SwapState, U256};

use super::{
    match_quality::{MatchQuality, amounts},
    observed::ExecutedSwap,
};

/// The comparisons of swaps with events that each search takes at most: a client that signs and executes many similar
/// swaps must not delay the reserves of its pool.
pub(super) const MAX_COMPARISONS: usize = 1_000_000;

/// The fields of an event other than amounts: input token, output token and recipient.
pub(super) type EventKey = [Address; 3];

/// The signed swaps that events can match, each at most once.
pub(super) struct Candidates<'s> {
    swaps: &'s [BookEntry],
    wrapped_native: Address,
    pub(super) is_taken: Vec<bool>,
    /// Positions, those that expire first first: of all swaps, of those with exactly these amounts, and of those that
    /// settled in a block.
    by_key: HashMap<EventKey, Vec<usize>>,
    by_amounts: HashMap<(EventKey, [U256; 2]), Vec<usize>>,
    by_block: HashMap<(EventKey, u64), Vec<usize>>,
}

impl<'s> Candidates<'s> {
    /// Swaps that settled before the block `since` are not free: events are known from there on.
    pub(super) fn new(swaps: &'s [BookEntry], since: u64, wrapped_native: Address) -> Self {
        let is_earlier = |entry: &BookEntry| entry.state.settled_in().is_some_and(|block| block < since);
        let mut order: Vec<(usize, &BookEntry)> = swaps.iter().enumerate().collect();
        order.sort_by_key(|(_, BookEntry { swap, .. })| {
            (swap.offer.good_until.expires_at(), swap.signed_at, swap.quote_id)
        });
        let mut candidates = Self {
            swaps,
            wrapped_native,
            is_taken: swaps.iter().map(is_earlier).collect(),
            by_key: HashMap::new(),
            by_amounts: HashMap::new(),
            by_block: HashMap::new(),
        };
        for (position, BookEntry { swap, state }) in order {
            let key = swap_key(swap);
            candidates.by_key.entry(key).or_default().push(position);
            candidates.by_amounts.entry((key, amounts(swap))).or_default().push(position);
            if let Some(block) = state.settled_in() {
                candidates.by_block.entry((key, block)).or_default().push(position);
            }
        }
        candidates
    }

    /// Takes the swap that settled in the block of `executed` and fits best.
    pub(super) fn take_settled(&mut self, executed: &ExecutedSwap) -> Option<usize> {
        let block_candidates = self.by_block.get(&(event_key(&executed.event), executed.block_number));
        let position = self.best(block_candidates.map(Vec::as_slice).unwrap_or_default(), executed);
        self.take(position)
    }

    /// Takes the first to expire of the swaps with exactly the amounts of `executed` that settled in its block.
    pub(super) fn take_settled_exact(&mut self, executed: &ExecutedSwap) -> Option<usize> {
        self.take_exact_if(executed, |state| state.settled_in() == Some(executed.block_number))
    }

    /// Takes the first to expire of the swaps with exactly the amounts of `executed` that settled in an earlier block, by
    /// one of these `pushes`.
    pub(super) fn take_pushed_exact(
        &mut self,
        executed: &ExecutedSwap,
        pushes: &HashSet<(EventKey, u64)>,
    ) -> Option<usize> {
        let key = event_key(&executed.event);
        self.take_exact_if(executed, |state| {
            state.settled_in().is_some_and(|block| block < executed.block_number && pushes.contains(&(key, block)))
        })
    }

    /// Takes the first to expire of the swaps with exactly the amounts of `executed`.
    pub(super) fn take_exact(&mut self, executed: &ExecutedSwap) -> Option<usize> {
        self.take_exact_if(executed, |_| true)
    }

    fn take_exact_if(&mut self, executed: &ExecutedSwap, accepts: impl Fn(SwapState) -> bool) -> Option<usize> {
        let event = &executed.event;
        let exact = self.by_amounts.get(&(event_key(event), [event.input_amount, event.output_amount]));
        let is_free = |position: &usize| {
            self.free(*position, executed).is_some()
                && self.swaps.get(*position).is_some_and(|entry| accepts(entry.state))
        };
        let position = exact.into_iter().flatten().copied().find(is_free);
        self.take(position)
    }

    /// Takes the swap that `executed` fits best, and of equal matches the one that expires first.
    pub(super) fn take_best(&mut self, executed: &ExecutedSwap) -> Option<usize> {
        let position = self.best(self.with_key(executed), executed);
        self.take(position)
    }

    fn take(&mut self, position: Option<usize>) -> Option<usize> {
        *self.is_taken.get_mut(position?)? = true;
        position
    }

    pub(super) fn release(&mut self, position: Option<usize>) {
        if let Some(is_taken) = position.and_then(|position| self.is_taken.get_mut(position)) {
            *is_taken = false;
        }
    }

    /// Returns the free one of `positions` that fits best.
    fn best(&self, positions: &[usize], executed: &ExecutedSwap) -> Option<usize> {
        let fits = positions.iter().filter_map(|position| {
            let swap = self.free(*position, executed)?;
            Some((self.fit(swap, executed)?, *position))
        });
        fits.min_by_key(|(fit, _)| *fit).map(|(_, position)| position)
    }

    fn free(&self, position: usize, executed: &ExecutedSwap) -> Option<&'s SignedSwap> {
        let swap = self.swap(position).filter(|swap| executed.may_be(swap))?;
        (self.is_taken.get(position) == Some(&false)).then_some(swap)
    }

    fn fit(&self, swap: &SignedSwap, executed: &ExecutedSwap) -> Option<MatchQuality> {
        MatchQuality::new(&executed.event, swap, self.wrapped_native)
    }

    /// Returns the positions of all swaps that may have caused `executed`, taken or not.
    pub(super) fn all_of(&self, executed: &ExecutedSwap) -> Vec<usize> {
        let positions = self.with_key(executed).iter().copied();
        let may_have = |position: &usize| {
            self.swap(*position).is_some_and(|swap| executed.may_be(swap) && self.fit(swap, executed).is_some())
        };
        positions.filter(may_have).collect()
    }

    /// Whether `executed` is less than half of the swap at `position`, and may be a part of a swap of another client
    /// instead, which costs that client next to nothing.
    pub(super) fn may_be_of_another_client(&self, position: usize, executed: &ExecutedSwap) -> bool {
        let Some(swap) = self.swap(position) else { return false };
        let [input, _] = amounts(swap);
        let is_part = executed.event.input_amount < input.saturating_sub(executed.event.input_amount);
        let is_of_another = |other: usize| self.swap(other).is_some_and(|other| other.client != swap.client);
        is_part && self.all_of(executed).into_iter().any(is_of_another)
    }

    /// Returns the positions of the swaps with the key of `executed`.
    fn with_key(&self, executed: &ExecutedSwap) -> &[usize] {
        self.by_key.get(&event_key(&executed.event)).map(Vec::as_slice).unwrap_or_default()
    }

    /// Groups those of `events` for which `is_included` holds by key, cheapest first: the comparisons of each with all
    /// swaps of the key, and the positions of the events. The order is the same on every replica.
    pub(super) fn by_cost(
        &self,
        events: &[ExecutedSwap],
        is_included: impl Fn(usize) -> bool,
    ) -> Vec<(usize, Vec<usize>)> {
        let mut groups: HashMap<EventKey, (usize, Vec<usize>)> = HashMap::new();
        for (position, executed) in events.iter().enumerate().filter(|(position, _)| is_included(*position)) {
            let (cost, positions) = groups.entry(event_key(&executed.event)).or_default();
            *cost += self.with_key(executed).len();
            positions.push(position);
        }
        let mut groups: Vec<_> = groups.into_values().collect();
        groups.sort_unstable();
        groups
    }

    /// Returns the swap at `position`.
    pub(super) fn swap(&self, position: usize) -> Option<&'s SignedSwap> {
        self.swaps.get(position).map(|entry| &*entry.swap)
    }
}

pub(super) fn swap_key(SignedSwap { offer, .. }: &SignedSwap) -> EventKey {
    [offer.input_token, offer.output_token, offer.destination]
}

pub(super) fn event_key(event: &SwappedEvent) -> EventKey {
    [event.input_token, event.output_token, event.recipient]
}

impl ExecutedSwap {
    /// Whether this may be the execution of `signed`, whatever the book knows of it: a swap with its key and its amounts,
    /// or those of a push of it, in its lifetime. `wrapped_native` is that of the pool.
    pub fn may_execute(&self, signed: &SignedQuote, wrapped_native: Address) -> bool {
        let swap = SignedSwap::from(signed);
        self.is_valid(&swap)
            && self.is_younger(&swap)
            && swap_key(&swap) == event_key(&self.event)
            && MatchQuality::new(&self.event, &swap, wrapped_native).is_some()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::sync::Arc;

    use firmquote_domain::{
        Address, Amount, B256, ChainId, Client, GoodUntil, NativeSide, Offer, PoolId, QuoteId, Timestamp, UnixSeconds,
    };

    use super::*;

    pub(in crate::book) const WRAPPED_NATIVE: Address = Address::repeat_byte(1);

    pub(in crate::book) fn swap(
        number: u8,
        [input, output]: [u64; 2],
        native: NativeSide,
        expires_at: u32,
    ) -> BookEntry {
        let amount = |units: u64| Amount::new(U256::from(units)).unwrap();
        let swap = SignedSwap {
            quote_id: QuoteId::from_bytes([number; 16]),
            client: Client::Anonymous,
            source_network: None,
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

    pub(in crate::book) fn executed([input, output]: [u64; 2], block: u64, transaction: u8) -> ExecutedSwap {
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

    #[test]
    fn a_few_units_are_not_taken_for_a_part_of_a_large_swap() {
        let swaps = [
            swap(1, [1_000_000, 3_000_000], NativeSide::Neither, 10),
            swap(2, [20, 60], NativeSide::Neither, 30),
            swap(3, [200, 600], NativeSide::Neither, 20),
        ];
        let mut candidates = Candidates::new(&swaps, 6, WRAPPED_NATIVE);
        for expected in [Some(1), Some(2), Some(0), None] {
            assert_eq!(candidates.take_best(&executed([2, 6], 7, 1)), expected);
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
}

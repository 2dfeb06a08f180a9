//! Decides whether another signed swap may have caused an event instead of the one it is attributed to.

use std::{cmp::Reverse, collections::HashMap};

use firmquote_domain::{SignedSwap, U256, UnixSeconds};

use super::{
    candidates::{Candidates, MAX_COMPARISONS},
    match_quality::amounts,
    observed::ExecutedSwap,
};

/// Returns for each swap that one of `events` is attributed to, by `positions`, whether the event may be the execution
/// of another swap and no open swap covers this one. A swap covers another if it expires no earlier, is no smaller and
/// guarantees no less; each free swap that can be substituted for this one has to, directly or because others are
/// substituted for those. Where the search exceeds [`MAX_COMPARISONS`], the swaps of the costliest keys count as
/// ambiguous: they stay in the book until they expire.
///
/// A swap for which `is_closed` holds is not ambiguous: the book shows it as settled by this event, which is not that
/// of a swap signed later.
pub(super) fn find_ambiguous(
    candidates: &Candidates<'_>,
    is_closed: &[bool],
    events: &[ExecutedSwap],
    positions: &[Option<usize>],
) -> Vec<bool> {
    let (mut is_ambiguous, mut comparisons_left) = (vec![false; is_closed.len()], MAX_COMPARISONS);
    for (cost, group) in candidates.by_cost(events, |_| true) {
        let attributed = |event: usize| {
            let position = positions.get(event).copied().flatten()?;
            Some((position, candidates.swap(position)?))
        };
        let is_open =
            |event: &usize| attributed(*event).is_some_and(|(position, _)| is_closed.get(position) == Some(&false));
        if !group.iter().any(is_open) {
            continue;
        }
        let remaining = comparisons_left.checked_sub(cost);
        comparisons_left = remaining.unwrap_or_default();
        let weakest = remaining
            .map(|_| MinimumCoverage::new(&AlternativeAttributions::new(candidates, events, positions, &group)));
        for (index, event) in group.iter().enumerate().filter(|(_, event)| is_open(event)) {
            let Some((position, swap)) = attributed(*event) else { continue };
            let is_covered = weakest.as_ref().is_some_and(|weakest| weakest.covers(index, swap));
            if let Some(is_ambiguous) = is_ambiguous.get_mut(position) {
                *is_ambiguous = !is_covered;
            }
        }
    }
    is_ambiguous
}

/// The other attributions that are possible among the events of one key.
struct AlternativeAttributions<'s> {
    /// For each event, the free swaps that may have caused it.
    free: Vec<Vec<&'s SignedSwap>>,
    /// For each event, those that its swap may have caused as well.
    alternatives: Vec<Vec<usize>>,
}

impl<'s> AlternativeAttributions<'s> {
    /// Finds the alternatives of `group`, the positions of its events.
    fn new(candidates: &Candidates<'s>, events: &[ExecutedSwap], positions: &[Option<usize>], group: &[usize]) -> Self {
        let executed: Vec<&ExecutedSwap> = group.iter().filter_map(|event| events.get(*event)).collect();
        let attributed = |(index, event): (usize, &usize)| Some((positions.get(*event).copied().flatten()?, index));
        let event_of: HashMap<usize, usize> = group.iter().enumerate().filter_map(attributed).collect();
        let mut found = Self { free: Vec::new(), alternatives: vec![Vec::new(); executed.len()] };
        for (index, executed) in executed.into_iter().enumerate() {
            let mut free = Vec::new();
            for alternative in candidates.all_of(executed) {
                if let Some(other) = event_of.get(&alternative) {
                    found.alternatives.get_mut(*other).into_iter().for_each(|events| events.push(index));
                } else if candidates.is_taken.get(alternative) == Some(&false) {
                    free.extend(candidates.swap(alternative));
                }
            }
            found.free.push(free);
        }
        found
    }

    /// Returns for each event the least `value` of all free swaps that can be substituted for its own; `None` without
    /// any.
    fn minimum<T: Ord + Copy>(&self, value: impl Fn(&SignedSwap) -> T) -> Vec<Option<T>> {
        let minimum = |free: &Vec<&SignedSwap>| free.iter().map(|swap| value(swap)).min();
        let mut own: Vec<(T, usize)> =
            self.free.iter().enumerate().filter_map(|(event, free)| Some((minimum(free)?, event))).collect();
        own.sort_unstable();
        let mut found = vec![None; self.free.len()];
        // The least value first, so that each event is visited once.
        for (value, event) in own {
            let mut pending = vec![event];
            while let Some(event) = pending.pop() {
                if let Some(found @ None) = found.get_mut(event) {
                    *found = Some(value);
                    pending.extend(self.alternatives.get(event).into_iter().flatten());
                }
            }
        }
        found
    }
}

/// For each event of a group, the least that any free swap offers which can be substituted for its own; `None` without
/// any.
struct MinimumCoverage {
    expiry: Vec<Option<UnixSeconds>>,
    input: Vec<Option<U256>>,
    output: Vec<Option<U256>>,
    /// The loosest guaranteed bounds; a swap without a guarantee has none.
    max_input: Vec<Option<Reverse<U256>>>,
    min_output: Vec<Option<U256>>,
}

impl MinimumCoverage {
    fn new(attributions: &AlternativeAttributions<'_>) -> Self {
        Self {
            expiry: attributions.minimum(|swap| swap.offer.good_until.expires_at()),
            input: attributions.minimum(|swap| swap.offer.input_amount.base_units()),
            output: attributions.minimum(|swap| swap.offer.output_amount.base_units()),
            max_input: attributions
                .minimum(|swap| Reverse(swap.guarantee.map_or(U256::MAX, |bounds| bounds.max_input))),
            min_output: attributions.minimum(|swap| swap.guarantee.map_or(U256::ZERO, |bounds| bounds.min_output)),
        }
    }

    /// Whether each alternative of an event, while it is open, counts for all that `swap` may still do, and guarantees
    /// no less.
    fn covers(&self, event: usize, swap: &SignedSwap) -> bool {
        fn is_at_least<T: Ord>(weakest: &[Option<T>], event: usize, needed: &T) -> bool {
            weakest.get(event).is_some_and(|weakest| weakest.as_ref().is_none_or(|weakest| weakest >= needed))
        }
        let [input, output] = amounts(swap);
        is_at_least(&self.expiry, event, &swap.offer.good_until.expires_at())
            && is_at_least(&self.input, event, &input)
            && is_at_least(&self.output, event, &output)
            && swap.guarantee.is_none_or(|promised| {
                is_at_least(&self.max_input, event, &Reverse(promised.max_input))
                    && is_at_least(&self.min_output, event, &promised.min_output)
            })
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::HashSet, sync::Arc};

    use firmquote_domain::{BookEntry, NativeSide, QuoteId, ReserveBounds};
    use rand::{RngExt as _, SeedableRng as _};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::book::candidates::tests::{WRAPPED_NATIVE, executed, swap};

    /// Attributes events in block 7 to `swaps`, and returns which swaps are ambiguous.
    fn ambiguous(
        swaps: &[BookEntry],
        events: &[ExecutedSwap],
        check: impl Fn(&Candidates<'_>, &[Option<usize>], &[bool]),
    ) -> Vec<bool> {
        let mut candidates = Candidates::new(swaps, 6, WRAPPED_NATIVE);
        let mut positions: Vec<_> = events.iter().map(|executed| candidates.take_exact(executed)).collect();
        for (position, executed) in positions.iter_mut().zip(events) {
            *position = position.or_else(|| candidates.take_best(executed));
        }
        let found = find_ambiguous(&candidates, &vec![false; swaps.len()], events, &positions);
        check(&candidates, &positions, &found);
        found
    }

    /// Searches every event that can be reached from that of the swap at `position`.
    fn is_ambiguous(
        candidates: &Candidates<'_>,
        events: &[ExecutedSwap],
        positions: &[Option<usize>],
        position: usize,
    ) -> bool {
        let event_of = |position| positions.iter().position(|attributed| *attributed == Some(position));
        let Some(first) = event_of(position) else { return false };
        let own = candidates.swap(position).unwrap();
        let (mut pending, mut visited) = (vec![first], HashSet::from([first]));
        while let Some(event) = pending.pop() {
            for alternative in candidates.all_of(&events[event]) {
                match event_of(alternative) {
                    Some(other) if visited.insert(other) => pending.push(other),
                    Some(_) => {}
                    None if covers(candidates.swap(alternative).unwrap(), own) => {}
                    None => return true,
                }
            }
        }
        false
    }

    fn covers(open: &SignedSwap, swap: &SignedSwap) -> bool {
        let ([input, output], [swap_input, swap_output]) = (amounts(open), amounts(swap));
        open.offer.good_until.expires_at() >= swap.offer.good_until.expires_at()
            && input >= swap_input
            && output >= swap_output
            && swap.guarantee.is_none_or(|promised| {
                open.guarantee
                    .is_some_and(|own| own.max_input <= promised.max_input && own.min_output >= promised.min_output)
            })
    }

    #[test]
    fn a_swap_is_ambiguous_if_some_reachable_free_swap_does_not_cover_it() {
        let (mut rng, mut counts) = (ChaCha8Rng::seed_from_u64(1), [0; 2]);
        for _ in 0..3_000 {
            // Some events are pushes of any swap.
            let sizes = [1_000, 1_500, 2_000, 3_000, 500_u64];
            let swaps: Vec<BookEntry> = (0..rng.random_range(1..9))
                .map(|number| {
                    let size = sizes[rng.random_range(0..4)];
                    let expiry = rng.random_range(10..14);
                    let BookEntry { swap, state } = swap(number, [size, 3 * size], NativeSide::Neither, expiry);
                    let bound = U256::from(rng.random_range(1..4_u64));
                    let bounds = ReserveBounds { max_input: bound, min_output: U256::from(4) - bound };
                    let guarantee = rng.random_bool(0.3).then_some(bounds);
                    BookEntry { swap: Arc::new(SignedSwap { guarantee, ..SignedSwap::clone(&swap) }), state }
                })
                .collect();
            let events: Vec<ExecutedSwap> = (0..rng.random_range(1..7))
                .map(|number| {
                    let size = sizes[rng.random_range(0..5)];
                    executed([size, 3 * size], 7, number)
                })
                .collect();
            let found = ambiguous(&swaps, &events, |candidates, positions, found| {
                for (position, found) in found.iter().enumerate() {
                    assert_eq!(*found, is_ambiguous(candidates, &events, positions, position), "{swaps:?} {events:?}");
                }
            });
            found.into_iter().for_each(|found| counts[usize::from(found)] += 1);
        }
        assert!(counts.iter().all(|count| *count > 1_000), "{counts:?}");
    }

    #[test]
    fn a_key_that_takes_too_long_leaves_its_own_swaps_in_the_book() {
        let numbered = |number: u16, destination: u8| {
            let BookEntry { swap, state } = swap(0, [1_000, 3_000], NativeSide::Neither, 10);
            let mut swap = SignedSwap::clone(&swap);
            let [high, low] = number.to_be_bytes();
            swap.quote_id = QuoteId::from_bytes([high, low, destination, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
            swap.offer.destination = firmquote_domain::Address::repeat_byte(destination);
            BookEntry { swap: Arc::new(swap), state }
        };
        let mut swaps: Vec<_> = (0..2_000).map(|number| numbered(number, 3)).collect();
        swaps.extend((0..100).map(|number| numbered(number, 4)));
        let mut events = vec![executed([1_000, 3_000], 7, 1); 600];
        let mut other = executed([1_000, 3_000], 7, 2);
        other.event.recipient = firmquote_domain::Address::repeat_byte(4);
        events.extend(vec![other; 60]);
        let found = ambiguous(&swaps, &events, |_, positions, _| assert!(positions.iter().all(Option::is_some)));
        assert_eq!(found.iter().filter(|found| **found).count(), 600);
        assert!(found[2_000..].iter().all(|found| !found), "another recipient");
    }
}

//! Whether an event certainly is that of the swap that it is attributed to.

use std::collections::{HashMap, HashSet};

use firmquote_domain::{BookEntry, SwapState};

use super::{candidates::Candidates, match_quality::covers, observed::ExecutedSwap};

/// The swaps that are compared with events in one search, at most: a client that signs and executes many similar swaps
/// must not delay the reserves of its pool.
const MAX_COMPARISONS: usize = 500_000;

/// The search for other attributions of the same events.
pub(super) struct AmbiguitySearch<'s> {
    candidates: &'s Candidates<'s>,
    events: &'s [ExecutedSwap],
    /// For each swap that an event is attributed to, that event.
    event_of: HashMap<usize, usize>,
    /// For each event that was visited, the swaps that may have caused it.
    alternatives: HashMap<usize, Vec<usize>>,
    comparisons_left: usize,
}

impl<'s> AmbiguitySearch<'s> {
    /// Prepares the search beside the attribution of each of `events` to the swap at one of `positions`.
    pub(super) fn new(candidates: &'s Candidates<'s>, events: &'s [ExecutedSwap], positions: &[Option<usize>]) -> Self {
        let attributed = positions.iter().enumerate().filter_map(|(event, position)| Some(((*position)?, event)));
        Self {
            candidates,
            events,
            event_of: attributed.collect(),
            alternatives: HashMap::new(),
            comparisons_left: MAX_COMPARISONS,
        }
    }

    /// Whether the swap at `position` in the book, to which an event is attributed, may not be the executed one, and no open
    /// swap would cover it then. Of all swaps that can be exchanged for it, directly or because others are exchanged for
    /// those, each free one has to expire no earlier, to be no smaller and to guarantee no less: it outlives whichever was
    /// not executed. A search that takes too long counts as ambiguous: the swap then stays in the book until it expires.
    ///
    /// A swap that the book shows as settled is not ambiguous: its event is not that of a swap signed later.
    pub(super) fn is_ambiguous(&mut self, position: usize, BookEntry { swap, state }: &BookEntry) -> bool {
        let Some(event) = self.event_of.get(&position).copied() else { return false };
        if let SwapState::Settled(_) = state {
            return false;
        }
        let (mut pending, mut visited) = (vec![event], HashSet::from([event]));
        while let Some(event) = pending.pop() {
            let Some(alternatives) = self.alternatives_of(event) else { return true };
            for alternative in alternatives {
                if alternative == position {
                    continue;
                }
                match self.event_of.get(&alternative) {
                    Some(other) if visited.insert(*other) => pending.push(*other),
                    Some(_) => {}
                    None if self.candidates.is_taken.get(alternative) != Some(&false) => {}
                    None if self.candidates.swap(alternative).is_some_and(|other| covers(other, swap)) => {}
                    None => return true,
                }
            }
        }
        false
    }

    /// Returns the positions of the swaps that may have caused an event; `None` if that would take too long.
    fn alternatives_of(&mut self, event: usize) -> Option<Vec<usize>> {
        let executed = self.events.get(event)?;
        let cost = self.alternatives.get(&event).map_or(self.candidates.of_route(executed).len(), Vec::len);
        self.comparisons_left = self.comparisons_left.checked_sub(cost)?;
        let candidates = self.candidates;
        Some(self.alternatives.entry(event).or_insert_with(|| candidates.all_of(executed)).clone())
    }
}

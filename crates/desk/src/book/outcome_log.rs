//! Which outcomes of signed swaps this replica knows to be stored.

use alloy_primitives::map::{HashMap, HashSet};
use firmquote_domain::{B256, Book, BookEntry, QuoteId, SwapOutcome, SwapState};

/// The observed outcome of a swap of the book.
#[derive(Clone, Debug)]
pub(super) struct ObservedOutcome {
    /// The swap with its state before the observation.
    pub(super) entry: BookEntry,
    /// How it ended; `None` while it is open.
    pub(super) outcome: Option<SwapOutcome>,
}

/// Which outcomes of the swaps of a book this replica knows to be stored.
#[derive(Debug, Default)]
pub(super) struct OutcomeLog {
    stored: HashMap<QuoteId, StoredOutcome>,
    /// Outcomes that are to be stored, and stay here until they are.
    pending: HashMap<QuoteId, ObservedOutcome>,
    /// Swaps that lapsed by the clock, as far as that is not known to be stored.
    unstored_lapses: HashSet<QuoteId>,
}

/// The stored outcome of a swap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StoredOutcome {
    /// Stored by this replica.
    Own(Option<SwapOutcome>),
    /// Some end, from before this replica read the book for the first time.
    Earlier,
    /// Perhaps an end, although the swap is open again.
    Outdated,
}

impl OutcomeLog {
    /// The log of a book whose closed swaps all have a stored outcome.
    pub(super) fn with_stored(book: &Book) -> Self {
        let closed = book.swaps().filter(|entry| entry.state != SwapState::Outstanding);
        let stored = closed.map(|entry| (entry.swap.quote_id, StoredOutcome::Earlier)).collect();
        Self { stored, ..Self::default() }
    }

    /// Follows a change of one swap, which is now in `state`; `None` if it is no longer in the book.
    pub(super) fn update(&mut self, id: QuoteId, state: Option<SwapState>) {
        match state {
            Some(SwapState::Lapsed(None) | SwapState::Released(None)) => {
                let lapsed = StoredOutcome::Own(Some(SwapOutcome::Lapsed));
                if !self.stored.get(&id).is_some_and(|stored| [lapsed, StoredOutcome::Earlier].contains(stored)) {
                    self.unstored_lapses.insert(id);
                }
            }
            Some(state) => {
                self.unstored_lapses.remove(&id);
                let is_contradicted = |pending: &ObservedOutcome| match (state.settled_in(), pending.outcome) {
                    (Some(block), Some(SwapOutcome::Settled(settlement))) => settlement.block_number != block,
                    (Some(_), _) => true,
                    (None, _) => false,
                };
                // Another replica has seen a later branch of the chain.
                if self.pending.get(&id).is_some_and(is_contradicted) {
                    self.pending.remove(&id);
                }
            }
            None => {
                self.unstored_lapses.remove(&id);
                self.stored.remove(&id);
            }
        }
    }

    /// Follows the replacement of the whole book.
    pub(super) fn rebuild(&mut self, book: &Book) {
        self.stored.retain(|id, _| book.get(*id).is_some());
        self.unstored_lapses.clear();
        book.swaps().for_each(|entry| self.update(entry.swap.quote_id, Some(entry.state)));
    }

    /// The swaps that lapsed by the clock, as far as that is not known to be stored.
    pub(super) fn unstored_lapses(&self) -> impl Iterator<Item = QuoteId> {
        self.unstored_lapses.iter().copied()
    }

    /// Adds what was observed to the outcomes that have to be stored: the newest of each swap.
    pub(super) fn add(&mut self, observed: Vec<ObservedOutcome>) {
        for observed in observed {
            let id = observed.entry.swap.quote_id;
            let is_stored = self.stored.get(&id) == Some(&StoredOutcome::Own(observed.outcome));
            // An attempt to store another outcome may have succeeded, although it was reported to fail.
            let is_overwritten = self.pending.get(&id).is_some_and(|pending| pending.outcome != observed.outcome);
            if self.is_new(&observed) || is_overwritten && !is_stored {
                self.pending.insert(id, observed);
            } else {
                self.pending.remove(&id);
            }
        }
    }

    /// Returns the outcomes that have to be stored.
    pub(super) fn pending(&self) -> Vec<ObservedOutcome> {
        self.pending.values().cloned().collect()
    }

    /// Whether an outcome of the swap could not be stored yet.
    pub(super) fn is_pending(&self, id: QuoteId) -> bool {
        self.pending.contains_key(&id)
    }

    /// Whether an outcome differs from the stored one.
    fn is_new(&self, ObservedOutcome { entry, outcome }: &ObservedOutcome) -> bool {
        match self.stored.get(&entry.swap.quote_id) {
            Some(StoredOutcome::Own(stored)) => stored != outcome,
            Some(StoredOutcome::Earlier) => outcome.is_none(),
            Some(StoredOutcome::Outdated) => true,
            // Another replica may have stored an outcome of a swap that is open again.
            None => outcome.is_some() || entry.state != SwapState::Outstanding,
        }
    }

    /// Notes that this replica stored an outcome of a swap, which is in the book or not.
    pub(super) fn mark_stored(&mut self, id: QuoteId, outcome: Option<SwapOutcome>, is_booked: bool) {
        self.unstored_lapses.remove(&id);
        if self.pending.get(&id).is_some_and(|pending| pending.outcome == outcome) {
            self.pending.remove(&id);
        }
        // Another replica may have removed it meanwhile.
        if is_booked {
            self.stored.insert(id, StoredOutcome::Own(outcome));
        }
    }

    /// Notes that the swap is open again, so that a stored outcome no longer holds.
    pub(super) fn mark_outdated(&mut self, id: QuoteId) {
        self.stored.insert(id, StoredOutcome::Outdated);
    }

    /// The transactions of the executions that this replica has seen last, stored already or not.
    pub(super) fn transactions(&self) -> HashMap<QuoteId, B256> {
        let stored = self.stored.iter().filter_map(|(id, stored)| match stored {
            StoredOutcome::Own(outcome) => Some((*id, *outcome)),
            StoredOutcome::Earlier | StoredOutcome::Outdated => None,
        });
        let pending = self.pending.iter().map(|(id, pending)| (*id, pending.outcome));
        let newest: HashMap<QuoteId, Option<SwapOutcome>> = stored.chain(pending).collect();
        let transaction = |(id, outcome)| match outcome {
            Some(SwapOutcome::Settled(settlement)) => Some((id, settlement.transaction_hash)),
            Some(SwapOutcome::Lapsed) | None => None,
        };
        newest.into_iter().filter_map(transaction).collect()
    }
}

#[cfg(test)]
mod tests {
    use firmquote_domain::{NativeSide, Settlement};

    use super::*;
    use crate::book::candidates::tests::{executed, swap};

    #[test]
    fn the_transaction_of_an_execution_is_known_before_it_is_stored() {
        let (mut log, entry) = (OutcomeLog::default(), swap(1, [1_000, 3_000], NativeSide::Neither, 20));
        let id = entry.swap.quote_id;
        let settled = |byte| SwapOutcome::Settled(Settlement::from(&executed([1_000, 3_000], 7, byte)));
        let known = |log: &OutcomeLog| log.transactions().get(&id).copied();
        let observe = |log: &mut OutcomeLog, outcome| log.add(vec![ObservedOutcome { entry: entry.clone(), outcome }]);
        observe(&mut log, Some(settled(1)));
        assert_eq!(known(&log), Some(B256::repeat_byte(1)), "observed");
        log.mark_stored(id, Some(settled(1)), true);
        assert_eq!(known(&log), Some(B256::repeat_byte(1)), "stored");
        observe(&mut log, Some(settled(2)));
        assert_eq!(known(&log), Some(B256::repeat_byte(2)), "of another branch");
        observe(&mut log, None);
        assert_eq!(known(&log), None, "open again");
    }
}

//! The guaranteed swaps of a book, by what readers ask for: a check beside them costs as much as there are outstanding
//! ones, not as much as have been executed.

use std::{collections::BTreeMap, ops::Bound, sync::Arc};

use alloy_primitives::map::HashMap;

use crate::{Client, QuoteId, SignedSwap, SwapState};

/// The guaranteed swaps of a book.
#[derive(Clone, Debug, Default)]
pub(super) struct GuaranteedSwaps {
    outstanding: BTreeMap<QuoteId, Arc<SignedSwap>>,
    /// By the block that closed them.
    closed: BTreeMap<(u64, QuoteId), Arc<SignedSwap>>,
    /// Those that are no longer outstanding and still count for their client.
    counting: HashMap<Client, BTreeMap<QuoteId, Arc<SignedSwap>>>,
}

impl GuaranteedSwaps {
    /// Adds a swap in `state`, if it is guaranteed.
    pub(super) fn add(&mut self, swap: &Arc<SignedSwap>, state: SwapState) {
        if swap.guarantee.is_none() {
            return;
        }
        let (id, shared) = (swap.quote_id, || Arc::clone(swap));
        if state == SwapState::Outstanding {
            self.outstanding.insert(id, shared());
        } else if state.counts_for_client() {
            self.counting.entry(swap.client.clone()).or_default().insert(id, shared());
        }
        if let Some(block) = state.block() {
            self.closed.insert((block, id), shared());
        }
    }

    /// Removes a swap that was added in `state`.
    pub(super) fn remove(&mut self, swap: &SignedSwap, state: SwapState) {
        let id = swap.quote_id;
        self.outstanding.remove(&id);
        if let Some(counting) = self.counting.get_mut(&swap.client) {
            counting.remove(&id);
            if counting.is_empty() {
                self.counting.remove(&swap.client);
            }
        }
        if let Some(block) = state.block() {
            self.closed.remove(&(block, id));
        }
    }

    /// Returns the swaps that are outstanding as of `block`.
    pub(super) fn open(&self, block: Option<u64>) -> impl Iterator<Item = &Arc<SignedSwap>> {
        let later = |block| (Bound::Excluded((block, QuoteId::from_bytes([u8::MAX; 16]))), Bound::Unbounded);
        let closed_later = block.map(|block| self.closed.range(later(block))).into_iter().flatten();
        self.outstanding.values().chain(closed_later.map(|(_, swap)| swap))
    }

    /// Returns the swaps of `client` that count for it, or are outstanding as of `block`.
    pub(super) fn of_client(&self, client: &Client, block: Option<u64>) -> impl Iterator<Item = &Arc<SignedSwap>> {
        let counting = self.counting.get(client);
        let is_counting = move |id| counting.is_some_and(|counting| counting.contains_key(id));
        let open = self.open(block).filter(move |swap| swap.client == *client && !is_counting(&swap.quote_id));
        open.chain(counting.into_iter().flat_map(BTreeMap::values))
    }
}

//! The book of a pool: its signed swaps that may still be executed.

mod flows;
mod guaranteed;
mod reorganization;
mod swap;
mod timed_sum;
mod totals;

use std::{
    collections::{BTreeMap, hash_map::Entry},
    hash::Hash,
    ops::{AddAssign, SubAssign},
    sync::{Arc, OnceLock},
};

use alloy_primitives::{Address, U256, map::HashMap};

use self::{guaranteed::GuaranteedSwaps, reorganization::RecentExecutions, totals::ClosedFlows};
use crate::{Client, Offer, QuoteId, SourceNetwork, UnixSeconds};
pub use flows::{MAX_PUSH_EXCESS_THOUSANDTHS, TokenFlows, max_stated_amount};
pub use reorganization::ExecutedAmounts;
pub use swap::{BookEntry, OfferKey, SignedSwap, SwapDeadlines, SwapState, latest_lapse};
pub use timed_sum::TimedSum;
pub use totals::BookTotals;

/// The signed swaps of one pool.
///
/// A swap stays in the book after it has settled or lapsed, until it is removed: readers of earlier blocks still count
/// it, and a reorganization may make it outstanding again. Each change costs the same, however many swaps there are.
#[derive(Clone, Debug, Default)]
pub struct Book {
    swaps: HashMap<QuoteId, BookEntry>,
    offers: HashMap<OfferKey, QuoteId>,
    outstanding: HashMap<Address, TimedSum<TokenFlows>>,
    by_client: HashMap<(Client, Address), TimedSum<TokenFlows>>,
    swaps_by_client: HashMap<Client, TimedSum<usize>>,
    /// The number of entries of each client, in any state.
    entries_by_client: HashMap<Client, usize>,
    by_network: HashMap<(SourceNetwork, Address), TimedSum<TokenFlows>>,
    /// The flows of swaps that settled or lapsed, by the block that closed them and the token.
    closed: BTreeMap<(u64, Address), TokenFlows>,
    /// The same as a list, once [`Self::totals`] has read them.
    closed_list: OnceLock<ClosedFlows>,
    guaranteed: GuaranteedSwaps,
    executions: RecentExecutions,
}

impl Book {
    /// Enters a swap in this state. Returns whether it is new: a swap that is in the book already stays unchanged.
    pub fn insert(&mut self, BookEntry { swap, state }: BookEntry) -> bool {
        let Entry::Vacant(entry) = self.swaps.entry(swap.quote_id) else { return false };
        entry.insert(BookEntry { swap: Arc::clone(&swap), state });
        self.offers.insert(OfferKey::from(&swap.offer), swap.quote_id);
        *self.entries_by_client.entry(swap.client.clone()).or_default() += 1;
        self.add(&swap, state);
        true
    }

    /// Removes all swaps. What the contract executed stays recorded.
    pub fn clear(&mut self) {
        *self = Self { executions: self.executions.clone(), ..Self::default() };
    }

    /// Records what the contract executed in the newest blocks up to `head`, of which at least the newest
    /// [`MAX_REORG_DEPTH`](crate::MAX_REORG_DEPTH) are known: [`BookTotals::reversal`] undoes it. Returns whether
    /// anything changed.
    pub fn record_executions(&mut self, head: u64, executions: Vec<ExecutedAmounts>) -> bool {
        self.executions.record(head, executions)
    }

    /// Changes the state of a swap; after a reorganization also back to outstanding. Returns whether it changed.
    pub fn set_state(&mut self, id: QuoteId, state: SwapState) -> bool {
        let Some(entry) = self.swaps.get_mut(&id).filter(|entry| entry.state != state) else { return false };
        let (swap, previous) = (Arc::clone(&entry.swap), std::mem::replace(&mut entry.state, state));
        self.subtract(&swap, previous);
        self.add(&swap, state);
        true
    }

    /// Removes a swap, whatever its state. Returns whether it was in the book.
    pub fn remove(&mut self, id: QuoteId) -> bool {
        let Some(BookEntry { swap, state }) = self.swaps.remove(&id) else { return false };
        let offer = OfferKey::from(&swap.offer);
        // A pool that executes signatures repeatedly has several swaps of one offer.
        if self.offers.get(&offer) == Some(&id) {
            self.offers.remove(&offer);
        }
        decrement(&mut self.entries_by_client, &swap.client);
        self.subtract(&swap, state);
        true
    }

    /// Returns the swap of a quote with its state.
    pub fn get(&self, id: QuoteId) -> Option<&BookEntry> {
        self.swaps.get(&id)
    }

    /// Returns the quote of the swap that the pool contract could not distinguish from `offer`.
    pub fn equal_offer(&self, offer: &Offer) -> Option<QuoteId> {
        self.offers.get(&OfferKey::from(offer)).copied()
    }

    /// Returns all swaps, in no particular order.
    pub fn swaps(&self) -> impl Iterator<Item = &BookEntry> {
        self.swaps.values()
    }

    /// The number of swaps in any state.
    pub fn len(&self) -> usize {
        self.swaps.len()
    }

    /// Whether there is no swap.
    pub fn is_empty(&self) -> bool {
        self.swaps.is_empty()
    }

    /// Returns the sums of the swaps that are outstanding now in `token`, with the seconds in which they lapse at the
    /// latest.
    pub fn outstanding_flows(&self, token: Address) -> Option<&TimedSum<TokenFlows>> {
        self.outstanding.get(&token)
    }

    /// Returns the sums of the swaps of `client` in `token` that [count](SwapState::counts_for_client) for it.
    pub fn flows_of(&self, client: &Client, token: Address) -> Option<&TimedSum<TokenFlows>> {
        self.by_client.get(&(client.clone(), token))
    }

    /// The number of swaps that count in [`Self::flows_of`] `client`, of any token.
    pub fn swaps_of(&self, client: &Client) -> Option<&TimedSum<usize>> {
        self.swaps_by_client.get(client)
    }

    /// The number of swaps of `client` that are in the book, in any state.
    pub fn entries_of(&self, client: &Client) -> usize {
        self.entries_by_client.get(client).copied().unwrap_or_default()
    }

    /// Returns the same sums of `source_network`.
    pub fn flows_of_network(&self, source_network: SourceNetwork, token: Address) -> Option<&TimedSum<TokenFlows>> {
        self.by_network.get(&(source_network, token))
    }

    /// Returns the sums of all swaps.
    pub fn totals(&self) -> BookTotals {
        BookTotals {
            outstanding: self.outstanding.iter().map(|(token, flows)| (*token, flows.total())).collect(),
            closed: self.closed_flows().clone(),
            executions: self.executions.clone(),
        }
    }

    fn closed_flows(&self) -> &ClosedFlows {
        let flows = || self.closed.iter().map(|((block, token), flows)| (*block, *token, *flows)).collect();
        self.closed_list.get_or_init(|| ClosedFlows(flows()))
    }

    /// Returns the sums of `token` as of `block`, as [`BookTotals::flows`] does.
    pub fn flows(&self, token: Address, block: Option<u64>) -> TokenFlows {
        let mut flows = self.outstanding.get(&token).map(TimedSum::total).unwrap_or_default();
        if let Some(block) = block {
            flows += self.closed_flows().between(token, block, u64::MAX);
        }
        flows
    }

    /// The same sums without the swap of the quote `id`.
    pub fn flows_without(&self, id: QuoteId, token: Address, block: Option<u64>) -> TokenFlows {
        let mut flows = self.flows(token, block);
        if let Some(entry) = self.swaps.get(&id).filter(|entry| entry.is_open(block)) {
            flows -= entry.swap.offer.flows(token);
        }
        flows
    }

    /// Returns the flows that a reorganization of the `depth` blocks up to `block` would cause, as
    /// [`BookTotals::reversal`] does.
    pub fn reversal(&self, token: Address, block: Option<u64>, depth: u64) -> TokenFlows {
        if depth == 0 { TokenFlows::default() } else { self.totals().reversal(token, block, depth) }
    }

    /// Returns the guaranteed swaps of other quotes than `id` that are outstanding as of `block`.
    pub fn guaranteed(&self, id: QuoteId, block: Option<u64>) -> impl Iterator<Item = &Arc<SignedSwap>> {
        self.guaranteed.open(block).filter(move |swap| swap.quote_id != id)
    }

    /// Returns the guaranteed swaps of other quotes than `id` that [count](SwapState::counts_for_client) for `client`,
    /// or are outstanding as of `block`.
    pub fn guaranteed_of(
        &self,
        client: &Client,
        id: QuoteId,
        block: Option<u64>,
    ) -> impl Iterator<Item = &Arc<SignedSwap>> {
        self.guaranteed.of_client(client, block).filter(move |swap| swap.quote_id != id)
    }

    /// Adds a swap in `state` to all sums that it counts in.
    fn add(&mut self, swap: &Arc<SignedSwap>, state: SwapState) {
        let (until, counts) = (swap.counts_until(), state.counts_for_client());
        if counts {
            self.swaps_by_client.entry(swap.client.clone()).or_default().add(until, 1);
        }
        for token in [swap.offer.input_token, swap.offer.output_token] {
            let flows = swap.offer.flows(token);
            if state == SwapState::Outstanding {
                self.outstanding.entry(token).or_default().add(swap.outstanding_until(), flows);
            }
            if counts {
                self.by_client.entry((swap.client.clone(), token)).or_default().add(until, flows);
                if let Some(source_network) = swap.source_network {
                    self.by_network.entry((source_network, token)).or_default().add(until, flows);
                }
            }
            if let Some(block) = state.block() {
                *self.closed.entry((block, token)).or_default() += flows;
                self.closed_list.take();
            }
        }
        self.guaranteed.add(swap, state);
    }

    /// Subtracts a swap in `state` from all sums that it counts in.
    fn subtract(&mut self, swap: &Arc<SignedSwap>, state: SwapState) {
        let (until, counts) = (swap.counts_until(), state.counts_for_client());
        if counts {
            subtract(&mut self.swaps_by_client, swap.client.clone(), until, 1);
        }
        for token in [swap.offer.input_token, swap.offer.output_token] {
            let flows = swap.offer.flows(token);
            if state == SwapState::Outstanding {
                subtract(&mut self.outstanding, token, swap.outstanding_until(), flows);
            }
            if counts {
                subtract(&mut self.by_client, (swap.client.clone(), token), until, flows);
                if let Some(source_network) = swap.source_network {
                    subtract(&mut self.by_network, (source_network, token), until, flows);
                }
            }
            if let Some(block) = state.block()
                && let Some(closed) = self.closed.get_mut(&(block, token))
            {
                *closed -= flows;
                if *closed == TokenFlows::default() {
                    self.closed.remove(&(block, token));
                }
                self.closed_list.take();
            }
        }
        self.guaranteed.remove(swap, state);
    }
}

/// Subtracts one from the number of swaps of `client`; a number of zero is removed.
fn decrement(numbers: &mut HashMap<Client, usize>, client: &Client) {
    if let Some(number) = numbers.get_mut(client) {
        *number = number.saturating_sub(1);
        if *number == 0 {
            numbers.remove(client);
        }
    }
}

/// Returns the bounds that guaranteed swaps set to the reserves of an input and an output token; `None` if there are
/// none.
pub fn reserve_bounds<'s>(
    guaranteed: impl Iterator<Item = &'s Arc<SignedSwap>>,
    [input, output]: [Address; 2],
) -> (Option<U256>, Option<U256>) {
    let (mut max_input, mut min_output) = (None::<U256>, None::<U256>);
    for swap in guaranteed {
        let Some(bounds) = swap.guarantee else { continue };
        if swap.offer.input_token == input {
            max_input = Some(max_input.map_or(bounds.max_input, |current| current.min(bounds.max_input)));
        }
        if swap.offer.output_token == output {
            min_output = Some(min_output.map_or(bounds.min_output, |current| current.max(bounds.min_output)));
        }
    }
    (max_input, min_output)
}

/// Subtracts a part that leaves in `second` from a sum, which is forgotten once nothing is left of it.
fn subtract<K: Eq + Hash, T: Copy + Default + PartialEq + AddAssign + SubAssign>(
    sums: &mut HashMap<K, TimedSum<T>>,
    key: K,
    second: UnixSeconds,
    part: T,
) {
    if let Entry::Occupied(mut sum) = sums.entry(key) {
        sum.get_mut().subtract(second, part);
        if sum.get().is_empty() {
            sum.remove();
        }
    }
}

#[cfg(test)]
mod tests;

//! The signed swaps of each client, in order. Retained as long as their records at least, oldest dropped first.

use std::{
    collections::{BTreeSet, HashMap, VecDeque},
    ops::Bound,
};

use firmquote_domain::{Client, MAX_LIFETIME_SECONDS, QuoteId};

use crate::{SwapPosition, SwapRange};

/// The positions of signed swaps, by client.
#[derive(Debug, Default)]
pub(super) struct SwapIndex {
    clients: HashMap<Client, BTreeSet<SwapPosition>>,
    /// All of them, in the order in which they were added.
    order: VecDeque<(Client, SwapPosition)>,
}

impl SwapIndex {
    /// Adds a swap, and drops those whose records are forgotten `retention_seconds` after their end, and the oldest
    /// beyond `capacity`.
    pub(super) fn add(&mut self, client: &Client, position: SwapPosition, retention_seconds: u32, capacity: usize) {
        let forgotten = position.signed_at.minus_seconds(retention_seconds.saturating_add(2 * MAX_LIFETIME_SECONDS));
        while self.order.front().is_some_and(|(_, oldest)| oldest.signed_at < forgotten)
            || self.order.len() >= capacity.max(1)
        {
            self.drop_oldest();
        }
        // A swap that is recorded again keeps its place.
        if self.clients.entry(client.clone()).or_default().insert(position) {
            self.order.push_back((client.clone(), position));
        }
    }

    fn drop_oldest(&mut self) {
        let Some((client, position)) = self.order.pop_front() else { return };
        if let Some(positions) = self.clients.get_mut(&client) {
            positions.remove(&position);
            if positions.is_empty() {
                self.clients.remove(&client);
            }
        }
    }

    /// Returns the first positions in `range`, as many as a page has.
    pub(super) fn positions(&self, client: &Client, range: &SwapRange) -> Vec<SwapPosition> {
        let first = SwapPosition { signed_at: range.start(), quote_id: QuoteId::from_bytes([0; 16]) };
        let from = range.after.filter(|after| *after >= first).map_or(Bound::Included(first), Bound::Excluded);
        let positions = self.clients.get(client).into_iter().flat_map(|positions| {
            positions.range((from, Bound::Unbounded)).take_while(|position| range.contains(**position))
        });
        positions.take(range.page_size()).copied().collect()
    }
}

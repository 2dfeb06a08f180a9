//! The order in which quotes expire.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, VecDeque},
};

use firmquote_domain::{QuoteId, Timestamp};

/// Deadlines, earliest first. Those added in order, such as the deadlines of quotes with equal lifetimes, go into a
/// queue at constant cost; the others go into a heap.
#[derive(Debug, Default)]
pub(super) struct ExpiryQueue {
    in_order: VecDeque<(Timestamp, QuoteId)>,
    out_of_order: BinaryHeap<Reverse<(Timestamp, QuoteId)>>,
}

impl ExpiryQueue {
    pub(super) fn add(&mut self, deadline: Timestamp, id: QuoteId) {
        if self.in_order.back().is_none_or(|(last, _)| *last <= deadline) {
            self.in_order.push_back((deadline, id));
        } else {
            self.out_of_order.push(Reverse((deadline, id)));
        }
    }

    /// Removes the earliest deadline that has passed at `now`, and returns its quote.
    pub(super) fn next(&mut self, now: Timestamp) -> Option<QuoteId> {
        let queued = self.in_order.front().filter(|(deadline, _)| *deadline <= now);
        let sorted = self.out_of_order.peek().map(|Reverse(next)| next).filter(|(deadline, _)| *deadline <= now);
        let is_queued = match (queued, sorted) {
            (Some(queued), Some(sorted)) => queued <= sorted,
            (queued, None) => queued.is_some(),
            (None, Some(_)) => false,
        };
        let next = if is_queued { self.in_order.pop_front() } else { sorted.copied() };
        if !is_queued && next.is_some() {
            self.out_of_order.pop();
        }
        next.map(|(_, id)| id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deadlines_are_ordered_regardless_of_insertion_order() {
        let mut expiry_queue = ExpiryQueue::default();
        let at = |second: u32| Timestamp::from_seconds(second);
        for (position, second) in [(0, 5), (1, 7), (2, 3), (3, 7), (4, 6), (5, 9), (6, 1)] {
            expiry_queue.add(at(second), QuoteId::from_bytes([position; 16]));
        }
        let mut until = |second| {
            let mut ids = Vec::new();
            while let Some(id) = expiry_queue.next(at(second)) {
                ids.push(id.as_bytes()[0]);
            }
            ids
        };
        for (second, expected) in [(0, vec![]), (6, vec![6, 2, 0, 4]), (8, vec![1, 3]), (100, vec![5]), (100, vec![])] {
            assert_eq!(until(second), expected, "{second}");
        }
    }
}

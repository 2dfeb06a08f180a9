//! The division of blocks into requests: where events are long or many, a request covers fewer blocks.

use std::collections::BTreeSet;

use parking_lot::Mutex;

/// The length of the events in one request that is aimed for, in bytes of JSON: half of what a response may have.
const TARGET_BYTES: usize = 2 << 20;

/// The blocks at which a new range has to start, because the events since the start before would be too long. Learned
/// from responses, so that the same events are not requested again at every block.
#[derive(Debug, Default)]
pub(super) struct RangeStarts(Mutex<BTreeSet<u64>>);

impl RangeStarts {
    /// Returns the last block of the range from `first` with at most `blocks` blocks.
    pub(super) fn last_block(&self, first: u64, blocks: u64) -> u64 {
        let next = self.0.lock().range(first.saturating_add(1)..).next().copied();
        first.saturating_add(blocks).min(next.unwrap_or(u64::MAX)) - 1
    }

    /// Makes a new range start at `block`.
    pub(super) fn add(&self, block: u64) {
        self.0.lock().insert(block);
    }

    /// Divides the blocks below `end` anew, by the lengths of the events since the first block of each range that was
    /// read.
    pub(super) fn divide(&self, sizes: &[(u64, usize)], end: u64) {
        let mut starts = self.0.lock();
        *starts = starts.split_off(&end);
        let mut total: usize = 0;
        for (first, bytes) in sizes {
            total = total.saturating_add(*bytes);
            if total > TARGET_BYTES {
                starts.insert(*first);
                total = *bytes;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_with_long_events_are_requested_alone() {
        let starts = RangeStarts::default();
        for block in [50, 25, 38, 44, 45] {
            starts.add(block);
        }
        assert_eq!([10, 25, 44, 45, 50].map(|first| starts.last_block(first, 1_000)), [24, 37, 44, 49, 1_049]);
        starts.divide(&[(10, 1_000), (25, 1_000), (38, 0), (44, 5 << 20), (45, 0)], 50);
        assert_eq!([10, 44, 45, 50].map(|first| starts.last_block(first, 1_000)), [43, 44, 49, 1_049]);
        assert_eq!(starts.last_block(10, 5), 14);
        starts.divide(&[(10, 1_000), (44, 0)], 60);
        assert_eq!(starts.last_block(10, 1_000), 1_009, "after a reorganization without them");
    }
}

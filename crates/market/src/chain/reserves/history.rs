//! The blocks for which reserves were published, to distinguish a node that falls back from a chain reorganization.

use std::collections::BTreeMap;

use firmquote_domain::B256;

use crate::chain::Head;

/// The maximum number of remembered blocks.
const MAX_BLOCKS: usize = 256;

/// How the newest block of a node relates to the blocks that were published before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlockOrder {
    /// Higher than before, or on another branch: the chain was reorganized.
    New,
    /// The block that was published last.
    Same,
    /// A block of the same branch as far as known, lower by this number of blocks: the node is behind, not the chain.
    Lower(u64),
}

/// The published blocks and their parents.
#[derive(Debug, Default)]
pub(super) struct History {
    blocks: BTreeMap<u64, B256>,
    last: Option<Head>,
}

impl History {
    /// Compares `head` with the published blocks.
    pub(super) fn compare(&self, head: &Head) -> BlockOrder {
        let Some(Head { number, hash, .. }) = self.last else { return BlockOrder::New };
        if head.hash == hash {
            return BlockOrder::Same;
        }
        let is_replaced = |number: Option<u64>, hash: B256| {
            number.and_then(|number| self.blocks.get(&number)).is_some_and(|recorded| *recorded != hash)
        };
        let is_reorganized =
            is_replaced(Some(head.number), head.hash) || is_replaced(head.number.checked_sub(1), head.parent_hash);
        if head.number >= number || is_reorganized { BlockOrder::New } else { BlockOrder::Lower(number - head.number) }
    }

    /// Returns the block that was published last.
    pub(super) const fn last(&self) -> Option<&Head> {
        self.last.as_ref()
    }

    /// Records `head` as published. Higher blocks are forgotten: they belong to another branch.
    pub(super) fn record(&mut self, head: &Head) {
        self.blocks.split_off(&head.number);
        self.blocks.insert(head.number, head.hash);
        if let Some(parent) = head.number.checked_sub(1) {
            self.blocks.insert(parent, head.parent_hash);
        }
        while self.blocks.len() > MAX_BLOCKS {
            self.blocks.pop_first();
        }
        self.last = Some(*head);
    }
}

#[cfg(test)]
mod tests {
    use firmquote_domain::Timestamp;

    use super::*;

    /// A block of `branch`, which forked from the first branch at the height `left`.
    fn block(number: u64, branch: u8, left: u64) -> Head {
        let hash = |number: u64| {
            let mut hash = B256::with_last_byte(if number >= left { branch } else { 0 });
            hash[..8].copy_from_slice(&number.to_be_bytes());
            hash
        };
        Head { number, hash: hash(number), parent_hash: hash(number - 1), time: Timestamp::from_seconds(1) }
    }

    fn history(numbers: &[u64]) -> History {
        let mut history = History::default();
        for number in numbers {
            history.record(&block(*number, 0, 0));
        }
        history
    }

    #[test]
    fn a_block_is_new_unless_its_branch_was_reported_further() {
        for (head, expected) in [
            (block(105, 0, 0), BlockOrder::Same),
            (block(106, 0, 0), BlockOrder::New),
            (block(200, 0, 0), BlockOrder::New),
            (block(104, 0, 0), BlockOrder::Lower(1)),
            (block(101, 0, 0), BlockOrder::Lower(4)),
            (block(90, 0, 0), BlockOrder::Lower(15)),
            // The same height, another block.
            (block(105, 1, 105), BlockOrder::New),
            // Lower, and known to be another block, by itself or by its parent.
            (block(104, 1, 104), BlockOrder::New),
            (block(101, 1, 100), BlockOrder::New),
            // Lower, on another branch, which cannot be detected.
            (block(102, 1, 102), BlockOrder::Lower(3)),
        ] {
            assert_eq!(history(&[100, 104, 105]).compare(&head), expected, "{head:?}");
        }
        assert_eq!(History::default().compare(&block(1, 0, 0)), BlockOrder::New);
    }

    #[test]
    fn after_a_reorganisation_the_new_branch_is_canonical() {
        let mut history = history(&[100, 101, 102]);
        let reorganized = block(101, 1, 101);
        assert_eq!(history.compare(&reorganized), BlockOrder::New);
        history.record(&reorganized);
        assert_eq!(history.compare(&reorganized), BlockOrder::Same);
        assert_eq!(history.compare(&block(100, 0, 0)), BlockOrder::Lower(1));
        assert_eq!(history.compare(&block(102, 1, 101)), BlockOrder::New);
    }

    #[test]
    fn history_is_bounded() {
        let history = history(&(1..1_000).collect::<Vec<_>>());
        assert_eq!(history.blocks.len(), MAX_BLOCKS);
        assert_eq!(history.compare(&block(1, 1, 0)), BlockOrder::Lower(998));
    }
}

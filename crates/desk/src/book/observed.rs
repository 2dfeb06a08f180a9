//! What is read from the chain of a pool: a block, and the swaps that the contract executed up to it.

use std::collections::HashMap;

use firmquote_calldata::SwappedEvent;
use firmquote_domain::{B256, ExecutedAmounts, MAX_REORG_DEPTH, Settlement, SignedSwap, Timestamp, UnixSeconds};

/// A block of the chain of a pool, with the swaps that the contract executed up to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObservedBlock {
    /// The number of the block.
    pub number: u64,
    /// Its timestamp.
    pub time: Timestamp,
    /// The block from which on [`Self::swaps`] are known: at least [`MAX_REORG_DEPTH`] before this one, unless the chain
    /// is shorter.
    pub since: u64,
    /// The block up to which swaps without a signature were counted permanently. Those in later blocks are counted
    /// unless [`CountedSwaps`] has them: a reorganization may replace a block that was counted.
    pub counted_until: u64,
    /// How old the newest block may be that a replica still quotes and signs with.
    pub max_age_seconds: u32,
    /// The executed swaps, in the order of the chain.
    pub swaps: Vec<ExecutedSwap>,
    /// Whether [`Self::swaps`] certainly has those of all [blocks in which swaps may have
    /// lapsed](crate::ServedPool::lapsing_blocks).
    pub is_confirmed: bool,
    /// Whether a reorganization replaced more than [`MAX_REORG_DEPTH`] blocks, so that states which count as final may
    /// be wrong.
    pub is_deeply_reorganized: bool,
}

/// A swap that the contract of a pool executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExecutedSwap {
    /// The hash of the transaction.
    pub transaction_hash: B256,
    /// The position of the event among those of its block.
    pub log_index: u64,
    /// The number of the block.
    pub block_number: u64,
    /// The timestamp of the block.
    pub block_time: UnixSeconds,
    /// The event.
    pub event: SwappedEvent,
}

/// The executed swaps of the newest blocks that were counted before. They are identified by their transaction and their
/// position in it: in another block after a reorganization, a transaction has other log indices.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CountedSwaps(HashMap<B256, CountedTransaction>);

/// The last block that included a transaction, and the number of swaps that it executed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct CountedTransaction {
    block_number: u64,
    swaps: usize,
}

impl CountedSwaps {
    /// Adds the swaps of `block`, and removes those beyond [`MAX_REORG_DEPTH`].
    pub fn add(&mut self, block: &ObservedBlock) {
        let mut transactions: HashMap<B256, CountedTransaction> = HashMap::new();
        for ExecutedSwap { transaction_hash, block_number, .. } in &block.swaps {
            let transaction = transactions.entry(*transaction_hash).or_default();
            transaction.block_number = *block_number;
            transaction.swaps += 1;
        }
        for (hash, transaction) in transactions {
            let counted = self.0.entry(hash).or_default();
            *counted = CountedTransaction { swaps: counted.swaps.max(transaction.swaps), ..transaction };
        }
        self.0.retain(|_, transaction| transaction.block_number.abs_diff(block.number) <= MAX_REORG_DEPTH);
    }

    /// Returns for each swap of `block` whether it was counted before.
    pub(super) fn contain(&self, block: &ObservedBlock) -> Vec<bool> {
        let mut positions: HashMap<B256, usize> = HashMap::new();
        let is_counted = |swap: &ExecutedSwap| {
            let position = positions.entry(swap.transaction_hash).or_default();
            *position += 1;
            let counted = self.0.get(&swap.transaction_hash).is_some_and(|counted| *position <= counted.swaps);
            counted || swap.block_number <= block.counted_until
        };
        block.swaps.iter().map(is_counted).collect()
    }
}

/// Seconds by which the time of a block may be earlier than that of a signature that it executes.
const CLOCK_DIFFERENCE_SECONDS: u32 = 15;

impl ExecutedSwap {
    /// Whether this may be the execution of `swap`: its block is valid for the swap, and either follows the block that the
    /// swap was checked against or replaced an earlier one after the signature.
    pub(super) fn may_be(&self, swap: &SignedSwap) -> bool {
        let is_after = swap.block.is_some_and(|block| block < self.block_number);
        let is_replaced = self.is_younger(swap) && first_block(swap).is_some_and(|first| first <= self.block_number);
        self.is_valid(swap) && (is_after || is_replaced)
    }

    /// Whether `swap` is valid in its block.
    pub(super) fn is_valid(&self, swap: &SignedSwap) -> bool {
        self.block_time <= swap.offer.good_until.expires_at()
    }

    /// Whether its block may be younger than the signature of `swap`.
    pub(super) fn is_younger(&self, swap: &SignedSwap) -> bool {
        self.block_time.checked_add(CLOCK_DIFFERENCE_SECONDS) >= Some(swap.signed_at.seconds())
    }
}

impl From<&ExecutedSwap> for ExecutedAmounts {
    fn from(ExecutedSwap { transaction_hash, block_number, event, .. }: &ExecutedSwap) -> Self {
        Self {
            transaction_hash: *transaction_hash,
            block: *block_number,
            input: (event.input_token, event.input_amount),
            output: (event.output_token, event.output_amount),
        }
    }
}

impl From<&ExecutedSwap> for Settlement {
    fn from(swap: &ExecutedSwap) -> Self {
        Self {
            transaction_hash: swap.transaction_hash,
            log_index: swap.log_index,
            block_number: swap.block_number,
            block_time: swap.block_time,
            input_amount: swap.event.input_amount,
            output_amount: swap.event.output_amount,
        }
    }
}

/// The first block that may execute a swap: a reorganization may take it below the block that the swap was checked
/// against.
pub(super) fn first_block(swap: &SignedSwap) -> Option<u64> {
    swap.block.map(|block| block.saturating_sub(MAX_REORG_DEPTH))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::candidates::tests::executed;

    /// The block `number` with swaps in these blocks and transactions, of which those up to block 5 are counted.
    fn block(number: u64, swaps: &[(u64, u8)]) -> ObservedBlock {
        let swaps = swaps.iter().map(|(block, byte)| executed([1_000, 3_000], *block, *byte));
        ObservedBlock {
            max_age_seconds: 60,
            number,
            time: Timestamp::from_seconds(2),
            since: 0,
            counted_until: 5,
            swaps: swaps.collect(),
            is_confirmed: true,
            is_deeply_reorganized: false,
        }
    }

    #[test]
    fn a_swap_is_counted_once_whichever_block_includes_its_transaction() {
        let mut counted = CountedSwaps::default();
        let is_counted = |counted: &CountedSwaps, swaps: &[(u64, u8)]| counted.contain(&block(9, swaps));
        assert_eq!(is_counted(&counted, &[(5, 1), (6, 2)]), [true, false]);
        counted.add(&block(8, &[(5, 1), (8, 2), (8, 3)]));
        counted.add(&block(7, &[(5, 1), (7, 2)]));
        assert_eq!(is_counted(&counted, &[(9, 2), (9, 3), (9, 4)]), [true, true, false], "in another block");
        assert_eq!(is_counted(&counted, &[(9, 2), (9, 2)]), [true, false], "one more of the transaction");
        counted.add(&block(7 + MAX_REORG_DEPTH, &[(9, 4)]));
        assert_eq!(counted.0.len(), 3, "without the first");
        counted.add(&block(10 + MAX_REORG_DEPTH, &[]));
        assert_eq!(counted, CountedSwaps::default());
    }
}

//! What is read from the chain of a pool: a block, and the swaps that the contract executed up to it.

use firmquote_calldata::SwappedEvent;
use firmquote_domain::{B256, Settlement, SignedSwap, Timestamp, UnixSeconds};

/// The number of blocks below which none is replaced by a reorganization any more.
pub(super) const REORGANIZATION_DEPTH: u64 = 64;

/// A block of the chain of a pool, with the swaps that the contract executed up to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObservedBlock {
    /// The number of the block.
    pub number: u64,
    /// Its timestamp.
    pub time: Timestamp,
    /// The block from which on [`Self::swaps`] are known.
    pub since: u64,
    /// The block up to which swaps without a signature were counted before.
    pub counted_until: u64,
    /// How old the newest block may be that a replica still quotes and signs with.
    pub max_age_seconds: u32,
    /// The executed swaps, in the order of the chain.
    pub swaps: Vec<ExecutedSwap>,
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

/// Seconds by which the time of a block may be earlier than that of a signature that it executes.
const CLOCK_DIFFERENCE_SECONDS: u32 = 15;

impl ExecutedSwap {
    /// Whether its block may have executed `swap`: one after the block that the swap was checked against, or one that replaced
    /// an earlier block once the swap was signed; and not after the end of its validity.
    pub(super) fn may_be(&self, swap: &SignedSwap) -> bool {
        let is_valid = self.block_time <= swap.offer.good_until.expires_at();
        let is_younger = self.block_time.checked_add(CLOCK_DIFFERENCE_SECONDS) >= Some(swap.signed_at.seconds());
        let is_after = swap.block.is_some_and(|block| block < self.block_number);
        let is_replaced = is_younger && first_block(swap).is_some_and(|first| first <= self.block_number);
        is_valid && (is_after || is_replaced)
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

/// The first block that may execute a swap: a reorganization may take it below the block that the swap was checked against.
pub(super) fn first_block(swap: &SignedSwap) -> Option<u64> {
    swap.block.map(|block| block.saturating_sub(REORGANIZATION_DEPTH))
}

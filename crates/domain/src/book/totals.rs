//! The sums of a book, as of any block.

use std::sync::Arc;

use alloy_primitives::Address;

use super::{
    executions::RecentExecutions,
    flows::{Change, TokenFlows, count},
    swap::SignedSwap,
};

/// Sums for each token, for readers that have seen the chain up to any block. Immutable and cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct BookTotals {
    pub(super) outstanding: Vec<(Address, TokenFlows)>,
    /// Swaps that settled or lapsed, in the order of the blocks that closed them.
    pub(super) closed: Arc<[ClosedSwap]>,
    pub(super) executions: RecentExecutions,
}

/// A swap that settled or lapsed.
#[derive(Clone, Debug)]
pub(super) struct ClosedSwap {
    /// The block that closed it.
    pub(super) block: u64,
    pub(super) swap: Arc<SignedSwap>,
}

impl BookTotals {
    /// Returns the sums of the swaps that are outstanding as of `block`: swaps that settled or lapsed later still
    /// count. Without a block, only the currently outstanding swaps count.
    pub fn flows(&self, token: Address, block: Option<u64>) -> TokenFlows {
        let outstanding = self.outstanding.iter().find(|(known, _)| *known == token);
        let mut flows = outstanding.map_or(TokenFlows::default(), |(_, flows)| *flows);
        for closed in block.map_or(&[][..], |block| self.closed_after(block)) {
            count(&mut flows, token, &closed.swap.offer, Change::Add);
        }
        flows
    }

    /// Returns the flows of `token` that a reorganization of the `depth` blocks up to `block` may cause: by undoing what
    /// the contract executed there, and by executing swaps that settled or lapsed there, again or after all. The second
    /// time a swap may move all of its amounts, however little of them it moved before. Executions in later blocks count
    /// as well: reserves of that block may be about to replace those of `block`.
    pub fn reversal(&self, token: Address, block: Option<u64>, depth: u64) -> TokenFlows {
        let Some(block) = block.filter(|_| depth > 0) else { return TokenFlows::default() };
        let confirmed = block.saturating_sub(depth);
        let mut flows = self.executions.undone_after(confirmed, token);
        for closed in self.closed_after(confirmed).iter().filter(|closed| closed.block <= block) {
            count(&mut flows, token, &closed.swap.offer, Change::Add);
        }
        flows
    }

    /// Returns all flows that may move the reserve of `token` against a swap: [`Self::flows`] and [`Self::reversal`].
    pub fn adverse_flows(&self, token: Address, block: Option<u64>, depth: u64) -> TokenFlows {
        let mut flows = self.flows(token, block);
        flows += self.reversal(token, block, depth);
        flows
    }

    fn closed_after(&self, block: u64) -> &[ClosedSwap] {
        let earlier = self.closed.partition_point(|closed| closed.block <= block);
        self.closed.get(earlier..).unwrap_or_default()
    }
}

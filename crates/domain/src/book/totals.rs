//! The sums of a book, as of any block.

use std::sync::Arc;

use alloy_primitives::Address;

use super::{flows::TokenFlows, reorganization::RecentExecutions};

/// Sums for each token, for readers that have seen the chain up to any block. Immutable and cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct BookTotals {
    pub(super) outstanding: Vec<(Address, TokenFlows)>,
    pub(super) closed: ClosedFlows,
    pub(super) executions: RecentExecutions,
}

/// The flows of the swaps that settled or lapsed, by the block that closed them and the token, in the order of the
/// blocks. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub(super) struct ClosedFlows(pub(super) Arc<[(u64, Address, TokenFlows)]>);

impl ClosedFlows {
    /// Returns the flows of `token` by the swaps that blocks after `after`, up to `until`, closed.
    pub(super) fn between(&self, token: Address, after: u64, until: u64) -> TokenFlows {
        let earlier = self.0.partition_point(|(block, ..)| *block <= after);
        let mut flows = TokenFlows::default();
        for (block, closed_token, closed) in self.0.get(earlier..).unwrap_or_default() {
            if *block <= until && *closed_token == token {
                flows += *closed;
            }
        }
        flows
    }
}

impl BookTotals {
    /// Creates the sums of outstanding swaps with these flows, one entry for each token.
    pub fn from_outstanding(flows: impl IntoIterator<Item = (Address, TokenFlows)>) -> Self {
        Self { outstanding: flows.into_iter().collect(), ..Self::default() }
    }

    /// Returns the sums of the swaps that are outstanding as of `block`: swaps that settled or lapsed later still
    /// count. Without a block, only the currently outstanding swaps count.
    pub fn flows(&self, token: Address, block: Option<u64>) -> TokenFlows {
        let outstanding = self.outstanding.iter().find(|(known, _)| *known == token);
        let mut flows = outstanding.map_or(TokenFlows::default(), |(_, flows)| *flows);
        if let Some(block) = block {
            flows += self.closed.between(token, block, u64::MAX);
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
        flows += self.closed.between(token, confirmed, block);
        flows
    }

    /// Returns all flows that may move the reserve of `token` against a swap: [`Self::flows`] and [`Self::reversal`].
    pub fn adverse_flows(&self, token: Address, block: Option<u64>, depth: u64) -> TokenFlows {
        let mut flows = self.flows(token, block);
        flows += self.reversal(token, block, depth);
        flows
    }
}

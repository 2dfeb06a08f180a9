//! What the pool contract executed in the newest blocks: a reorganization may undo it.

use std::{collections::HashSet, sync::Arc};

use alloy_primitives::{Address, B256, U256, U512};

use super::flows::TokenFlows;
use crate::MAX_REORG_DEPTH;

/// A swap that the pool contract executed, signed by this service or not, as far as it moved reserves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExecutedAmounts {
    /// The transaction.
    pub transaction_hash: B256,
    /// The number of its block.
    pub block: u64,
    /// The input token, and the base units that came in.
    pub input: (Address, U256),
    /// The output token, and the base units that went out.
    pub output: (Address, U256),
}

/// The executions of the newest blocks, in the order of their blocks. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub(super) struct RecentExecutions(Arc<[ExecutedAmounts]>);

impl RecentExecutions {
    /// Records the executions up to the block `head`. Those that a reorganization dropped stay while their block is near:
    /// reserves of their branch may still be in use. Returns whether anything changed.
    pub(super) fn record(&mut self, head: u64, executions: Vec<ExecutedAmounts>) -> bool {
        let observed: HashSet<B256> = executions.iter().map(|execution| execution.transaction_hash).collect();
        let dropped = self.0.iter().filter(|execution| !observed.contains(&execution.transaction_hash)).copied();
        let mut recent: Vec<ExecutedAmounts> = dropped.chain(executions).collect();
        recent.retain(|execution| head.abs_diff(execution.block) < MAX_REORG_DEPTH);
        recent.sort_by_key(|execution| execution.block);
        let is_changed = *recent != *self.0;
        if is_changed {
            self.0 = recent.into();
        }
        is_changed
    }

    /// Returns the flows of `token` if all executions after `block` were undone.
    pub(super) fn undone_after(&self, block: u64, token: Address) -> TokenFlows {
        let confirmed = self.0.partition_point(|execution| execution.block <= block);
        let mut flows = TokenFlows::default();
        for ExecutedAmounts { input, output, .. } in self.0.get(confirmed..).unwrap_or_default() {
            for (sum, (moved, amount)) in [(&mut flows.outflow, input), (&mut flows.inflow, output)] {
                if *moved == token {
                    *sum = sum.saturating_add(U512::from(*amount));
                }
            }
        }
        flows
    }
}

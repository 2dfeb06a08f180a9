//! The reserves of a pool according to its own books, read at every new block.

mod history;
mod source;

use firmquote_domain::{Address, B256, PoolId, Timestamp, U256};

use super::{ChainError, PoolEvents, RequestedEvents};
pub use source::{ReserveSource, read_reserves};

#[cfg(any(test, fuzzing))]
pub(super) use crate::chain::reserves::source::reserves_from_balances;

/// The reserves of a pool at one block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PoolReserves {
    /// Number of the block.
    pub block_number: u64,
    /// Hash of the block.
    pub block_hash: B256,
    /// Timestamp of the block.
    pub block_time: Timestamp,
    /// Each token of the pool with its balance in base units, in the pool's order.
    pub balances: Vec<(Address, U256)>,
    /// Pool tokens in circulation, in their base units.
    pub pool_tokens: U256,
    /// The requested events, in the order of the chain.
    pub events: Option<PoolEvents>,
}

/// Why the reserves of a pool could not be updated; one variant per reaction.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReserveError {
    /// No node could be read, which may resolve by itself.
    #[error("{0}")]
    Unavailable(#[source] ChainError),
    /// Every node could be read, but the contract is not a pool: the operator has to act.
    #[error("the contract {0}")]
    Contract(String),
}

impl From<ChainError> for ReserveError {
    fn from(error: ChainError) -> Self {
        match error.contract_fault() {
            Some(reason) => Self::Contract(reason.to_owned()),
            None => Self::Unavailable(error),
        }
    }
}

/// A consumer of reserve updates. Returns at once; never blocks.
pub trait ReserveListener: Send + Sync {
    /// Receives an update for `pool`: its reserves at a block that is newer than the one before, unless the chain was
    /// reorganized; or why they could not be updated. An error revokes nothing: earlier reserves remain those of their
    /// block, and the listener decides for how long they count.
    fn receive(&self, pool: PoolId, update: Result<PoolReserves, ReserveError>);

    /// Returns the events to be read with the reserves of block `head`, which has this number and time; `None` if no
    /// events are needed. By default none are.
    fn requested_events(&self, _pool: PoolId, _head: (u64, Timestamp)) -> Option<RequestedEvents> {
        None
    }
}

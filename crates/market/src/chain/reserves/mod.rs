//! What a pool holds by its own books, read anew at every new block.

mod history;
mod source;

use firmquote_domain::{Address, PoolId, Timestamp, U256};

use super::ChainError;
pub use source::{ReserveSource, read_reserves};

#[cfg(any(test, fuzzing))]
pub(super) use crate::chain::reserves::source::reserves as of_books;

/// What a pool held at one block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PoolReserves {
    /// Number of the block.
    pub block_number: u64,
    /// Time of the block, as the chain tells it.
    pub block_time: Timestamp,
    /// Each token of the pool with its base units, in the pool's order.
    pub balances: Vec<(Address, U256)>,
    /// Pool tokens in circulation, in their base units.
    pub pool_tokens: U256,
}

/// Why nothing newer is known of a pool's reserves; a variant per reaction.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReserveError {
    /// No node could be read: it may pass by itself.
    #[error("{0}")]
    Unavailable(#[source] ChainError),
    /// A node could be read, and the contract is not a pool: somebody has to look.
    #[error("the contract {0}")]
    Contract(String),
}

impl From<ChainError> for ReserveError {
    fn from(error: ChainError) -> Self {
        match error.of_contract() {
            Some(reason) => Self::Contract(reason.to_owned()),
            None => Self::Unavailable(error),
        }
    }
}

/// Whoever wants to know reserves. Takes what is said as it comes and returns at once; never waits.
pub trait ReserveListener: Send + Sync {
    /// Takes what is known of `pool`: what it held at a block that is newer than the one before, unless the chain was
    /// reorganised; or why nothing newer is known. An error takes nothing back: what was told before is what the pool
    /// held at that block, and how long that counts is the listener's rule.
    fn receive(&self, pool: PoolId, update: Result<PoolReserves, ReserveError>);
}

//! What a pool held in a block.

use firmquote_domain::{B256, Timestamp, U256};

/// What a pool held in a block, as breakers compare it with later blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PoolSample {
    /// The number of the block.
    pub block_number: u64,
    /// The hash of the block.
    pub block_hash: B256,
    /// The time of the block.
    pub block_time: Timestamp,
    /// The balance of each asset in base units, in the pool's order.
    pub balances: Vec<U256>,
    /// Pool tokens in circulation, in base units.
    pub pool_tokens: U256,
}

impl PoolSample {
    /// The seconds of which the store keeps one sample of a pool.
    pub const INTERVAL_SECONDS: u32 = 10;

    /// The most seconds for which the store keeps samples of a pool: a day.
    pub const RETENTION_SECONDS: u32 = 86_400;

    /// The number of the interval in which the block is.
    pub(crate) fn interval(&self) -> u32 {
        Self::interval_of(self.block_time)
    }

    /// The number of the first interval that the store keeps beside this sample.
    pub(crate) fn oldest_kept_interval(&self) -> u32 {
        self.interval().saturating_sub(Self::RETENTION_SECONDS / Self::INTERVAL_SECONDS)
    }

    /// The number of the interval in which `time` is.
    pub(crate) fn interval_of(time: Timestamp) -> u32 {
        time.seconds().get() / Self::INTERVAL_SECONDS
    }
}

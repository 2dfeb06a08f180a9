//! The answer to a pause.

use firmquote_domain::{Address, PoolId};
use serde::Serialize;

use super::number::Text;

/// Which pools were paused or let go on.
#[derive(Debug, Serialize)]
pub(crate) struct PausesAnswer {
    pools: Vec<PoolPause>,
    /// Whether other replicas know it and it outlives this process.
    shared: bool,
}

#[derive(Debug, Serialize)]
struct PoolPause {
    chain_id: u64,
    pool_address: Text<Address>,
    paused: bool,
}

impl PausesAnswer {
    /// The answer about `pools`.
    pub(crate) fn of(pools: &[PoolId], is_paused: bool, is_shared: bool) -> Self {
        let pause = |pool: &PoolId| PoolPause {
            chain_id: pool.chain_id.get(),
            pool_address: Text(pool.address),
            paused: is_paused,
        };
        Self { pools: pools.iter().map(pause).collect(), shared: is_shared }
    }
}

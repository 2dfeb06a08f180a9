//! The answer to a pause.

use firmquote_desk::Pauses;
use firmquote_domain::{Address, PoolId};
use serde::Serialize;

use super::number::Text;

/// Which pools were paused or let go on.
#[derive(Debug, Serialize)]
pub(crate) struct PausesAnswer {
    pools: Vec<PoolPause>,
    /// Whether other replicas know it.
    shared: bool,
    /// Whether it is there after a restart.
    kept: bool,
}

#[derive(Debug, Serialize)]
struct PoolPause {
    chain_id: u64,
    pool_address: Text<Address>,
    paused: bool,
}

impl PausesAnswer {
    /// The answer about `pools`.
    pub(crate) fn of(pools: &[PoolId], is_paused: bool, pauses: &Pauses) -> Self {
        let pause = |pool: &PoolId| PoolPause {
            chain_id: pool.chain_id.get(),
            pool_address: Text(pool.address),
            paused: is_paused,
        };
        let (shared, kept) = (pauses.is_shared(), pauses.outlives_process());
        Self { pools: pools.iter().map(pause).collect(), shared, kept }
    }
}

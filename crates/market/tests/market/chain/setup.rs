//! Sources of nodes, with times so short that nobody waits for them.

use std::{sync::Arc, time::Duration};

use firmquote_domain::{ChainId, ManualClock, PoolId, Timestamp};
use firmquote_market::chain::{ChainRpc, ChainRpcConfig, ReserveSource};

use crate::chain::{
    fake::{CHAIN_ID, FakeNode, POOL, TIME},
    hearing::MOMENT,
};

/// Longer than any test: whoever polls in this interval polls once.
pub(crate) const HOUR: Duration = Duration::from_hours(1);

pub(crate) fn chain_id() -> ChainId {
    ChainId::new(CHAIN_ID).unwrap()
}

/// A clock that stands at the time of the blocks.
pub(crate) fn clock() -> Arc<ManualClock> {
    Arc::new(ManualClock::at(Timestamp::from_micros(TIME * 1_000_000)))
}

pub(crate) fn access(urls: Vec<String>) -> ChainRpcConfig {
    ChainRpcConfig {
        chain_id: chain_id(),
        urls,
        authorities: None,
        call_timeout: Duration::from_millis(500),
        pause: Duration::from_millis(100),
        survey_interval: MOMENT,
        max_lag_blocks: 5,
        max_age_seconds: 60,
    }
}

pub(crate) fn rpc(access: ChainRpcConfig, clock: &Arc<ManualClock>) -> Arc<ChainRpc> {
    Arc::new(ChainRpc::new(access, Arc::clone(clock) as _).unwrap())
}

pub(crate) fn urls(nodes: &[&FakeNode]) -> Vec<String> {
    nodes.iter().map(|node| node.url()).collect()
}

/// The pool that every node knows.
pub(crate) fn pool() -> PoolId {
    PoolId { chain_id: chain_id(), address: POOL }
}

/// The reserves of the pool, polled all the time.
pub(crate) fn source(nodes: &[&FakeNode]) -> ReserveSource {
    source_of(access(urls(nodes)), MOMENT)
}

pub(crate) fn source_of(access: ChainRpcConfig, poll_interval: Duration) -> ReserveSource {
    ReserveSource::new(rpc(access, &clock()), pool(), poll_interval).unwrap()
}

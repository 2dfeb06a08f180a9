//! Sources of fake nodes, with intervals of milliseconds.

use std::{sync::Arc, time::Duration};

use firmquote_domain::{ChainId, ManualClock, PoolId, Timestamp};
use firmquote_market::chain::{ChainRpc, ChainRpcConfig, ReserveSource};

use crate::chain::{
    fake::{CHAIN_ID, FakeNode, POOL, TIME},
    running_source::POLL_INTERVAL,
};

/// Longer than any test: a source with this poll interval polls once.
pub(crate) const HOUR: Duration = Duration::from_hours(1);

pub(crate) fn chain_id() -> ChainId {
    ChainId::new(CHAIN_ID).unwrap()
}

/// Returns a clock that stands at the time of the blocks.
pub(crate) fn clock() -> Arc<ManualClock> {
    Arc::new(ManualClock::at(Timestamp::from_micros(TIME * 1_000_000)))
}

pub(crate) fn config(urls: Vec<String>) -> ChainRpcConfig {
    ChainRpcConfig {
        chain_id: chain_id(),
        urls,
        authorities: None,
        // Longer than a good node takes on a busy machine; tests of silent nodes wait for it.
        call_timeout: Duration::from_secs(3),
        cooldown: Duration::from_millis(100),
        survey_interval: POLL_INTERVAL,
        max_lag_blocks: 5,
        max_age_seconds: 60,
    }
}

pub(crate) fn rpc(config: ChainRpcConfig, clock: &Arc<ManualClock>) -> Arc<ChainRpc> {
    Arc::new(ChainRpc::new(config, Arc::clone(clock) as _).unwrap())
}

pub(crate) fn urls(nodes: &[&FakeNode]) -> Vec<String> {
    nodes.iter().map(|node| node.url()).collect()
}

/// Returns the pool of every node.
pub(crate) fn pool() -> PoolId {
    PoolId { chain_id: chain_id(), address: POOL }
}

/// Returns a source of the pool's reserves that polls constantly.
pub(crate) fn source(nodes: &[&FakeNode]) -> ReserveSource {
    source_with(config(urls(nodes)), POLL_INTERVAL)
}

pub(crate) fn source_with(config: ChainRpcConfig, poll_interval: Duration) -> ReserveSource {
    ReserveSource::new(rpc(config, &clock()), pool(), poll_interval).unwrap()
}

//! The nodes of the configured chains, and whether the pools are there as they are configured.

use std::sync::Arc;

use anyhow::{Context as _, bail};
use firmquote_domain::ChainId;
use firmquote_market::chain::{ChainError, ChainRpc, verify_pool};

use crate::{
    clock::SystemClock,
    config::{Config, PoolConfig},
};

/// The nodes of each chain that has some.
pub(crate) struct Chains(Vec<Arc<ChainRpc>>);

/// The nodes of a configuration. Nothing is asked yet.
///
/// # Errors
/// For addresses that nothing can be asked at, and certificates that cannot be used.
pub(crate) fn open(config: &Config) -> anyhow::Result<Chains> {
    let chains = config.chains.iter().enumerate();
    let nodes = chains.filter_map(|(position, chain)| chain.nodes.as_ref().map(|nodes| (position, nodes)));
    let open = |(position, nodes): (usize, &crate::config::NodesConfig)| {
        let rpc = ChainRpc::new(nodes.access.clone(), Arc::new(SystemClock));
        rpc.map(Arc::new).with_context(|| format!("chain[{position}].rpc_urls"))
    };
    Ok(Chains(nodes.map(open).collect::<Result<_, _>>()?))
}

impl Chains {
    /// The nodes of a chain, if there are any.
    pub(crate) fn of(&self, chain: ChainId) -> Option<&Arc<ChainRpc>> {
        self.0.iter().find(|rpc| rpc.chain_id() == chain)
    }
}

/// Holds a pool against what its contract, its tokens and the nodes say.
///
/// # Errors
/// With everything that is not as it is configured. The inner error is for nodes that cannot be asked at present.
pub(crate) async fn verify(rpc: &ChainRpc, pool: &PoolConfig) -> anyhow::Result<Result<(), ChainError>> {
    let mismatches = match verify_pool(rpc, &pool.pool, pool.signer.signer.address()).await {
        Ok(mismatches) => mismatches,
        Err(error) => return Ok(Err(error)),
    };
    if mismatches.is_empty() {
        return Ok(Ok(()));
    }
    let mismatches: Vec<String> = mismatches.iter().map(ToString::to_string).collect();
    bail!("pool {} is not as it is configured: {}", pool.id(), mismatches.join("; "))
}

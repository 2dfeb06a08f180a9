//! The nodes of the configured chains, and what is read from them: whether the pools match their configuration, their
//! reserves, and the swaps they executed.

mod blocks;
mod inspection;
mod observers;
mod outcome_writer;
pub(crate) mod reserves;
mod verification;

use std::{error::Error as StdError, sync::Arc};

use firmquote_config::{Config, NodesConfig};
use firmquote_domain::{ChainId, Clock};
use firmquote_market::{ChainlinkConfig, PriceSource, chain::ChainRpc, chainlink::ChainlinkSource};

use crate::{Error, error::Context as _};
pub(crate) use inspection::inspect;
pub(crate) use observers::Observers;
pub(crate) use verification::verify_static;

/// The nodes of each chain with `rpc_urls`.
#[derive(Default)]
pub(crate) struct Chains(Vec<Arc<ChainRpc>>);

/// Creates the clients of the configured nodes. Sends no request yet.
///
/// # Errors
/// For unusable addresses and certificates.
pub(crate) fn open(config: &Config, clock: &Arc<dyn Clock>) -> Result<Chains, Error> {
    let chains = config.chains.iter().enumerate();
    let nodes = chains.filter_map(|(position, chain)| chain.nodes.as_ref().map(|nodes| (position, nodes)));
    let open = |(position, nodes): (usize, &NodesConfig)| {
        let rpc = ChainRpc::new(nodes.access.clone(), Arc::clone(clock));
        rpc.map(Arc::new).with_context(|| format!("chain[{position}].rpc_urls"))
    };
    Ok(Chains(nodes.map(open).collect::<Result<_, _>>()?))
}

impl Chains {
    /// Creates the source of the prices of Chainlink feeds on a chain. Connects to nothing before it runs.
    ///
    /// # Errors
    /// For a chain without nodes, and for unusable feeds.
    pub(crate) fn chainlink_source(
        &self,
        chain: ChainId,
        feeds: &ChainlinkConfig,
    ) -> Result<Box<dyn PriceSource>, Box<dyn StdError + Send + Sync>> {
        let rpc = self.rpc(chain).ok_or("a chain without nodes")?;
        Ok(Box::new(ChainlinkSource::new(Arc::clone(rpc), feeds.clone())?))
    }

    /// Returns the nodes of a chain, if any.
    fn rpc(&self, chain: ChainId) -> Option<&Arc<ChainRpc>> {
        self.0.iter().find(|rpc| rpc.chain_id() == chain)
    }
}

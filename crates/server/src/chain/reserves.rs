//! The pools with on-chain reserves. Until a pool has been verified against its configuration, none of its reserves are
//! used.

use std::{sync::Arc, time::Duration};

use firmquote_config::{Config, NodesConfig, PoolConfig, ReservesConfig};
use firmquote_domain::PoolId;
use firmquote_market::chain::{ChainRpc, ReserveSource};
use firmquote_outbound::error_chain;
use tokio::{task::JoinSet, time::sleep};

use super::{
    Chains, Observers, blocks,
    verification::{log_inconclusive, verified_facts, verify},
};
use crate::{
    Error,
    error::Context as _,
    supervise::{Outage, PROTOCOL_ERROR_DELAY},
};

/// Delay between two attempts to verify a pool.
const VERIFY_INTERVAL: Duration = Duration::from_secs(1);
/// The reason why a pool cannot be verified at the moment.
const NO_NODE: &str = "no node can be queried";

/// A pool with on-chain reserves, and the source that reads them.
pub(crate) struct ChainPool {
    pool: PoolConfig,
    rpc: Arc<ChainRpc>,
    source: ReserveSource,
    max_age_seconds: u32,
    is_verified: bool,
    /// The reason why the pool is not verified, as logged.
    outage: Outage<String>,
}

/// Creates the pools with on-chain reserves. Sends no request yet.
///
/// # Errors
/// For a chain without nodes, and for a source that cannot be created.
pub(crate) fn open(config: &Config, chains: &Chains) -> Result<Vec<ChainPool>, Error> {
    let pools = config.pools.iter().filter(|pool| matches!(pool.reserves, ReservesConfig::Chain));
    pools.map(|pool| ChainPool::new(pool, config, chains)).collect()
}

/// Verifies all pools concurrently and returns them in any order.
///
/// # Errors
/// With all mismatches between a pool's configuration and its chain.
pub(crate) async fn verify_all(pools: Vec<ChainPool>) -> Result<Vec<ChainPool>, Error> {
    let verify = |mut pool: ChainPool| async move { pool.verify().await.map(|()| pool) };
    let mut verifying: JoinSet<_> = pools.into_iter().map(verify).collect();
    let mut verified = Vec::new();
    while let Some(pool) = verifying.join_next().await {
        verified.push(pool??);
    }
    Ok(verified)
}

fn without_nodes(pool: PoolId) -> Error {
    Error::PoolMismatch(format!("pool {pool}: its chain has no nodes"))
}

impl ChainPool {
    /// Returns the chain id and the contract address.
    pub(crate) fn id(&self) -> PoolId {
        self.pool.id()
    }

    /// Whether the pool has been verified against its configuration.
    pub(crate) const fn is_verified(&self) -> bool {
        self.is_verified
    }

    /// Whether `other` describes the same pool, in everything that is verified.
    pub(crate) fn describes(&self, other: &PoolConfig) -> bool {
        matches!(other.reserves, ReservesConfig::Chain) && verified_facts(&self.pool) == verified_facts(other)
    }

    fn new(pool: &PoolConfig, config: &Config, chains: &Chains) -> Result<Self, Error> {
        let id = pool.id();
        let nodes = config.chains.iter().find(|chain| chain.id == id.chain_id).and_then(|chain| chain.nodes.as_ref());
        let NodesConfig { access, poll_interval } = nodes.ok_or_else(|| without_nodes(id))?;
        let rpc = Arc::clone(chains.rpc(id.chain_id).ok_or_else(|| without_nodes(id))?);
        let source = ReserveSource::new(Arc::clone(&rpc), id, *poll_interval).with_context(|| format!("pool {id}"))?;
        Ok(Self {
            pool: pool.clone(),
            rpc,
            source,
            max_age_seconds: access.max_age_seconds,
            is_verified: false,
            outage: Outage::new(),
        })
    }

    /// Verifies the pool against its contract, its tokens and the nodes. Unavailable nodes are queried again later;
    /// until then the pool is not quoted.
    ///
    /// # Errors
    /// With all mismatches between the configuration and the chain.
    async fn verify(&mut self) -> Result<(), Error> {
        let pool = self.pool.id();
        match verify(&self.rpc, &self.pool).await? {
            Ok(unverified) => {
                log_inconclusive(pool, &unverified);
                if self.outage.recover() {
                    tracing::info!(%pool, "the pool has been verified");
                }
                self.is_verified = true;
            }
            Err(error) => {
                if self.outage.fail(NO_NODE.to_owned()) {
                    tracing::warn!(%pool, %error, "{NO_NODE}: the pool is not quoted until it is verified");
                }
            }
        }
        Ok(())
    }

    /// Logs a mismatch, once until it changes.
    fn report_mismatch(&self, error: &Error) {
        let error = error_chain(error);
        if self.outage.fail(error.clone()) {
            tracing::error!(error, "the pool is not quoted");
        }
    }

    /// Writes the reserves of the pool to the market, and the swaps executed by its contract to its book, until the
    /// runtime ends.
    pub(crate) async fn run(mut self, observers: Observers) {
        while !self.is_verified {
            sleep(VERIFY_INTERVAL).await;
            if let Err(error) = self.verify().await {
                self.report_mismatch(&error);
                sleep(PROTOCOL_ERROR_DELAY).await;
            }
        }
        blocks::follow(&self.source, self.id(), self.max_age_seconds, &observers).await;
    }
}

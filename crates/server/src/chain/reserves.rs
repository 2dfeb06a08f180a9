//! Keeps on-chain reserves up to date. Until a pool has been verified against its configuration, none of its reserves
//! are used.

use std::{sync::Arc, time::Duration};

use firmquote_config::{Config, NodesConfig, PoolConfig, ReservesConfig};
use firmquote_domain::{Clock, PoolId};
use firmquote_market::{
    MarketWriter, Rejection, Reserves, Trusted,
    chain::{ChainRpc, PoolReserves, ReserveError, ReserveListener, ReserveSource},
};
use firmquote_outbound::error_chain;
use tokio::{
    task::JoinSet,
    time::{sleep, timeout},
};

use super::Chains;
use crate::{
    Error,
    error::Context as _,
    supervise::{Outage, PROTOCOL_ERROR_PAUSE, Supervisor},
};

/// Delay between two attempts to verify a pool.
const VERIFY_INTERVAL: Duration = Duration::from_secs(1);
/// The reason why a pool cannot be verified at the moment.
const NO_NODE: &str = "no node can be queried";
/// How long to wait for the nodes to verify a pool with static reserves.
const STATIC_VERIFY_TIMEOUT: Duration = Duration::from_secs(5);

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
pub(crate) async fn verified(pools: Vec<ChainPool>) -> Result<Vec<ChainPool>, Error> {
    let verify = |mut pool: ChainPool| async move { pool.verify().await.map(|()| pool) };
    let mut verifying: JoinSet<_> = pools.into_iter().map(verify).collect();
    let mut verified = Vec::new();
    while let Some(pool) = verifying.join_next().await {
        verified.push(pool??);
    }
    Ok(verified)
}

/// Verifies the pools with static reserves against their chain, where it has nodes. An unresponsive node is not queried
/// again: such a pool is quoted anyway.
///
/// # Errors
/// With all mismatches between a pool's configuration and its chain.
pub(crate) async fn verify_static(config: &Config, chains: &Chains) -> Result<(), Error> {
    for pool in config.pools.iter().filter(|pool| matches!(pool.reserves, ReservesConfig::Static(..))) {
        let Some(rpc) = chains.rpc(pool.id().chain_id) else { continue };
        let unverified = match timeout(STATIC_VERIFY_TIMEOUT, super::verify(rpc, pool)).await {
            Ok(verified) => verified?.unwrap_or_else(|error| vec![unknown(&error.to_string())]),
            Err(_) => vec![unknown("no node responded in time")],
        };
        for unverified in unverified {
            tracing::warn!(pool = %pool.id(), doubt = unverified, "not everything about the pool could be verified");
        }
    }
    Ok(())
}

fn without_nodes(pool: PoolId) -> Error {
    Error::PoolMismatch(format!("pool {pool}: its chain has no nodes"))
}

fn unknown(reason: &str) -> String {
    format!("cannot verify that the pool matches its configuration: {reason}")
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
        let is_read = matches!(other.reserves, ReservesConfig::Chain);
        let [signer, of_other] = [&self.pool, other].map(|pool| pool.signer.signer.address());
        is_read && self.pool.pool == other.pool && signer == of_other
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
        match super::verify(&self.rpc, &self.pool).await? {
            Ok(unverified) => {
                for unverified in unverified {
                    tracing::warn!(%pool, doubt = unverified, "not everything about the pool could be verified");
                }
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

    /// Writes the reserves of the pool to `writer` until the runtime ends.
    pub(crate) async fn run(mut self, writer: Arc<MarketWriter>, clock: Arc<dyn Clock>) {
        while !self.is_verified {
            sleep(VERIFY_INTERVAL).await;
            if let Err(error) = self.verify().await {
                self.report_mismatch(&error);
                sleep(PROTOCOL_ERROR_PAUSE).await;
            }
        }
        let supervisor = Supervisor::new("reserve", self.source.name());
        let writer = ReserveWriter { writer, clock, max_age_seconds: self.max_age_seconds, supervisor: &supervisor };
        loop {
            supervisor.back_off(self.source.run(&writer).await).await;
        }
    }
}

/// Forwards the reserves of a pool to the market.
struct ReserveWriter<'s> {
    writer: Arc<MarketWriter>,
    clock: Arc<dyn Clock>,
    max_age_seconds: u32,
    supervisor: &'s Supervisor<'s>,
}

impl ReserveListener for ReserveWriter<'_> {
    fn receive(&self, pool: PoolId, update: Result<PoolReserves, ReserveError>) {
        let reserves = match update {
            Ok(reserves) => Ok(self.trusted(reserves)),
            Err(ReserveError::Contract(reason)) => Err(Rejection::Reserves(format!("the pool contract {reason}"))),
            // The last reserves stay valid until they are too old.
            Err(ReserveError::Unavailable(_)) => return,
        };
        self.supervisor.report_delivery();
        self.writer.set_reserves(pool, reserves, self.clock.now());
    }
}

impl ReserveWriter<'_> {
    /// Returns the reserves, trusted from the time of their block on.
    fn trusted(&self, reserves: PoolReserves) -> Trusted<Reserves> {
        let PoolReserves { balances, pool_tokens, block_time, .. } = reserves;
        Trusted {
            value: Reserves { balances, pool_tokens },
            since: block_time,
            until: block_time.plus_seconds(self.max_age_seconds),
        }
    }
}

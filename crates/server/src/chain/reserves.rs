//! Keeps the reserves of pools coming that are read from their chain. Until a pool has been found to be as it is
//! configured, none of its reserves are used.

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
    prices::{PROTOCOL_ERROR_PAUSE, pause_after},
};

/// How often a pool that could not be verified is looked at again.
const VERIFY_EVERY: Duration = Duration::from_secs(1);
/// How long nodes are waited for about a pool whose reserves are not read from them.
const WRITTEN_WITHIN: Duration = Duration::from_secs(5);

/// A pool whose reserves are on its chain, and what reads them.
pub(crate) struct PoolOnChain {
    pool: PoolConfig,
    rpc: Arc<ChainRpc>,
    source: ReserveSource,
    max_age_seconds: u32,
    is_verified: bool,
    /// Why it was not verified, as it was reported last.
    reported: Option<String>,
}

/// The pools whose reserves are read from their chain. Nothing is asked yet.
///
/// # Errors
/// For what nothing can be read with.
pub(crate) fn open(config: &Config, chains: &Chains) -> Result<Vec<PoolOnChain>, Error> {
    let pools = config.pools.iter().filter(|pool| matches!(pool.reserves, ReservesConfig::Chain));
    pools.map(|pool| PoolOnChain::new(pool, config, chains)).collect()
}

/// The pools in any order, each held against its chain, all at once.
///
/// # Errors
/// With everything that is not as it is configured of a pool that is not.
pub(crate) async fn verified(pools: Vec<PoolOnChain>) -> Result<Vec<PoolOnChain>, Error> {
    let verify = |mut pool: PoolOnChain| async move { pool.verify().await.map(|()| pool) };
    let mut verifying: JoinSet<_> = pools.into_iter().map(verify).collect();
    let mut verified = Vec::new();
    while let Some(pool) = verifying.join_next().await {
        verified.push(pool??);
    }
    Ok(verified)
}

/// Holds the pools whose reserves are written in the file against their chain, where it has nodes. What no node tells in time
/// is not asked again: such a pool is quoted all the same.
///
/// # Errors
/// With everything that is not as it is configured of a pool that is not.
pub(crate) async fn verify_written(config: &Config, chains: &Chains) -> Result<(), Error> {
    for pool in config.pools.iter().filter(|pool| matches!(pool.reserves, ReservesConfig::Static(..))) {
        let Some(rpc) = chains.rpc(pool.id().chain_id) else { continue };
        let doubts = match timeout(WRITTEN_WITHIN, super::verify(rpc, pool)).await {
            Ok(verified) => verified?.unwrap_or_else(|error| vec![unknown(&error.to_string())]),
            Err(_) => vec![unknown("no node answered in time")],
        };
        for doubt in doubts {
            tracing::warn!(pool = %pool.id(), doubt, "not everything about the pool could be verified");
        }
    }
    Ok(())
}

fn without_nodes(pool: PoolId) -> Error {
    Error::PoolMismatch(format!("pool {pool}: its chain has no nodes"))
}

fn unknown(reason: &str) -> String {
    format!("whether the pool is as it is configured is not known: {reason}")
}

impl PoolOnChain {
    /// Chain and contract.
    pub(crate) fn id(&self) -> PoolId {
        self.pool.id()
    }

    /// Whether it was found to be as it is configured.
    pub(crate) const fn is_verified(&self) -> bool {
        self.is_verified
    }

    /// Whether it is the pool that `other` describes, in everything that is verified.
    pub(crate) fn is_of(&self, other: &PoolConfig) -> bool {
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
            reported: None,
        })
    }

    /// Holds the pool against what its contract, its tokens and the nodes say. Nodes that cannot be asked now are asked
    /// again later; until then the pool is not quoted.
    ///
    /// # Errors
    /// With everything that is not as it is configured.
    async fn verify(&mut self) -> Result<(), Error> {
        let pool = self.pool.id();
        match super::verify(&self.rpc, &self.pool).await? {
            Ok(doubts) => {
                for doubt in doubts {
                    tracing::warn!(%pool, doubt, "not everything about the pool could be verified");
                }
                if self.reported.take().is_some() {
                    tracing::info!(%pool, "the pool has been verified");
                }
                self.is_verified = true;
            }
            Err(error) if self.reported.is_none() => {
                tracing::warn!(%pool, %error, "no node can be asked: the pool is not quoted until it has been verified");
                self.reported = Some(error.to_string());
            }
            // Reported once for each outage.
            Err(_) => {}
        }
        Ok(())
    }

    /// Reports what is not as it is configured, once until something else is.
    fn report_mismatch(&mut self, error: &Error) {
        let text = error_chain(error);
        if self.reported.as_ref() != Some(&text) {
            tracing::error!(error = text, "the pool is not quoted");
            self.reported = Some(text);
        }
    }

    /// Tells `live` what the pool holds until the runtime ends.
    pub(crate) async fn run(mut self, live: Arc<MarketWriter>, clock: Arc<dyn Clock>) {
        while !self.is_verified {
            sleep(VERIFY_EVERY).await;
            if let Err(error) = self.verify().await {
                self.report_mismatch(&error);
                sleep(PROTOCOL_ERROR_PAUSE).await;
            }
        }
        let books = ReserveWriter { live, clock, max_age_seconds: self.max_age_seconds };
        loop {
            let error = self.source.run(&books).await;
            let pause = pause_after(&error);
            let (source, pause_s) = (self.source.name(), pause.as_secs());
            tracing::warn!(source, %error, pause_s, "a source of reserves ended and is started again");
            sleep(pause).await;
        }
    }
}

/// Passes what a pool holds on to the market.
struct ReserveWriter {
    live: Arc<MarketWriter>,
    clock: Arc<dyn Clock>,
    max_age_seconds: u32,
}

impl ReserveListener for ReserveWriter {
    fn receive(&self, pool: PoolId, reserves_update: Result<PoolReserves, ReserveError>) {
        let reserves = match reserves_update {
            Ok(reserves) => Ok(self.trusted(reserves)),
            Err(ReserveError::Contract(reason)) => Err(Rejection::Reserves(format!("the pool contract {reason}"))),
            // What was read last is good until it is too old.
            Err(ReserveError::Unavailable(_)) => return,
        };
        self.live.set_reserves(pool, reserves, self.clock.now());
    }
}

impl ReserveWriter {
    /// The reserves, trusted from the time of their block on.
    fn trusted(&self, reserves_update: PoolReserves) -> Trusted<Reserves> {
        Trusted {
            value: Reserves { balances: reserves_update.balances, pool_tokens: reserves_update.pool_tokens },
            since: reserves_update.block_time,
            until: reserves_update.block_time.plus_seconds(self.max_age_seconds),
        }
    }
}

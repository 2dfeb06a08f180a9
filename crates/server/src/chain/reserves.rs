//! Keeps on-chain reserves up to date. Until a pool has been verified against its configuration, none of its reserves
//! are used.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use firmquote_calldata::{SWAPPED_TOPIC, decode_swapped};
use firmquote_config::{Config, NodesConfig, PoolConfig, ReservesConfig};
use firmquote_desk::{ExecutedSwap, ObservedBlock};
use firmquote_domain::{B256, Clock, PoolId, PoolSpec, Timestamp};
use firmquote_http::LiveService;
use firmquote_market::{
    MarketWriter, Rejection, Reserves, Trusted,
    chain::{ChainRpc, PoolEvent, PoolEvents, PoolReserves, ReserveError, ReserveListener, ReserveSource},
};
use firmquote_outbound::error_chain;
use futures_util::future::join_all;
use tokio::{
    sync::watch,
    task::JoinSet,
    time::{sleep, timeout},
};

use super::Chains;
use crate::{
    Error,
    error::Context as _,
    metrics::SettlementMetrics,
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

/// Verifies the pools with static reserves against their chain, where it has nodes, except for those that are among `active`
/// ones unchanged. An unresponsive node is not queried again: such a pool is quoted anyway.
///
/// # Errors
/// With all mismatches between a pool's configuration and its chain.
pub(crate) async fn verify_static(config: &Config, chains: &Chains, active: &[PoolConfig]) -> Result<(), Error> {
    let is_new = |pool: &&PoolConfig| {
        matches!(pool.reserves, ReservesConfig::Static(..))
            && !active.iter().any(|active| verified_facts(active) == verified_facts(pool))
    };
    let verify = async |pool: &PoolConfig| {
        let Some(rpc) = chains.rpc(pool.id().chain_id) else { return Ok(()) };
        let unverified = match timeout(STATIC_VERIFY_TIMEOUT, super::verify(rpc, pool)).await {
            Ok(verified) => verified?.unwrap_or_else(|error| vec![unknown(&error.to_string())]),
            Err(_) => vec![unknown("no node responded in time")],
        };
        for unverified in unverified {
            tracing::warn!(pool = %pool.id(), doubt = unverified, "not everything about the pool could be verified");
        }
        Ok(())
    };
    join_all(config.pools.iter().filter(is_new).map(verify)).await.into_iter().collect()
}

/// Returns everything about a pool that is compared with its chain, and the order of its tokens.
fn verified_facts(pool: &PoolConfig) -> impl PartialEq + use<'_> {
    let PoolSpec { id, domain, good_until, single_use, wrapped_native, assets, .. } = pool.pool.spec();
    let tokens: Vec<_> = assets.iter().map(|asset| (asset.address, asset.decimals)).collect();
    (id, domain, good_until, single_use, wrapped_native, tokens, pool.signer.signer.address())
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

    /// Writes the reserves of the pool to the market, and the swaps executed by its contract to its book, until the
    /// runtime ends.
    pub(crate) async fn run(mut self, observers: Observers) {
        while !self.is_verified {
            sleep(VERIFY_INTERVAL).await;
            if let Err(error) = self.verify().await {
                self.report_mismatch(&error);
                sleep(PROTOCOL_ERROR_PAUSE).await;
            }
        }
        let supervisor = Supervisor::new("reserve", self.source.name());
        let (latest, received) = watch::channel(None);
        let follower =
            BlockFollower { observers: &observers, supervisor: &supervisor, latest, observed: AtomicU64::new(0) };
        let reading = async {
            loop {
                supervisor.back_off(self.source.run(&follower).await).await;
            }
        };
        tokio::join!(reading, follower.publish(self.id(), self.max_age_seconds, received));
    }
}

/// The components that are notified of each block of a pool's chain.
#[derive(Clone)]
pub(crate) struct Observers {
    pub(crate) market: Arc<MarketWriter>,
    pub(crate) live: Arc<LiveService>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) metrics: SettlementMetrics,
}

/// How long the book may take to be updated before the reserves are published without it: a swap that is still in the
/// book then counts twice, against the client.
const OBSERVE_TIMEOUT: Duration = Duration::from_secs(1);

/// Receives the blocks of a pool's chain. The newest is published as soon as the one before is.
struct BlockFollower<'s> {
    observers: &'s Observers,
    supervisor: &'s Supervisor<'s>,
    latest: watch::Sender<Option<PoolReserves>>,
    /// The number of the block that was published last; 0 before the first.
    observed: AtomicU64,
}

impl ReserveListener for BlockFollower<'_> {
    fn receive(&self, pool: PoolId, update: Result<PoolReserves, ReserveError>) {
        match update {
            Ok(reserves) => {
                self.latest.send_replace(Some(reserves));
                self.supervisor.report_delivery();
            }
            Err(ReserveError::Contract(reason)) => {
                let rejection = Rejection::Reserves(format!("the pool contract {reason}"));
                self.observers.market.set_reserves(pool, Err(rejection), self.observers.clock.now());
            }
            // The last reserves stay valid until they are too old.
            Err(ReserveError::Unavailable(_)) => {}
        }
    }

    /// The range of events to request: since the oldest swap of the book, so that its states follow from them, and
    /// since the last block, so that every executed swap is counted.
    fn requested_events(&self, pool: PoolId) -> Option<(B256, u64)> {
        let desk = self.observers.live.desk();
        let observed = self.observed.load(Ordering::Relaxed);
        let served = desk.pool(pool);
        let of_book = served.and_then(|served| served.events_since(observed));
        let of_blocks = (observed > 0).then(|| observed.saturating_add(1));
        of_book.into_iter().chain(of_blocks).min().map(|from| (SWAPPED_TOPIC, from))
    }
}

impl BlockFollower<'_> {
    /// Publishes each received block: the executed swaps first, then the reserves.
    async fn publish(&self, pool: PoolId, max_age_seconds: u32, mut received: watch::Receiver<Option<PoolReserves>>) {
        while received.changed().await.is_ok() {
            let Some(reserves) = received.borrow_and_update().clone() else { continue };
            if let Some(events) = &reserves.events {
                self.observe(pool, &reserves, events, max_age_seconds).await;
            }
            self.observed.store(reserves.block_number, Ordering::Relaxed);
            let now = self.observers.clock.now();
            self.observers.market.set_reserves(pool, Ok(trusted(reserves, max_age_seconds, now)), now);
        }
    }

    async fn observe(&self, pool: PoolId, reserves: &PoolReserves, events: &PoolEvents, max_age_seconds: u32) {
        let swap = |event: &PoolEvent| {
            Some(ExecutedSwap {
                transaction_hash: event.transaction_hash,
                log_index: event.log_index,
                block_number: event.block_number,
                block_time: event.block_time.seconds(),
                event: decode_swapped(&event.topics, &event.data).ok()?,
            })
        };
        let block = ObservedBlock {
            max_age_seconds,
            number: reserves.block_number,
            time: reserves.block_time,
            since: events.from,
            // Swaps executed before the first block were counted by an earlier process.
            counted_until: match self.observed.load(Ordering::Relaxed) {
                0 => reserves.block_number,
                observed => observed,
            },
            swaps: events.events.iter().filter_map(swap).collect(),
        };
        let desk = self.observers.live.desk();
        match timeout(OBSERVE_TIMEOUT, desk.observe(pool, &block)).await {
            Ok(Ok(report)) => {
                self.observers.metrics.count(pool, &report);
                if report.unmatched > 0 {
                    let (swaps, block) = (report.unmatched, block.number);
                    tracing::warn!(%pool, swaps, block, "the pool executed swaps that were not signed here");
                }
                if report.reorganized > 0 {
                    let (swaps, block) = (report.reorganized, block.number);
                    tracing::warn!(%pool, swaps, block, "swaps are outstanding again after a reorganization");
                }
            }
            Ok(Err(error)) => {
                tracing::debug!(%pool, error = error_chain(&error), "the book was not updated: retrying at the next block");
            }
            Err(_) => tracing::debug!(%pool, "the book was not updated in time: retrying at the next block"),
        }
    }
}

/// Returns the reserves, which age from the time of their block, or from `now` if that is earlier, so that a slow clock
/// does not extend them.
fn trusted(reserves: PoolReserves, max_age_seconds: u32, now: Timestamp) -> Trusted<Reserves> {
    let PoolReserves { balances, pool_tokens, block_number, block_time, events: _ } = reserves;
    Trusted {
        value: Reserves { balances, block: Some(block_number), pool_tokens },
        since: block_time,
        until: block_time.min(now).plus_seconds(max_age_seconds),
    }
}

#[cfg(test)]
mod tests {
    use std::{io, net::SocketAddr};

    use firmquote_domain::{Address, ChainId};
    use firmquote_market::SourceError;
    use futures_util::FutureExt as _;
    use prometheus::Registry;
    use tracing_subscriber::fmt;

    use super::*;
    use crate::{Application, SystemClock, system_sources};

    /// The observers of a demo.
    async fn observers() -> Observers {
        let clock: Arc<dyn Clock> = Arc::new(SystemClock::new(Duration::from_secs(5)));
        let mut config = Config::demo(&[], &system_sources()).unwrap();
        let free: SocketAddr = "127.0.0.1:0".parse().unwrap();
        (config.server.bind, config.server.admin_bind) = (free, free);
        let application = Application::build(config, Arc::clone(&clock)).await.unwrap();
        Observers {
            market: Arc::new(MarketWriter::new(Arc::default(), Vec::new(), Vec::new(), clock.now())),
            live: Arc::clone(application.service()),
            metrics: SettlementMetrics::new(&Registry::new(), &[]).unwrap(),
            clock,
        }
    }

    #[tokio::test]
    async fn a_contract_that_fails_delivers_nothing() {
        let observers = observers().await;
        let (mut lines, written) = io::pipe().unwrap();
        let log = fmt().with_writer(move || written.try_clone().unwrap()).finish();
        let logging = tracing::subscriber::set_default(log);
        let supervisor = Supervisor::new("reserve", "a node");
        let (latest, received) = watch::channel(None);
        let follower =
            BlockFollower { observers: &observers, supervisor: &supervisor, latest, observed: AtomicU64::new(0) };
        let pool = PoolId { chain_id: ChainId::new(1).unwrap(), address: Address::ZERO };
        for _ in 0..3 {
            follower.receive(pool, Err(ReserveError::Contract("reverts".to_owned())));
            let ended = SourceError::Protocol { reason: "the contract reverts".to_owned() };
            assert_eq!(supervisor.back_off(ended).now_or_never(), None, "it pauses");
        }
        assert!(!received.has_changed().unwrap());
        drop(logging);
        let text = io::read_to_string(&mut lines).unwrap();
        assert_eq!(text.lines().count(), 1, "{text}");
    }
}

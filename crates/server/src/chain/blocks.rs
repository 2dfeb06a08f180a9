//! Follows the blocks of a pool's chain: writes its reserves to the market, and the swaps it executed to its book.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use firmquote_calldata::{SWAPPED_TOPIC, decode_swapped};
use firmquote_desk::{ExecutedSwap, ObservedBlock};
use firmquote_domain::{B256, Clock, PoolId, Timestamp};
use firmquote_http::LiveService;
use firmquote_market::{
    MarketWriter, Rejection, Reserves, Trusted,
    chain::{PoolEvent, PoolEvents, PoolReserves, ReserveError, ReserveListener, ReserveSource},
};
use firmquote_outbound::error_chain;
use tokio::{sync::watch, time::timeout};

use crate::{
    metrics::SettlementMetrics,
    supervise::{Outage, Supervisor},
};

/// The components that are notified of each block of a pool's chain.
#[derive(Clone)]
pub(crate) struct Observers {
    pub(crate) market: Arc<MarketWriter>,
    pub(crate) live: Arc<LiveService>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) metrics: SettlementMetrics,
}

/// How long the book may take to be updated before the reserves are published without it, unless the chain was
/// reorganized: a swap that is still in the book then counts twice, against the client.
const OBSERVE_TIMEOUT: Duration = Duration::from_secs(1);

/// Follows the blocks that `source` reads for `pool`, until the runtime ends.
pub(super) async fn follow(source: &ReserveSource, pool: PoolId, max_age_seconds: u32, observers: &Observers) {
    let supervisor = Supervisor::new("reserve", source.name());
    let (follower, received) = BlockFollower::new(observers, &supervisor);
    let reading = async {
        loop {
            supervisor.back_off(source.run(&follower).await).await;
        }
    };
    tokio::join!(reading, follower.publish(pool, max_age_seconds, received));
}

/// Receives the blocks of a pool's chain. The newest is published as soon as the one before is.
struct BlockFollower<'s> {
    observers: &'s Observers,
    supervisor: &'s Supervisor<'s>,
    latest: watch::Sender<Option<PoolReserves>>,
    /// The number of the block that was published last; 0 before the first.
    observed: AtomicU64,
    /// Of the store.
    outage: Outage<()>,
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
        let of_book = served.and_then(|served| served.events_since(Some(observed).filter(|observed| *observed > 0)));
        let of_blocks = (observed > 0).then(|| observed.saturating_add(1));
        of_book.into_iter().chain(of_blocks).min().map(|from| (SWAPPED_TOPIC, from))
    }
}

impl<'s> BlockFollower<'s> {
    /// Creates the follower, and the receiver of its newest block.
    fn new(observers: &'s Observers, supervisor: &'s Supervisor<'s>) -> (Self, watch::Receiver<Option<PoolReserves>>) {
        let (latest, received) = watch::channel(None);
        (Self { observers, supervisor, latest, observed: AtomicU64::new(0), outage: Outage::new() }, received)
    }

    /// Publishes each received block: the executed swaps first, then the reserves. Reserves that lack swaps which the
    /// book does not count yet are not published: the last ones stay valid until they are too old.
    async fn publish(&self, pool: PoolId, max_age_seconds: u32, mut received: watch::Receiver<Option<PoolReserves>>) {
        while received.changed().await.is_ok() {
            let Some(reserves) = received.borrow_and_update().clone() else { continue };
            let is_counted = match &reserves.events {
                Some(events) => self.observe(pool, &reserves, events, max_age_seconds).await,
                None => true,
            };
            if is_counted {
                self.observed.store(reserves.block_number, Ordering::Relaxed);
                let now = self.observers.clock.now();
                self.observers.market.set_reserves(pool, Ok(trusted(reserves, max_age_seconds, now)), now);
            }
        }
    }

    /// Updates the book as of a block. Returns whether every swap counts in the book or in the reserves of the block.
    async fn observe(&self, pool: PoolId, reserves: &PoolReserves, events: &PoolEvents, max_age_seconds: u32) -> bool {
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
                if self.outage.recover() {
                    tracing::info!(%pool, "the book follows the blocks of the chain again");
                }
                return true;
            }
            Ok(Err(error)) => self.report_failure(pool, &error),
            Err(elapsed) => self.report_failure(pool, &elapsed),
        }
        !desk.is_reorganized(pool, &block)
    }

    fn report_failure(&self, pool: PoolId, error: &(dyn std::error::Error + 'static)) {
        if self.outage.fail(()) {
            let error = error_chain(error);
            tracing::warn!(%pool, error, "the book does not follow the blocks of the chain: retrying at each block");
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

    use firmquote_config::Config;
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
        let (follower, received) = BlockFollower::new(&observers, &supervisor);
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

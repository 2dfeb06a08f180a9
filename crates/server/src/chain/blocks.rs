//! Follows the blocks of a pool's chain: writes its reserves to the market, and the swaps it executed to its book.

use std::{
    pin::pin,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use firmquote_calldata::{SWAPPED_TOPIC, decode_swapped_start};
use firmquote_desk::{CountedSwaps, ExecutedSwap, ObservedBlock, SettlementReport};
use firmquote_domain::{B256, Clock, MAX_REORG_DEPTH, PoolId, Timestamp};
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
/// reorganized: a swap that is still in the book then counts twice, against the client. The update itself continues,
/// with the timeouts of the store.
const UPDATE_TIMEOUT: Duration = Duration::from_secs(1);

/// How many blocks are read again at most to count their swaps, while the store is unavailable: with more, a node might
/// refuse to read any.
const MAX_UNCOUNTED_BLOCKS: u64 = 4_096;

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
    /// The number of the block up to which executed swaps are counted; 0 before the first.
    counted_until: AtomicU64,
    /// The counted swaps in blocks that may still be replaced.
    counted: Mutex<CountedSwaps>,
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
    /// since the last block whose swaps are counted for good, so that every executed swap is, also one in a block that
    /// replaced another.
    fn requested_events(&self, pool: PoolId, head: u64) -> Option<(B256, u64)> {
        let desk = self.observers.live.desk();
        let observed = self.observed.load(Ordering::Relaxed);
        let served = desk.pool(pool);
        let of_book = served.and_then(|served| served.events_since(Some(observed).filter(|observed| *observed > 0)));
        let counted = match self.counted_until.load(Ordering::Relaxed) {
            0 => head,
            counted => counted.max(observed.saturating_sub(MAX_UNCOUNTED_BLOCKS)).min(head),
        };
        let uncounted = counted.saturating_sub(MAX_REORG_DEPTH);
        Some((SWAPPED_TOPIC, of_book.map_or(uncounted, |of_book| of_book.min(uncounted))))
    }
}

impl<'s> BlockFollower<'s> {
    /// Creates the follower, and the receiver of its newest block.
    fn new(observers: &'s Observers, supervisor: &'s Supervisor<'s>) -> (Self, watch::Receiver<Option<PoolReserves>>) {
        let (latest, received) = watch::channel(None);
        let follower = Self {
            observers,
            supervisor,
            latest,
            observed: AtomicU64::new(0),
            counted_until: AtomicU64::new(0),
            counted: Mutex::default(),
            outage: Outage::new(),
        };
        (follower, received)
    }

    /// Publishes each received block.
    async fn publish(&self, pool: PoolId, max_age_seconds: u32, mut received: watch::Receiver<Option<PoolReserves>>) {
        while received.changed().await.is_ok() {
            let Some(reserves) = received.borrow_and_update().clone() else { continue };
            self.publish_block(pool, max_age_seconds, reserves).await;
        }
    }

    /// Publishes a block: the executed swaps first, then the reserves. Reserves that lack swaps which the book does not
    /// count yet are not published: the last ones stay valid until they are too old.
    async fn publish_block(&self, pool: PoolId, max_age_seconds: u32, mut reserves: PoolReserves) {
        let Some(events) = reserves.events.take() else {
            return self.publish_reserves(pool, max_age_seconds, reserves);
        };
        let counted_until = self.counted_until.load(Ordering::Relaxed).min(reserves.block_number);
        let final_block = counted_until.saturating_sub(MAX_REORG_DEPTH + 1);
        let block = observed_block(&reserves, events, final_block, max_age_seconds);
        if counted_until == 0 {
            // Swaps executed before the first block were counted by an earlier process.
            self.set_counted(&block);
        }
        let counted = self.counted().clone();
        let desk = self.observers.live.desk();
        let mut unpublished = Some(reserves);
        // If every swap counts in the book or in the reserves of the block.
        let mut publish_if_counted = |is_counted: bool| {
            if let Some(reserves) = unpublished.take_if(|_| is_counted || !desk.needs_updated_book(pool, &block)) {
                self.publish_reserves(pool, max_age_seconds, reserves);
            }
        };
        let mut updating = pin!(desk.update_book(pool, &block, &counted));
        let (updated, is_late) = match timeout(UPDATE_TIMEOUT, &mut updating).await {
            Ok(updated) => (updated, false),
            Err(elapsed) => {
                self.report_failure(pool, &elapsed);
                publish_if_counted(false);
                (updating.await, true)
            }
        };
        if let Ok(report) = &updated {
            self.set_counted(&block);
            self.report(pool, block.number, report);
        }
        publish_if_counted(updated.as_ref().is_ok_and(|report| report.reorganized == 0));
        let stored = match (updated, desk.pool(pool)) {
            (Ok(_), Some(served)) => desk.store_outcomes(served).await,
            (updated, _) => updated.map(drop),
        };
        match stored {
            Err(error) => self.report_failure(pool, &error),
            Ok(()) if !is_late && self.outage.recover() => {
                tracing::info!(%pool, "the book follows the blocks of the chain again");
            }
            Ok(()) => {}
        }
    }

    /// Records that the swaps of `block` are counted.
    fn set_counted(&self, block: &ObservedBlock) {
        self.counted().add(block);
        self.counted_until.store(block.number, Ordering::Relaxed);
    }

    /// Locks the counted swaps. Every change is complete, so a poisoned lock is safe to use.
    fn counted(&self) -> MutexGuard<'_, CountedSwaps> {
        self.counted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn publish_reserves(&self, pool: PoolId, max_age_seconds: u32, reserves: PoolReserves) {
        self.observed.store(reserves.block_number, Ordering::Relaxed);
        let now = self.observers.clock.now();
        self.observers.market.set_reserves(pool, Ok(trusted(reserves, max_age_seconds, now)), now);
    }

    /// Counts the changes of the book as of `block`, and logs those that the operator should know of.
    fn report(&self, pool: PoolId, block: u64, report: &SettlementReport) {
        self.observers.metrics.count(pool, report);
        if report.unmatched > 0 {
            let swaps = report.unmatched;
            tracing::warn!(%pool, swaps, block, "the pool executed swaps that were not signed here");
        }
        if report.reorganized > 0 {
            let swaps = report.reorganized;
            tracing::warn!(%pool, swaps, block, "swaps are outstanding again after a reorganization");
        }
    }

    fn report_failure(&self, pool: PoolId, error: &(dyn std::error::Error + 'static)) {
        if self.outage.fail(()) {
            let error = error_chain(error);
            tracing::warn!(%pool, error, "the book does not follow the blocks of the chain: retrying at each block");
        }
    }
}

/// Returns the block of `reserves` with its executed swaps.
fn observed_block(
    reserves: &PoolReserves,
    events: PoolEvents,
    counted_until: u64,
    max_age_seconds: u32,
) -> ObservedBlock {
    let swap = |event: PoolEvent| {
        Some(ExecutedSwap {
            transaction_hash: event.transaction_hash,
            log_index: event.log_index,
            block_number: event.block_number,
            block_time: event.block_time.seconds(),
            // Auxiliary data decides nothing, and only its start is read.
            event: decode_swapped_start(&event.topics, &event.data).ok()?,
        })
    };
    ObservedBlock {
        max_age_seconds,
        number: reserves.block_number,
        time: reserves.block_time,
        since: events.from,
        counted_until,
        swaps: events.events.into_iter().filter_map(swap).collect(),
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
    use std::{io, net::SocketAddr, sync::atomic::AtomicBool};

    use async_trait::async_trait;
    use firmquote_config::Config;
    use firmquote_desk::Desk;
    use firmquote_domain::{Address, ChainId, U256};
    use firmquote_http::{Credentials, Metrics};
    use firmquote_market::SourceError;
    use firmquote_store::{
        BookChange, BookStore, BookUpdate, BookVersion, Booking, BookingOutcome, MemoryStore, StoreError,
    };
    use futures_util::FutureExt as _;
    use prometheus::Registry;
    use tokio::time::sleep;
    use tracing_subscriber::fmt;

    use super::*;
    use crate::{
        Application, SystemClock,
        assembly::{self, ServerState},
        system_sources,
    };

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

    /// Books that can be slow or unavailable.
    #[derive(Default)]
    struct FaultyBooks {
        is_slow: AtomicBool,
        fails: AtomicBool,
    }

    impl FaultyBooks {
        async fn respond(&self) -> Result<BookVersion, StoreError> {
            if self.is_slow.load(Ordering::Relaxed) {
                sleep(UPDATE_TIMEOUT + Duration::from_millis(200)).await;
            }
            match self.fails.load(Ordering::Relaxed) {
                true => Err(StoreError::Unavailable("refused".into())),
                false => Ok(BookVersion { epoch: 1, number: 1 }),
            }
        }
    }

    #[async_trait]
    impl BookStore for FaultyBooks {
        async fn enter(&self, booking: &Booking, now: Timestamp) -> Result<BookingOutcome, StoreError> {
            MemoryStore::new(1).enter(booking, now).await
        }

        async fn check(&self, booking: &Booking, now: Timestamp) -> Result<BookingOutcome, StoreError> {
            MemoryStore::new(1).check(booking, now).await
        }

        async fn apply_changes(&self, _: PoolId, _: &[BookChange], _: Timestamp) -> Result<(), StoreError> {
            self.respond().await.map(drop)
        }

        async fn changes_since(
            &self,
            _: PoolId,
            _: Option<BookVersion>,
            _: Timestamp,
        ) -> Result<BookUpdate, StoreError> {
            Ok(BookUpdate::Snapshot { version: self.respond().await?, swaps: Vec::new() })
        }

        fn is_shared(&self) -> bool {
            true
        }
    }

    /// The observers of a demo whose books are `books`, its pool, and the counters.
    async fn observers_with(books: Arc<FaultyBooks>) -> (Observers, PoolId, Registry) {
        let clock: Arc<dyn Clock> = Arc::new(SystemClock::new(Duration::from_secs(5)));
        let config = Config::demo(&[], &system_sources()).unwrap();
        let http_metrics = Arc::new(Metrics::new("0").unwrap());
        let (state, _, _) = ServerState::open(config, Arc::clone(&clock), http_metrics).await.unwrap();
        let Desk { pools, pauses, market, store, firm_levels, operator_view, .. } = &*state.desk;
        let desk = Desk {
            pools: pools.clone(),
            pauses: Arc::clone(pauses),
            market: Arc::clone(market),
            store: Arc::clone(store),
            books,
            firm_levels: Arc::clone(firm_levels),
            clock: Arc::clone(&clock),
            operator_view: Arc::clone(operator_view),
        };
        let pool = desk.pools[0].id();
        let (credentials, _) = Credentials::deduplicated(Vec::new());
        state.live.replace(assembly::service(&state.config, credentials, Arc::new(desk), Arc::clone(&state.prices)));
        let registry = Registry::new();
        let observers = Observers {
            market: Arc::new(MarketWriter::new(Arc::default(), Vec::new(), Vec::new(), clock.now())),
            live: Arc::clone(&state.live),
            metrics: SettlementMetrics::new(&registry, &[]).unwrap(),
            clock,
        };
        (observers, pool, registry)
    }

    /// A block with the events since `from`, one of them in each of these blocks, of this transaction.
    fn block_with_events(number: u64, from: u64, executed: &[(u64, u8)]) -> PoolReserves {
        let topic = |byte| Address::repeat_byte(byte).into_word();
        let event = |(block_number, transaction): &(u64, u8)| PoolEvent {
            block_number: *block_number,
            block_time: Timestamp::from_seconds(1),
            transaction_hash: B256::repeat_byte(*transaction),
            log_index: 0,
            topics: vec![SWAPPED_TOPIC, topic(1), topic(2), topic(3)],
            // Amounts, the position and the length of auxiliary data, and its start.
            data: [1, 1, 96, 1 << 18, 0].map(|word: u64| U256::from(word).to_be_bytes::<32>()).concat().into(),
        };
        PoolReserves {
            block_number: number,
            block_time: Timestamp::from_seconds(1),
            balances: Vec::new(),
            pool_tokens: U256::ZERO,
            events: Some(PoolEvents {
                from,
                events: executed.iter().filter(|(block, _)| (from..=number).contains(block)).map(event).collect(),
            }),
        }
    }

    /// Publishes the block `number` of a chain that executed these swaps, with the events that are requested.
    async fn publish(follower: &BlockFollower<'_>, pool: PoolId, number: u64, executed: &[(u64, u8)]) {
        let (_, from) = follower.requested_events(pool, number).unwrap();
        follower.publish_block(pool, 60, block_with_events(number, from, executed)).await;
    }

    /// The number of executed swaps that were counted as unmatched.
    fn unmatched(registry: &Registry) -> f64 {
        let families = registry.gather();
        let family = families.iter().find(|family| family.name() == "firmquote_unmatched_swaps_total");
        family.into_iter().flat_map(|family| family.get_metric()).map(|metric| metric.get_counter().get_value()).sum()
    }

    #[tokio::test]
    async fn unmatched_swaps_are_counted_once_although_the_store_is_slow_or_fails() {
        let books = Arc::new(FaultyBooks::default());
        let (observers, pool, registry) = observers_with(Arc::clone(&books)).await;
        let supervisor = Supervisor::new("reserve", "a node");
        let (follower, _received) = BlockFollower::new(&observers, &supervisor);
        let executed = [(36, 1), (100, 2), (101, 3), (103, 4), (105, 5)];
        // The block, whether the store is slow, whether it fails, and the swaps counted by then.
        for (number, is_slow, fails, counted) in [
            (100, false, false, 0.0),
            (101, true, false, 1.0),
            (102, false, false, 1.0),
            (103, false, true, 1.0),
            (104, true, true, 1.0),
            (105, false, false, 3.0),
            (106, false, false, 3.0),
        ] {
            books.is_slow.store(is_slow, Ordering::Relaxed);
            books.fails.store(fails, Ordering::Relaxed);
            publish(&follower, pool, number, &executed).await;
            assert_eq!(unmatched(&registry), counted, "{number}");
            assert_eq!(follower.observed.load(Ordering::Relaxed), number, "the reserves are published");
        }
    }

    #[tokio::test]
    async fn unmatched_swaps_in_blocks_that_replace_others_are_counted_once() {
        let replaced: &[(u64, u8)] = &[(90, 1), (100, 2)];
        let replacement: &[(u64, u8)] = &[(90, 1), (98, 3), (100, 4), (101, 2)];
        // The chain, its newest block, and the swaps counted by then.
        for blocks in [
            [(replaced, 100, 0.0), (replacement, 100, 2.0), (replacement, 101, 2.0)],
            [(replaced, 100, 0.0), (replacement, 98, 1.0), (replacement, 101, 2.0)],
            [(replaced, 99, 0.0), (replaced, 100, 1.0), (replacement, 101, 3.0)],
        ] {
            let (observers, pool, registry) = observers_with(Arc::default()).await;
            let supervisor = Supervisor::new("reserve", "a node");
            let (follower, _received) = BlockFollower::new(&observers, &supervisor);
            for (chain, number, counted) in blocks {
                publish(&follower, pool, number, chain).await;
                assert_eq!(unmatched(&registry), counted, "{number} of {blocks:?}");
            }
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

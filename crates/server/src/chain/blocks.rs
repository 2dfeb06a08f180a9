//! Follows the blocks of a pool's chain: writes its reserves to the market, and the swaps it executed to its book.

use std::{
    pin::pin,
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    time::Duration,
};

use firmquote_analysis::BlockBalances;
use firmquote_calldata::{SWAPPED_TOPIC, decode_swapped_start};
use firmquote_desk::{CountedSwaps, ExecutedSwap, ObservationReport, ObservedBlock, ServedPool};
use firmquote_domain::{MAX_REORG_DEPTH, PoolId, Timestamp, UnixSeconds};
use firmquote_market::{
    Rejection, Reserves, Trusted,
    chain::{
        ConfirmedBlocks, PoolEvent, PoolEvents, PoolReserves, RequestedEvents, ReserveError, ReserveListener,
        ReserveSource,
    },
};
use firmquote_outbound::error_chain;
use firmquote_store::PoolSample;
use parking_lot::Mutex;
use tokio::{sync::watch, time::timeout};

use super::{observers::Observers, outcome_writer::OutcomeWriter};
use crate::{
    metrics::SwapOutcomeMetrics,
    records::PoolBlocks,
    supervise::{Outage, Supervisor},
};

impl Observers {
    /// Reports executed `swaps` of signatures that the book does not have: those of signatures that the ledger has, and
    /// those that were never signed here. The ledger is read beside the blocks.
    fn report_unmatched(&self, pool: PoolId, block: u64, swaps: Vec<ExecutedSwap>) {
        let wrapped_native =
            self.live.desk().pool(pool).map(|served| served.signer().pool().spec().chain.wrapped_native);
        let (Some(ledger), Some(wrapped_native)) = (self.ledger.clone(), wrapped_native) else {
            return report_signatures(&self.metrics, pool, block, [0, swaps.len()]);
        };
        let (metrics, executed) = (self.metrics.clone(), swaps.len());
        tokio::spawn(async move {
            let unsigned = match ledger.without_signature(swaps, wrapped_native).await {
                Ok(unsigned) => unsigned.len(),
                Err(error) => {
                    tracing::warn!(%pool, error, "executed swaps cannot be looked up in the ledger");
                    executed
                }
            };
            report_signatures(&metrics, pool, block, [executed - unsigned, unsigned]);
        });
    }
}

/// Counts and logs executed swaps that the book does not explain: those of signatures that the ledger has, and the
/// others.
fn report_signatures(metrics: &SwapOutcomeMetrics, pool: PoolId, block: u64, [signed_before, unsigned]: [usize; 2]) {
    metrics.count_unmatched(pool, signed_before, unsigned);
    if signed_before > 0 {
        tracing::info!(%pool, swaps = signed_before, block, "the pool executed swaps of signatures that only the ledger has");
    }
    if unsigned > 0 {
        tracing::error!(%pool, swaps = unsigned, block, "the pool executed swaps that were not signed here");
    }
}

/// How long the book may take to be updated before the reserves are published without it, unless the chain was
/// reorganized. Until it is updated, an executed swap counts both in the book and in the reserves, which only lowers
/// quotes. The update itself continues, with the timeouts of the store.
const UPDATE_TIMEOUT: Duration = Duration::from_secs(1);

/// How many blocks are read again at most to count their swaps, while the store is unavailable: with more, a node might
/// refuse to read any.
const MAX_UNCOUNTED_BLOCKS: u64 = 4_096;

/// Follows the blocks that `source` reads for `pool`, until the runtime ends.
pub(super) async fn follow(source: &ReserveSource, pool: PoolId, max_age_seconds: u32, observers: &Observers) {
    let supervisor = Supervisor::new("reserve", source.name());
    let outcomes = OutcomeWriter::new(&observers.live, pool);
    let (follower, received) = BlockFollower::new(observers, &supervisor, &outcomes);
    let reading = async {
        loop {
            supervisor.back_off(source.run(&follower).await).await;
        }
    };
    tokio::join!(reading, follower.publish(pool, max_age_seconds, received), outcomes.run());
}

/// Receives the blocks of a pool's chain. The newest is published as soon as the one before is.
struct BlockFollower<'s> {
    observers: &'s Observers,
    supervisor: &'s Supervisor<'s>,
    outcomes: &'s OutcomeWriter<'s>,
    latest: watch::Sender<Option<PoolReserves>>,
    /// Whether a block since the last published one, which may have replaced it, was the first after a deep
    /// reorganization.
    is_deeply_reorganized: AtomicBool,
    /// The number of the block that was published last; 0 before the first.
    observed: AtomicU64,
    /// The number of the block up to which executed swaps are counted; 0 before the first.
    counted_until: AtomicU64,
    /// The counted swaps in blocks that may still be replaced.
    counted: Mutex<CountedSwaps>,
    /// The blocks that were recorded.
    history: Mutex<PoolBlocks>,
    /// Of the store.
    outage: Outage<()>,
}

impl ReserveListener for BlockFollower<'_> {
    fn receive(&self, pool: PoolId, update: Result<PoolReserves, ReserveError>) {
        match update {
            Ok(reserves) => {
                if reserves.events.as_ref().is_some_and(|events| events.is_deeply_reorganized) {
                    self.is_deeply_reorganized.store(true, Ordering::Relaxed);
                }
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
    /// since the last block whose swaps are counted permanently, so that every executed swap is, also one in a block
    /// that replaced another.
    fn requested_events(&self, pool: PoolId, (head, time): (u64, Timestamp)) -> Option<RequestedEvents> {
        let desk = self.observers.live.desk();
        let observed = self.observed.load(Ordering::Relaxed);
        let served = desk.pool(pool);
        let book_events =
            served.and_then(|served| served.events_since(Some(observed).filter(|observed| *observed > 0)));
        let counted = match self.counted_until.load(Ordering::Relaxed) {
            0 => head,
            counted => counted.max(observed.saturating_sub(MAX_UNCOUNTED_BLOCKS)).min(head),
        };
        let uncounted = counted.saturating_sub(MAX_REORG_DEPTH);
        let lapsing = served.and_then(|served| served.lapsing_blocks(time));
        let confirmed =
            |(from, last): (u64, UnixSeconds)| ConfirmedBlocks { from, until: Timestamp::from_seconds(last.get()) };
        Some(RequestedEvents {
            topic: SWAPPED_TOPIC,
            from: book_events.map_or(uncounted, |book_events| book_events.min(uncounted)),
            known: served.map(ServedPool::execution_blocks).unwrap_or_default(),
            confirmed: lapsing.map(confirmed),
        })
    }
}

impl<'s> BlockFollower<'s> {
    /// Creates the follower, and the receiver of its newest block.
    fn new(
        observers: &'s Observers,
        supervisor: &'s Supervisor<'s>,
        outcomes: &'s OutcomeWriter<'s>,
    ) -> (Self, watch::Receiver<Option<PoolReserves>>) {
        let (latest, received) = watch::channel(None);
        let follower = Self {
            observers,
            supervisor,
            outcomes,
            latest,
            is_deeply_reorganized: AtomicBool::new(false),
            observed: AtomicU64::new(0),
            counted_until: AtomicU64::new(0),
            counted: Mutex::default(),
            history: Mutex::default(),
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
        let mut block = observed_block(&reserves, events, final_block, max_age_seconds);
        block.is_deeply_reorganized |= self.is_deeply_reorganized.load(Ordering::Relaxed);
        if counted_until == 0 {
            // Swaps executed before the first block were counted by an earlier process.
            self.set_counted(&block);
        }
        let counted = self.counted.lock().clone();
        let desk = self.observers.live.desk();
        if let Some(served) = desk.pool(pool) {
            let (spec, now) = (served.signer().pool().spec(), self.observers.clock.now());
            self.observers.tape.record(&mut self.history.lock(), spec, block_balances(&reserves), &block, now);
            self.observers.breakers.observe(served, sample(&reserves), &block);
        }
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
        publish_if_counted(updated.as_ref().is_ok_and(|report| report.reorganized == 0));
        match updated {
            Err(error) => self.report_failure(pool, &error),
            Ok(report) => {
                if block.is_deeply_reorganized {
                    self.is_deeply_reorganized.store(false, Ordering::Relaxed);
                }
                self.set_counted(&block);
                self.report(pool, block.number, &report);
                self.outcomes.request();
                if !is_late && self.outage.recover() {
                    tracing::info!(%pool, "the book follows the blocks of the chain again");
                }
            }
        }
    }

    /// Records that the swaps of `block` are counted.
    fn set_counted(&self, block: &ObservedBlock) {
        self.counted.lock().add(block);
        self.counted_until.store(block.number, Ordering::Relaxed);
    }

    fn publish_reserves(&self, pool: PoolId, max_age_seconds: u32, reserves: PoolReserves) {
        self.observed.store(reserves.block_number, Ordering::Relaxed);
        let now = self.observers.clock.now();
        self.observers.market.set_reserves(pool, Ok(trusted(reserves, max_age_seconds, now)), now);
    }

    /// Counts the changes of the book as of `block`, and logs those that the operator should know of.
    fn report(&self, pool: PoolId, block: u64, report: &ObservationReport) {
        self.observers.metrics.count(pool, report);
        if !report.unmatched.is_empty() {
            self.observers.report_unmatched(pool, block, report.unmatched.clone());
        }
        if report.replayed > 0 {
            let (swaps, is_paused) = (report.replayed, report.is_paused);
            tracing::error!(
                %pool, swaps, block, is_paused,
                "the pool executed signatures again that it had executed: nothing is guaranteed any more"
            );
        }
        if report.is_deeply_reorganized {
            tracing::error!(
                %pool, block, max_depth = MAX_REORG_DEPTH,
                "the chain was reorganized too deeply: settlements may be wrong, executions are not guaranteed for now"
            );
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
        is_confirmed: events.is_confirmed,
        is_deeply_reorganized: events.is_deeply_reorganized,
    }
}

/// Returns what the tape records of what a pool holds.
fn block_balances(reserves: &PoolReserves) -> BlockBalances<'_> {
    let PoolReserves { block_hash: hash, ref balances, pool_tokens, .. } = *reserves;
    BlockBalances { hash, balances, pool_tokens }
}

/// Returns what breakers compare of what a pool holds.
fn sample(reserves: &PoolReserves) -> PoolSample {
    PoolSample {
        block_number: reserves.block_number,
        block_hash: reserves.block_hash,
        block_time: reserves.block_time,
        balances: reserves.balances.iter().map(|(_, balance)| *balance).collect(),
        pool_tokens: reserves.pool_tokens,
    }
}

/// Returns the reserves, which age from the time of their block, or from `now` if that is earlier, so that a slow clock
/// does not extend them.
fn trusted(reserves: PoolReserves, max_age_seconds: u32, now: Timestamp) -> Trusted<Reserves> {
    let PoolReserves { balances, pool_tokens, block_number, block_hash, block_time, events: _ } = reserves;
    Trusted {
        value: Reserves { balances, block: Some(block_number), block_hash: Some(block_hash), pool_tokens },
        since: block_time,
        until: block_time.min(now).plus_seconds(max_age_seconds),
    }
}

#[cfg(test)]
mod tests;

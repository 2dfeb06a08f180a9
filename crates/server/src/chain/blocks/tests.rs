//! Blocks of a contract that fails, and swaps that are counted even while the store fails.

use std::{
    io,
    sync::{Arc, atomic::AtomicBool},
};

use firmquote_config::Config;
use firmquote_desk::Desk;
use firmquote_domain::{Address, B256, ChainId, Clock, U256};
use firmquote_http::{Credentials, Metrics};
use firmquote_market::{MarketWriter, SourceError};
use firmquote_store::{LayeredStore, MemoryStore, StoreCall, StoreError, StoreLayer};
use futures_util::FutureExt as _;
use prometheus::Registry;
use tokio::time::sleep;
use tracing_subscriber::fmt;

use super::*;
use crate::{
    SystemClock,
    assembly::{self, ServerState},
    host::HostParts,
    records::BlockTape,
    system_environment,
};

/// The observers of a demo.
async fn observers() -> Observers {
    observers_with(faulty_store()).await.0
}

/// Books that can be slow or unavailable.
#[derive(Default)]
struct Faults {
    is_slow: AtomicBool,
    fails: AtomicBool,
}

impl StoreLayer for Faults {
    async fn around<T: Send + 'static>(
        &self,
        call: StoreCall,
        work: impl Future<Output = Result<T, StoreError>> + Send,
    ) -> Result<T, StoreError> {
        if matches!(call, StoreCall::ApplyChanges | StoreCall::ChangesSince) {
            if self.is_slow.load(Ordering::Relaxed) {
                sleep(UPDATE_TIMEOUT + Duration::from_millis(200)).await;
            }
            if self.fails.load(Ordering::Relaxed) {
                return Err(StoreError::Unavailable("refused".into()));
            }
        }
        work.await
    }

    fn is_shared(&self, _is_shared: bool) -> bool {
        true
    }
}

type FaultyStore = LayeredStore<MemoryStore, Faults>;

fn faulty_store() -> Arc<FaultyStore> {
    Arc::new(LayeredStore { layer: Faults::default(), store: Arc::new(MemoryStore::new(10)) })
}

/// The observers of a demo with this store, its pool, and the counters.
async fn observers_with(store: Arc<FaultyStore>) -> (Observers, PoolId, Registry) {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::new(Duration::from_secs(5)));
    let config = Config::demo(&[], &system_environment()).unwrap();
    let http_metrics = Arc::new(Metrics::new("0").unwrap());
    let (state, _, _) =
        ServerState::open(config, HostParts::default(), Arc::clone(&clock), http_metrics).await.unwrap();
    let Desk { pools, pauses, market, firm_levels, operator_view, .. } = &*state.desk;
    let desk = Desk {
        pools: pools.clone(),
        pauses: Arc::clone(pauses),
        market: Arc::clone(market),
        store,
        firm_levels: Arc::clone(firm_levels),
        clock: Arc::clone(&clock),
        operator_view: Arc::clone(operator_view),
        recorder: None,
    };
    let pool = desk.pools[0].id();
    let (credentials, _) = Credentials::deduplicated(Vec::new());
    state.live.replace(assembly::service(&state.config, credentials, Arc::new(desk), Arc::clone(state.prices.desk())));
    let registry = Registry::new();
    let observers = Observers {
        market: Arc::new(MarketWriter::new(Arc::default(), Vec::new(), Vec::new(), clock.now())),
        live: Arc::clone(&state.live),
        metrics: SwapOutcomeMetrics::new(&registry, &[]).unwrap(),
        tape: BlockTape::new(None, &registry, &[]).unwrap(),
        breakers: Arc::clone(&state.breakers),
        ledger: None,
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
        block_hash: B256::with_last_byte(number.to_le_bytes()[0]),
        block_time: Timestamp::from_seconds(1),
        balances: Vec::new(),
        pool_tokens: U256::ZERO,
        events: Some(PoolEvents {
            from,
            events: executed.iter().filter(|(block, _)| (from..=number).contains(block)).map(event).collect(),
            is_confirmed: true,
            is_deeply_reorganized: false,
        }),
    }
}

/// Publishes the block `number` of a chain that executed these swaps, with the events that are requested.
async fn publish(follower: &BlockFollower<'_>, pool: PoolId, number: u64, executed: &[(u64, u8)]) {
    let from = follower.requested_events(pool, (number, Timestamp::from_seconds(1))).unwrap().from;
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
    let store = faulty_store();
    let (observers, pool, registry) = observers_with(Arc::clone(&store)).await;
    let supervisor = Supervisor::new("reserve", "a node");
    let outcomes = OutcomeWriter::new(&observers.live, pool);
    let (follower, _received) = BlockFollower::new(&observers, &supervisor, &outcomes);
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
        store.layer.is_slow.store(is_slow, Ordering::Relaxed);
        store.layer.fails.store(fails, Ordering::Relaxed);
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
        let (observers, pool, registry) = observers_with(faulty_store()).await;
        let supervisor = Supervisor::new("reserve", "a node");
        let outcomes = OutcomeWriter::new(&observers.live, pool);
        let (follower, _received) = BlockFollower::new(&observers, &supervisor, &outcomes);
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
    // With a single subscriber, tracing asks that of the thread which reaches a callsite first: maybe none.
    let _another = tracing::Dispatch::new(tracing::subscriber::NoSubscriber::new());
    let logging = tracing::subscriber::set_default(log);
    let supervisor = Supervisor::new("reserve", "a node");
    let pool = PoolId { chain_id: ChainId::new(1).unwrap(), address: Address::ZERO };
    let outcomes = OutcomeWriter::new(&observers.live, pool);
    let (follower, received) = BlockFollower::new(&observers, &supervisor, &outcomes);
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

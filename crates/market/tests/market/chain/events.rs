//! The events of a pool, from nodes that limit the range of blocks.

use std::{
    collections::BTreeMap,
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use firmquote_domain::{B256, PoolId, Timestamp};
use firmquote_market::{
    SourceError,
    chain::{
        ChainError, ChainRpcConfig, ConfirmedBlocks, NodeFailure, NodeFault, PoolReserves, RequestedEvents,
        ReserveError, ReserveListener, ReserveSource, verify_events,
    },
};

use crate::chain::{
    fake::{Block, FakeNode, Reply, Transport},
    running_source::{POLL_INTERVAL, RecordedReserves, Recorder, RunningSource, Source},
    setup::{clock, config, pool, rpc, source, source_with, urls},
};

pub(crate) const TOPIC: B256 = B256::repeat_byte(5);

/// A recorder that requests the events from a block on.
pub(crate) struct EventRecorder {
    pub(crate) reserves: RecordedReserves,
    from: AtomicU64,
    pub(crate) known: Mutex<BTreeMap<u64, usize>>,
    pub(crate) confirmed: Mutex<Option<ConfirmedBlocks>>,
}

impl Default for EventRecorder {
    fn default() -> Self {
        Self {
            reserves: Recorder::default(),
            from: AtomicU64::new(30),
            known: Mutex::default(),
            confirmed: Mutex::default(),
        }
    }
}

impl ReserveListener for EventRecorder {
    fn receive(&self, pool: PoolId, update: Result<PoolReserves, ReserveError>) {
        self.reserves.receive(pool, update);
    }

    fn requested_events(&self, _: PoolId, _: (u64, Timestamp)) -> Option<RequestedEvents> {
        let from = self.from.load(Ordering::SeqCst);
        let (known, confirmed) = (self.known.lock().unwrap().clone(), *self.confirmed.lock().unwrap());
        Some(RequestedEvents { topic: TOPIC, from, known, confirmed })
    }
}

#[async_trait]
impl Source<EventRecorder> for ReserveSource {
    async fn run(&self, listener: &EventRecorder) -> SourceError {
        Self::run(self, listener).await
    }
}

/// Returns the blocks of the events that were read with the next reserves.
async fn event_blocks(running: &RunningSource<EventRecorder>, block: u64) -> Vec<u64> {
    let is_next =
        |update: &Result<PoolReserves, _>| update.as_ref().map_or(true, |reserves| reserves.block_number == block);
    let reserves = running.updates.reserves.next("the block is read", 0, is_next).await.unwrap();
    reserves.events.unwrap().events.iter().map(|event| event.block_number).collect()
}

fn too_long(transport: Transport) -> Reply {
    let padding = " ".repeat(5 << 20);
    match transport {
        Transport::Http => Reply::Raw(format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{padding}", padding.len())),
        Transport::WebSocket => Reply::Raw(padding),
    }
}

#[tokio::test]
async fn ranges_that_a_node_refuses_are_halved_until_it_accepts_them() {
    for (transport, refusal) in [
        (Transport::Http, Reply::Error(-32_602, "up to a 10 block range is supported")),
        (Transport::Http, Reply::Error(-32_005, "query returned more than 10000 results")),
        (Transport::WebSocket, Reply::Error(-32_602, "up to a 10 block range is supported")),
    ] {
        let node = FakeNode::start_with(1, transport, None).await;
        node.state().event_limit = Some((10, refusal));
        let running = RunningSource::<EventRecorder>::start(source(&[&node]));
        assert_eq!(event_blocks(&running, 100).await, (30..100).collect::<Vec<_>>());
        let ranges = std::mem::take(&mut node.state().event_ranges);
        assert_eq!(ranges[..4], [(30, 99), (30, 64), (30, 46), (30, 37)]);
        assert_eq!(ranges.len(), 12, "{ranges:?}");

        node.state().newest = Block::at(101);
        assert_eq!(event_blocks(&running, 101).await, (30..101).collect::<Vec<_>>());
        let ranges = std::mem::take(&mut node.state().event_ranges);
        assert!(ranges.iter().all(|(first, last)| last - first < 8), "the limit is known: {ranges:?}");
        assert_eq!(running.errors.all(), Vec::<String>::new());
    }
}

#[tokio::test]
async fn a_single_block_that_is_refused_is_an_error() {
    let node = FakeNode::start(1).await;
    node.state().event_limit = Some((0, Reply::Error(-32_005, "daily request count exceeded")));
    let running = RunningSource::<EventRecorder>::start(source(&[&node]));
    let error = running.errors.next("it ends", 0, |_| true).await;
    assert!(error.starts_with("RateLimited { seconds: 10 }"), "{error}");
    let ranges = node.state().event_ranges.iter().map(|(first, last)| last - first + 1).collect::<Vec<_>>();
    assert_eq!(ranges, [70, 35, 17, 8, 4, 2, 1]);
}

#[tokio::test]
async fn a_rate_limit_is_none_of_the_range() {
    let node = FakeNode::start(1).await;
    node.state().event_limit = Some((0, Reply::Error(429, "compute units per second exceeded")));
    let running = RunningSource::<EventRecorder>::start(source(&[&node]));
    assert!(running.errors.next("it ends", 0, |_| true).await.starts_with("RateLimited"));
    assert_eq!(node.state().event_ranges, [(30, 99)]);
}

#[tokio::test]
async fn one_reading_takes_a_bounded_number_of_requests() {
    let node = FakeNode::start(1).await;
    node.state().newest = Block::at(500);
    node.state().event_limit = Some((1, Reply::Error(-32_602, "one block at a time")));
    let running = RunningSource::<EventRecorder>::start(source(&[&node]));
    let error = running.errors.next("it ends", 0, |_| true).await;
    assert!(error.contains("its limit on events takes more than 100 requests"), "{error}");
}

/// A node with 10 blocks per request, and as many blocks above the first event that more than 100 requests are needed.
async fn node_with_backlog() -> (FakeNode, EventRecorder, ReserveSource) {
    let node = FakeNode::start(1).await;
    node.state().newest = Block::at(2_100);
    node.state().event_limit = Some((10, Reply::Error(-32_602, "up to a 10 block range is supported")));
    let recorder = EventRecorder { from: AtomicU64::new(100), ..EventRecorder::default() };
    let source = source(&[&node]);
    (node, recorder, source)
}

/// Runs the source until it fails. Returns the error and the requested ranges.
async fn run_once(source: &ReserveSource, recorder: &EventRecorder, node: &FakeNode) -> (String, Vec<(u64, u64)>) {
    let error = ReserveSource::run(source, recorder).await.to_string();
    (error, std::mem::take(&mut node.state().event_ranges))
}

/// Runs the source until it has read the block `number`. Returns the blocks of its events and the requested ranges.
async fn run_until(
    source: &ReserveSource,
    recorder: &EventRecorder,
    node: &FakeNode,
    number: u64,
) -> (Vec<u64>, Vec<(u64, u64)>) {
    let reserves = tokio::select! {
        error = ReserveSource::run(source, recorder) => panic!("{error}"),
        reserves = recorder.reserves.wait_for_block("the block is read", number) => reserves,
    };
    let blocks = reserves.events.unwrap().events.iter().map(|event| event.block_number).collect();
    (blocks, std::mem::take(&mut node.state().event_ranges))
}

#[tokio::test]
async fn a_backlog_is_worked_off_over_several_readings() {
    let (node, recorder, source) = node_with_backlog().await;
    let mut next = 100;
    for _ in 0..2 {
        let (error, ranges) = run_once(&source, &recorder, &node).await;
        assert!(error.contains("its limit on events takes more than 100 requests"), "{error}");
        assert_eq!((ranges.len(), ranges[0].0), (100, next), "{ranges:?}");
        next = ranges.last().unwrap().1 + 1;
    }
    let (blocks, ranges) = run_until(&source, &recorder, &node, 2_100).await;
    assert_eq!(blocks, (100..2_100).collect::<Vec<_>>());
    assert_eq!(ranges[0].0, next, "{ranges:?}");

    node.state().newest = Block::at(2_101);
    recorder.from.store(200, Ordering::SeqCst);
    let (blocks, ranges) = run_until(&source, &recorder, &node, 2_101).await;
    assert_eq!(blocks, (200..2_101).collect::<Vec<_>>());
    assert_eq!(ranges[0].0, 2_037, "64 blocks may be replaced: {ranges:?}");
    assert_eq!(ranges.len(), 10, "{ranges:?}");

    node.state().newest = Block::at(2_102);
    recorder.from.store(199, Ordering::SeqCst);
    let (error, ranges) = run_once(&source, &recorder, &node).await;
    assert!(error.contains("more than 100 requests") && ranges[0].0 == 199, "earlier blocks are read: {ranges:?}");
}

#[tokio::test]
async fn a_backlog_continues_although_the_node_refuses_meanwhile() {
    let (node, recorder, source) = node_with_backlog().await;
    run_once(&source, &recorder, &node).await;
    let requests = AtomicU64::new(0);
    let is_busy = move |method: &str| method == "eth_getLogs" && requests.fetch_add(1, Ordering::SeqCst) == 50;
    node.state().fault = Some(Box::new(move |method| is_busy(method).then_some(Reply::Close)));
    let (error, ranges) = run_once(&source, &recorder, &node).await;
    assert!(!error.contains("more than 100 requests"), "{error}");
    let next = ranges.last().unwrap().1 + 1;
    let (_, ranges) = run_once(&source, &recorder, &node).await;
    assert_eq!(ranges[0].0, next, "{ranges:?}");
    assert_eq!(run_until(&source, &recorder, &node, 2_100).await.0, (100..2_100).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_reorganization_of_kept_blocks_is_noticed() {
    for (fork_height, is_kept) in [(2_090, true), (2_037, true), (2_036, false), (150, false)] {
        let (node, recorder, source) = node_with_backlog().await;
        let (_, ranges) = run_once(&source, &recorder, &node).await;
        let next = ranges.last().unwrap().1 + 1;
        node.state().newest = Block { number: 2_101, branch: 1, fork_height, ..Block::at(2_101) };
        let (_, ranges) = run_once(&source, &recorder, &node).await;
        assert_eq!(ranges[0].0, if is_kept { next } else { 100 }, "{fork_height}: {ranges:?}");
    }
}

#[tokio::test]
async fn ranges_whose_response_is_too_long_are_halved() {
    for transport in [Transport::Http, Transport::WebSocket] {
        let node = FakeNode::start_with(1, transport, None).await;
        node.state().event_limit = Some((10, too_long(transport)));
        let running = RunningSource::<EventRecorder>::start(source(&[&node]));
        assert_eq!(event_blocks(&running, 100).await, (30..100).collect::<Vec<_>>());
        let ranges = std::mem::take(&mut node.state().event_ranges);
        assert_eq!(ranges[..5], [(30, 99), (30, 64), (30, 46), (30, 37), (38, 46)]);
        assert_eq!(ranges.len(), 15, "{ranges:?}");
        assert_eq!(running.errors.all(), Vec::<String>::new());
    }
}

/// Starts a source of `node` that waits for long responses.
fn start_patient(node: &FakeNode) -> RunningSource<EventRecorder> {
    let config = ChainRpcConfig { call_timeout: Duration::from_secs(20), ..config(urls(&[node])) };
    RunningSource::start(source_with(config, POLL_INTERVAL))
}

#[tokio::test]
async fn the_events_of_one_block_may_be_longer_than_any_other_response() {
    // More than 4 MiB in hexadecimal.
    const LONG: usize = 9 << 18;
    for transport in [Transport::Http, Transport::WebSocket] {
        let node = FakeNode::start_with(1, transport, None).await;
        node.state().newest = Block::at(40);
        node.state().event_data_bytes = [(35, LONG), (40, LONG)].into();
        let running = start_patient(&node);
        assert_eq!(event_blocks(&running, 40).await, (30..=40).collect::<Vec<_>>());
        let read = running.updates.reserves.all().remove(0).unwrap().events.unwrap();
        assert!(read.events.iter().all(|event| event.data.len() <= 256), "the start of the data is kept");
        assert_eq!(running.errors.all(), Vec::<String>::new());
    }
}

#[tokio::test]
async fn only_blocks_with_long_events_are_requested_alone() {
    let node = FakeNode::start(1).await;
    node.state().newest = Block::at(500);
    // Two of these are too long for one response.
    node.state().event_data_bytes = [300, 301, 302].map(|block| (block, 5 << 18)).into();
    let running = start_patient(&node);
    assert_eq!(event_blocks(&running, 500).await, (30..500).collect::<Vec<_>>());
    let ranges = std::mem::take(&mut node.state().event_ranges);
    assert!(ranges.len() < 30, "{ranges:?}");

    node.state().newest = Block::at(501);
    assert_eq!(event_blocks(&running, 501).await, (30..501).collect::<Vec<_>>());
    let ranges = std::mem::take(&mut node.state().event_ranges);
    assert_eq!(ranges.len(), 5, "they are known: {ranges:?}");
    assert_eq!(running.errors.all(), Vec::<String>::new());
}

#[tokio::test]
async fn a_range_that_times_out_is_halved_once_per_reading() {
    let node = FakeNode::start(1).await;
    node.state().event_limit = Some((20, Reply::Silence));
    let running = RunningSource::<EventRecorder>::start(source(&[&node]));
    let is_read = |update: &Result<PoolReserves, _>| update.is_ok();
    let reserves = running.updates.reserves.next("the events are read", 0, is_read).await.unwrap();
    assert_eq!(reserves.events.unwrap().events.len(), 70);
    assert_eq!(running.errors.all().len(), 1, "{:?}", running.errors.all());
    let ranges = std::mem::take(&mut node.state().event_ranges);
    assert_eq!(ranges[..4], [(30, 99), (30, 64), (30, 46), (47, 63)]);
}

#[tokio::test]
async fn a_block_time_is_read_once_even_if_the_reading_fails_later() {
    let node = FakeNode::start(1).await;
    let headers = AtomicU64::new(0);
    let is_busy = move || headers.fetch_add(1, Ordering::SeqCst) % 10 == 9;
    let is_header = |method: &str| method == "eth_getBlockByNumber";
    {
        let mut state = node.state();
        state.fault =
            Some(Box::new(move |method| (is_header(method) && is_busy()).then_some(Reply::Error(-32_000, "busy"))));
    }
    let running = RunningSource::<EventRecorder>::start(source(&[&node]));
    let is_read = |update: &Result<PoolReserves, _>| update.is_ok();
    let reserves = running.updates.reserves.next("every block time is known", 0, is_read).await.unwrap();
    assert_eq!(reserves.events.unwrap().events.len(), 70);
    let readings = running.errors.all().len();
    assert!((7..40).contains(&readings), "{readings}");
}

async fn failures(nodes: &[&FakeNode]) -> Result<Vec<NodeFailure>, ChainError> {
    verify_events(&rpc(config(urls(nodes)), &clock()), pool(), TOPIC).await
}

#[tokio::test]
async fn every_node_that_returns_no_events_is_found_beforehand() {
    let (good, bad) = (FakeNode::start(1).await, FakeNode::start(2).await);
    good.state().event_limit = Some((10, Reply::Error(-32_602, "up to a 10 block range is supported")));
    bad.reply_to("eth_getLogs", Reply::Error(-32_601, "no such method"));
    let call = "eth_getLogs of blocks 36 to 36".to_owned();
    let fault = NodeFault::Refused { call, code: -32_601, message: "no such method".to_owned() };
    let expected = vec![NodeFailure { node: bad.host(), fault }];
    assert_eq!(failures(&[&good, &bad]).await, Ok(expected.clone()));
    assert_eq!(good.state().event_ranges[0], (36, 99));
    assert_eq!(failures(&[&bad]).await, Err(ChainError::NoNode(expected)));
}

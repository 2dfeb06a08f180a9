//! Prices of Chainlink feeds.

use std::{sync::Arc, time::Duration};

use alloy_primitives::U256;
use alloy_sol_types::SolValue as _;
use firmquote_domain::{Address, Symbol, Timestamp};
use firmquote_market::chainlink::{ChainlinkConfig, ChainlinkFeed, ChainlinkSource};

use crate::chain::{
    fake::{
        Aggregator::{aggregatorCall, latestRoundDataCall, maxAnswerCall, minAnswerCall},
        FakeNode, Reply, TIME,
        Token::decimalsCall,
    },
    running_source::{POLL_INTERVAL, RecordedPrices, RunningSource, wait_until},
    setup::{clock, config, rpc, urls},
};

const FEED: Address = Address::repeat_byte(0xfe);
/// An address without a contract.
const NO_FEED: Address = Address::repeat_byte(0xba);

/// A scripted round of a feed.
#[derive(Clone, Copy)]
struct FeedRound {
    decimals: u8,
    round: u128,
    price: i64,
    updated_at: u64,
    answered_in: u128,
}

const GOOD: FeedRound =
    FeedRound { decimals: 8, round: 5, price: 208_052_700_000, updated_at: TIME - 60, answered_in: 5 };

impl FeedRound {
    /// Sets this as the newest round of the feed on `node`.
    fn set_on(self, node: &FakeNode) {
        let price = alloy_primitives::I256::try_from(self.price).unwrap();
        let updated_at = U256::from(self.updated_at);
        let round = (U256::from(self.round), price, updated_at, updated_at, U256::from(self.answered_in));
        let mut state = node.state();
        state.set_return_data::<decimalsCall>(FEED, &U256::from(self.decimals).abi_encode());
        state.set_return_data::<latestRoundDataCall>(FEED, &round.abi_encode_params());
    }
}

const HEARTBEAT_SECONDS: u32 = 3_600;

fn feeds(feeds: &[(&str, Address)]) -> ChainlinkConfig {
    let feed = |(name, aggregator): &(&str, Address)| ChainlinkFeed {
        symbol: Symbol::new(name).unwrap(),
        aggregator: *aggregator,
        heartbeat_seconds: HEARTBEAT_SECONDS,
    };
    ChainlinkConfig {
        feeds: feeds.iter().map(feed).collect(),
        poll_interval: POLL_INTERVAL,
        clock_tolerance_seconds: 5,
    }
}

struct RunningFeed {
    node: FakeNode,
    running: RunningSource<RecordedPrices>,
}

impl RunningFeed {
    async fn start() -> Self {
        let node = FakeNode::start(1).await;
        GOOD.set_on(&node);
        let feeds = feeds(&[("ETH", FEED), ("BAD", NO_FEED)]);
        let running = running(&[&node], feeds);
        Self { node, running }
    }

    /// Returns the next update after `round`: a price, or the error.
    async fn next_update(&self, round: FeedRound) -> String {
        round.set_on(&self.node);
        next_update(&self.running).await
    }
}

fn running(nodes: &[&FakeNode], feeds: ChainlinkConfig) -> RunningSource<RecordedPrices> {
    RunningSource::start(ChainlinkSource::new(rpc(config(urls(nodes)), &clock()), feeds).unwrap())
}

/// Returns the update of ETH of the next whole poll.
async fn next_update(running: &RunningSource<RecordedPrices>) -> String {
    // One poll may be in progress; the one after it starts later than this call.
    let earlier = eth_updates(running).len();
    wait_until("polls arrive", || (eth_updates(running).len() > earlier + 1).then_some(())).await;
    eth_updates(running)[earlier + 1].clone()
}

/// Returns all updates of ETH.
fn eth_updates(running: &RunningSource<RecordedPrices>) -> Vec<String> {
    let updates = running.updates.all();
    let texts = updates.iter().filter(|(symbol, _)| symbol.as_str() == "ETH").map(|(_, update)| match update {
        Ok(observation) => observation.price.to_string(),
        Err(error) => error.to_string(),
    });
    texts.collect()
}

#[tokio::test]
async fn rounds_are_reported_as_current_prices_or_invalid() {
    let feed = RunningFeed::start().await;
    assert_eq!(feed.next_update(GOOD).await, "2080.527");
    let old = FeedRound { updated_at: TIME - 3_600, ..GOOD };
    assert_eq!(feed.next_update(old).await, "2080.527", "hours old, and as good as the feed gets");
    for (round, error) in [
        (FeedRound { price: 0, ..GOOD }, "above zero"),
        (FeedRound { price: -1, ..GOOD }, "above zero"),
        (FeedRound { updated_at: 0, ..GOOD }, "complete"),
        (FeedRound { updated_at: TIME + 6, ..GOOD }, "future"),
        (FeedRound { updated_at: TIME - 3_601, ..GOOD }, "heartbeat"),
        (FeedRound { answered_in: 4, ..GOOD }, "its own round"),
    ] {
        let update = feed.next_update(round).await;
        assert!(update.contains(error), "{update}");
        assert_eq!(feed.next_update(GOOD).await, "2080.527", "it recovers");
    }
    let bad = feed.running.updates.next("BAD", 0, |(symbol, _)| symbol.as_str() == "BAD").await;
    assert!(bad.1.is_err(), "the other feed is reported nevertheless: {bad:?}");
    assert_eq!(feed.running.errors.all(), Vec::<String>::new());
}

#[tokio::test]
async fn rounds_only_advance_and_each_aggregator_has_its_decimals() {
    const PHASE: u128 = 1 << 64;
    let feed = RunningFeed::start().await;
    assert_eq!(feed.next_update(GOOD).await, "2080.527");
    let next = FeedRound { round: PHASE + 1, answered_in: PHASE + 1, decimals: 10, ..GOOD };
    assert_eq!(feed.next_update(next).await, "20.80527");
    // An earlier round is not reported at all.
    GOOD.set_on(&feed.node);
    let requests = feed.node.requests("eth_getBlockByNumber");
    wait_until("it is read", || (feed.node.requests("eth_getBlockByNumber") > requests + 2).then_some(())).await;
    let later = FeedRound { round: PHASE + 2, answered_in: PHASE + 2, price: 300_000_000_000, ..next };
    assert_eq!(feed.next_update(later).await, "30");
    let mut updates = eth_updates(&feed.running);
    updates.dedup();
    assert_eq!(updates, ["2080.527", "20.80527", "30"]);
}

#[tokio::test]
async fn an_earlier_round_is_reported_once_the_later_one_misses_its_heartbeat() {
    let node = FakeNode::start(1).await;
    let clock = clock();
    let mut config = config(urls(&[&node]));
    config.max_age_seconds = 86_400;
    // The highest round id.
    let last = (1 << 80) - 1;
    FeedRound { round: last, answered_in: last, price: 1, ..GOOD }.set_on(&node);
    let feeds = feeds(&[("ETH", FEED)]);
    let running = RunningSource::start(ChainlinkSource::new(rpc(config, &clock), feeds).unwrap());
    assert_eq!(next_update(&running).await, "0.00000001");
    GOOD.set_on(&node);
    let requests = node.requests("eth_getBlockByNumber");
    wait_until("it is read", || (node.requests("eth_getBlockByNumber") > requests + 2).then_some(())).await;
    assert!(eth_updates(&running).iter().all(|update| update.starts_with("0.0")), "{:?}", eth_updates(&running));
    clock.set(Timestamp::from_micros((TIME + 3_541) * 1_000_000));
    FeedRound { updated_at: TIME, ..GOOD }.set_on(&node);
    wait_until("the feed is reported again", || {
        eth_updates(&running).last().filter(|update| *update == "2080.527").cloned()
    })
    .await;
}

#[tokio::test]
async fn decimals_and_rounds_come_from_the_same_node() {
    let (first, second) = (FakeNode::start(1).await, FakeNode::start(2).await);
    FeedRound { decimals: 6, ..GOOD }.set_on(&first);
    GOOD.set_on(&second);
    let running = running(&[&first, &second], feeds(&[("ETH", FEED)]));
    assert_eq!(next_update(&running).await, "208052.7");
    first.reply_to_all(Reply::Close);
    wait_until("the other one is read", || {
        eth_updates(&running).last().filter(|update| *update != "208052.7").cloned()
    })
    .await;
    assert_eq!(eth_updates(&running).last().unwrap(), "2080.527");
}

#[tokio::test]
async fn a_feed_that_one_node_does_not_have_is_read_from_another() {
    let (first, second) = (FakeNode::start(1).await, FakeNode::start(2).await);
    first.state().set_reply::<latestRoundDataCall>(FEED, Reply::Error(3, "execution reverted"));
    GOOD.set_on(&second);
    let running = running(&[&first, &second], feeds(&[("ETH", FEED)]));
    wait_until("it is read", || eth_updates(&running).last().cloned()).await;
    assert!(eth_updates(&running).iter().all(|update| update == "2080.527"), "{:?}", eth_updates(&running));
}

#[tokio::test]
async fn a_contract_that_is_no_feed_leaves_the_others_also_while_a_node_is_gone() {
    let (first, second) = (FakeNode::start(1).await, FakeNode::start(2).await);
    GOOD.set_on(&first);
    second.reply_to_all(Reply::Close);
    let running = running(&[&first, &second], feeds(&[("ETH", FEED), ("BAD", NO_FEED)]));
    assert_eq!(next_update(&running).await, "2080.527");
    assert!(running.updates.next("BAD", 0, |(symbol, _)| symbol.as_str() == "BAD").await.1.is_err());
    assert_eq!(running.errors.all(), Vec::<String>::new());
}

#[tokio::test]
async fn unreadable_feeds_are_rejected_at_start() {
    let rpc = rpc(config(vec!["http://127.0.0.1:1".to_owned()]), &clock());
    let new = |feeds| ChainlinkSource::new(Arc::clone(&rpc), feeds).is_ok();
    let config = feeds(&[("ETH", Address::ZERO)]);
    assert!(new(config.clone()));
    assert!(!new(feeds(&[])));
    assert!(!new(feeds(&[("ETH", Address::ZERO), ("ETH", Address::repeat_byte(1))])));
    assert!(!new(ChainlinkConfig { poll_interval: Duration::ZERO, ..config.clone() }));
    let mut without_heartbeat = config;
    without_heartbeat.feeds[0].heartbeat_seconds = 0;
    assert!(!new(without_heartbeat));
}

#[tokio::test]
async fn a_feed_that_fails_in_any_words_leaves_the_others() {
    let node = FakeNode::start(1).await;
    GOOD.set_on(&node);
    node.state().set_reply::<latestRoundDataCall>(NO_FEED, Reply::Error(-32_015, "VM execution error."));
    let running = running(&[&node], feeds(&[("ETH", FEED), ("BAD", NO_FEED)]));
    assert_eq!(next_update(&running).await, "2080.527");
    assert!(running.updates.next("BAD", 0, |(symbol, _)| symbol.as_str() == "BAD").await.1.is_err());
    assert_eq!(running.errors.all(), Vec::<String>::new());
}

#[tokio::test]
async fn an_answer_at_a_bound_of_its_aggregator_is_no_price() {
    const AGGREGATOR: Address = Address::repeat_byte(0xa6);
    for (bound, is_price) in [(GOOD.price + 1, true), (GOOD.price, false)] {
        let node = FakeNode::start(1).await;
        GOOD.set_on(&node);
        {
            let mut state = node.state();
            state.set_return_data::<aggregatorCall>(FEED, &AGGREGATOR.abi_encode());
            state.set_return_data::<minAnswerCall>(AGGREGATOR, &U256::from(1).abi_encode());
            state.set_return_data::<maxAnswerCall>(AGGREGATOR, &U256::from(bound).abi_encode());
        }
        let update = next_update(&running(&[&node], feeds(&[("ETH", FEED)]))).await;
        assert_eq!(update == "2080.527", is_price, "{update}");
        assert_eq!(update.contains("within the bounds of its aggregator"), !is_price, "{update}");
    }
}

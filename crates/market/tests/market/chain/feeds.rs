//! Prices of feeds.

use std::{sync::Arc, time::Duration};

use alloy_primitives::U256;
use alloy_sol_types::SolValue as _;
use firmquote_domain::{Address, Symbol, Timestamp};
use firmquote_market::chainlink::{ChainlinkConfig, ChainlinkFeed, ChainlinkSource};

use crate::chain::{
    fake::{Aggregator::latestRoundDataCall, FakeNode, Reply, TIME, Token::decimalsCall},
    running_source::{POLL_INTERVAL, RecordedPrices, RunningSource, wait_until},
    setup::{clock, config, rpc, urls},
};

const FEED: Address = Address::repeat_byte(0xfe);
/// Where no contract is.
const NO_FEED: Address = Address::repeat_byte(0xba);

/// The scripted response of a feed.
#[derive(Clone, Copy)]
struct Answer {
    decimals: u8,
    round: u128,
    price: i64,
    updated_at: u64,
    answered_in: u128,
}

const GOOD: Answer = Answer { decimals: 8, round: 5, price: 208_052_700_000, updated_at: TIME - 60, answered_in: 5 };

impl Answer {
    /// Has the feed on `node` answer this.
    fn at(self, node: &FakeNode) {
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

struct World {
    node: FakeNode,
    running: RunningSource<RecordedPrices>,
}

impl World {
    async fn start() -> Self {
        let node = FakeNode::start(1).await;
        GOOD.at(&node);
        let feeds = feeds(&[("ETH", FEED), ("BAD", NO_FEED)]);
        let running = running(&[&node], feeds);
        Self { node, running }
    }

    /// What is said of the asset once the feed answers `answer`: a price, or what is wrong.
    async fn said(&self, answer: Answer) -> String {
        answer.at(&self.node);
        said_next(&self.running).await
    }
}

fn running(nodes: &[&FakeNode], feeds: ChainlinkConfig) -> RunningSource<RecordedPrices> {
    RunningSource::start(ChainlinkSource::new(rpc(config(urls(nodes)), &clock()), feeds).unwrap())
}

/// What is said of ETH by a poll that was begun after this was called.
async fn said_next(running: &RunningSource<RecordedPrices>) -> String {
    // One poll may be under way; the second after it is begun from here on.
    let skipped = of_eth(running).len();
    wait_until("polls arrive", || (of_eth(running).len() > skipped + 1).then_some(())).await;
    of_eth(running)[skipped + 1].clone()
}

/// All that was said of ETH.
fn of_eth(running: &RunningSource<RecordedPrices>) -> Vec<String> {
    let updates = running.updates.all();
    let said = updates.iter().filter(|(symbol, _)| symbol.as_str() == "ETH").map(|(_, said)| match said {
        Ok(said) => said.price.to_string(),
        Err(error) => error.to_string(),
    });
    said.collect()
}

#[tokio::test]
async fn rounds_are_reported_as_current_prices_or_invalid() {
    let world = World::start().await;
    assert_eq!(world.said(GOOD).await, "2080.527");
    let old = Answer { updated_at: TIME - 3_600, ..GOOD };
    assert_eq!(world.said(old).await, "2080.527", "hours old, and as good as the feed gets");
    for (answer, wrong) in [
        (Answer { price: 0, ..GOOD }, "above zero"),
        (Answer { price: -1, ..GOOD }, "above zero"),
        (Answer { updated_at: 0, ..GOOD }, "complete"),
        (Answer { updated_at: TIME + 6, ..GOOD }, "future"),
        (Answer { updated_at: TIME - 3_601, ..GOOD }, "heartbeat"),
        (Answer { answered_in: 4, ..GOOD }, "its own round"),
    ] {
        let said = world.said(answer).await;
        assert!(said.contains(wrong), "{said}");
        assert_eq!(world.said(GOOD).await, "2080.527", "it recovers");
    }
    let bad = world.running.updates.next("BAD", 0, |(symbol, _)| symbol.as_str() == "BAD").await;
    assert!(bad.1.is_err(), "the other feed is reported nevertheless: {bad:?}");
    assert_eq!(world.running.errors.all(), Vec::<String>::new());
}

#[tokio::test]
async fn rounds_only_advance_and_each_aggregator_has_its_decimals() {
    const PHASE: u128 = 1 << 64;
    let world = World::start().await;
    assert_eq!(world.said(GOOD).await, "2080.527");
    let next = Answer { round: PHASE + 1, answered_in: PHASE + 1, decimals: 10, ..GOOD };
    assert_eq!(world.said(next).await, "20.80527");
    // An earlier round is not reported at all.
    GOOD.at(&world.node);
    let asked = world.node.requests("eth_getBlockByNumber");
    wait_until("it is read", || (world.node.requests("eth_getBlockByNumber") > asked + 2).then_some(())).await;
    let later = Answer { round: PHASE + 2, answered_in: PHASE + 2, price: 300_000_000_000, ..next };
    assert_eq!(world.said(later).await, "30");
    let mut said = of_eth(&world.running);
    said.dedup();
    assert_eq!(said, ["2080.527", "20.80527", "30"]);
}

#[tokio::test]
async fn an_earlier_round_is_reported_once_the_later_one_misses_its_heartbeat() {
    let node = FakeNode::start(1).await;
    let clock = clock();
    let mut config = config(urls(&[&node]));
    config.max_age_seconds = 86_400;
    // A round that no later one will ever be above.
    let last = (1 << 80) - 1;
    Answer { round: last, answered_in: last, price: 1, ..GOOD }.at(&node);
    let feeds = feeds(&[("ETH", FEED)]);
    let running = RunningSource::start(ChainlinkSource::new(rpc(config, &clock), feeds).unwrap());
    assert_eq!(said_next(&running).await, "0.00000001");
    GOOD.at(&node);
    let asked = node.requests("eth_getBlockByNumber");
    wait_until("it is read", || (node.requests("eth_getBlockByNumber") > asked + 2).then_some(())).await;
    assert!(of_eth(&running).iter().all(|said| said.starts_with("0.0")), "{:?}", of_eth(&running));
    clock.set(Timestamp::from_micros((TIME + 3_541) * 1_000_000));
    Answer { updated_at: TIME, ..GOOD }.at(&node);
    wait_until("the feed is reported again", || of_eth(&running).last().filter(|said| *said == "2080.527").cloned())
        .await;
}

#[tokio::test]
async fn decimals_and_rounds_come_from_the_same_node() {
    let (first, second) = (FakeNode::start(1).await, FakeNode::start(2).await);
    Answer { decimals: 6, ..GOOD }.at(&first);
    GOOD.at(&second);
    let running = running(&[&first, &second], feeds(&[("ETH", FEED)]));
    assert_eq!(said_next(&running).await, "208052.7");
    first.reply_to_all(Reply::Close);
    wait_until("the other one is read", || of_eth(&running).last().filter(|said| *said != "208052.7").cloned()).await;
    assert_eq!(of_eth(&running).last().unwrap(), "2080.527");
}

#[tokio::test]
async fn a_feed_that_one_node_does_not_have_is_read_from_another() {
    let (first, second) = (FakeNode::start(1).await, FakeNode::start(2).await);
    first.state().set_reply::<latestRoundDataCall>(FEED, Reply::Error(3, "execution reverted"));
    GOOD.at(&second);
    let running = running(&[&first, &second], feeds(&[("ETH", FEED)]));
    wait_until("it is read", || of_eth(&running).last().cloned()).await;
    assert!(of_eth(&running).iter().all(|said| said == "2080.527"), "{:?}", of_eth(&running));
}

#[tokio::test]
async fn a_contract_that_is_no_feed_leaves_the_others_also_while_a_node_is_gone() {
    let (first, second) = (FakeNode::start(1).await, FakeNode::start(2).await);
    GOOD.at(&first);
    second.reply_to_all(Reply::Close);
    let running = running(&[&first, &second], feeds(&[("ETH", FEED), ("BAD", NO_FEED)]));
    assert_eq!(said_next(&running).await, "2080.527");
    assert!(running.updates.next("BAD", 0, |(symbol, _)| symbol.as_str() == "BAD").await.1.is_err());
    assert_eq!(running.errors.all(), Vec::<String>::new());
}

#[tokio::test]
async fn unreadable_feeds_are_rejected_at_start() {
    let rpc = rpc(config(vec!["http://127.0.0.1:1".to_owned()]), &clock());
    let new = |feeds| ChainlinkSource::new(Arc::clone(&rpc), feeds).is_ok();
    let one = feeds(&[("ETH", Address::ZERO)]);
    assert!(new(one.clone()));
    assert!(!new(feeds(&[])));
    assert!(!new(feeds(&[("ETH", Address::ZERO), ("ETH", Address::repeat_byte(1))])));
    assert!(!new(ChainlinkConfig { poll_interval: Duration::ZERO, ..one.clone() }));
    let mut without = one;
    without.feeds[0].heartbeat_seconds = 0;
    assert!(!new(without));
}

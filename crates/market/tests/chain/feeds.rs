//! Feeds on a real node.

use std::{sync::Arc, time::Duration};

use firmquote_domain::{Address, ManualClock, Symbol, Timestamp};
use firmquote_market::chainlink::{ChainlinkFeed, ChainlinkFeeds, ChainlinkSource};

use crate::{
    anvil::Anvil,
    contracts::{Answer, Feed},
    hearing::{MOMENT, Prices, Running, access, rpc},
};

const HEARTBEAT_SECONDS: u32 = 3_600;

fn feeds(feeds: &[(&str, Address)]) -> ChainlinkFeeds {
    let feed = |(name, aggregator): &(&str, Address)| ChainlinkFeed {
        symbol: Symbol::new(name).unwrap(),
        aggregator: *aggregator,
        heartbeat_seconds: HEARTBEAT_SECONDS,
    };
    ChainlinkFeeds { feeds: feeds.iter().map(feed).collect(), poll_interval: MOMENT, clock_tolerance_seconds: 5 }
}

struct World {
    anvil: Anvil,
    feed: Feed,
    now: u64,
    running: Running<Prices>,
}

impl World {
    async fn start() -> Self {
        let anvil = Anvil::start().await;
        let feed = Feed::create(&anvil).await;
        let now = anvil.newest().await.1;
        let mut access = access(Anvil::chain_id(), vec![anvil.url()]);
        access.max_age_seconds = 86_400;
        let rpc = rpc(access, &Arc::new(ManualClock::at(now)));
        // The node's own account stands for a contract that is no feed.
        let feeds = feeds(&[("ETH", feed.0), ("BAD", anvil.owner)]);
        let running = Running::start(ChainlinkSource::new(rpc, feeds).unwrap());
        Self { anvil, feed, now: now.as_micros() / 1_000_000, running }
    }

    fn good(&self) -> Answer {
        Answer { decimals: 8, round: 5, price: 208_052_700_000, updated_at: self.now - 60, answered_in: 5 }
    }

    /// What is said of the asset once the feed answers `answer`: a price and its time, or what is wrong.
    async fn said(&self, answer: Answer) -> String {
        self.feed.answer(&self.anvil, answer).await;
        // What is said from here on was asked after the answer was in a block, but for one poll under way.
        let skipped = self.running.heard.all().len();
        let of_eth = |symbol: &Symbol| symbol.as_str() == "ETH";
        for position in 0..3 {
            let what = format!("poll {position} is heard");
            crate::hearing::until(&what, || {
                let heard = self.running.heard.all();
                (heard.iter().skip(skipped).filter(|(symbol, _)| of_eth(symbol)).count() > position).then_some(())
            })
            .await;
        }
        let heard = self.running.heard.all();
        let (_, said) = heard.iter().rfind(|(symbol, _)| of_eth(symbol)).unwrap();
        match said {
            Ok(said) => format!("{} {}", said.price, self.now - said.observed_at.as_micros() / 1_000_000),
            Err(error) => error.to_string(),
        }
    }
}

#[tokio::test]
async fn answers_are_told_as_prices_of_their_update_or_as_no_price() {
    let world = World::start().await;
    let good = world.good();
    assert_eq!(world.said(good).await, "2080.527 60");
    let old = Answer { updated_at: world.now - 3_600, ..good };
    assert_eq!(world.said(old).await, "2080.527 3600", "hours old, and as good as the feed gets");
    for (answer, wrong) in [
        (Answer { price: 0, ..good }, "above zero"),
        (Answer { price: -1, ..good }, "above zero"),
        (Answer { updated_at: 0, ..good }, "complete"),
        (Answer { updated_at: world.now + 6, ..good }, "future"),
        (Answer { updated_at: world.now - 3_601, ..good }, "heartbeat"),
        (Answer { answered_in: 4, ..good }, "its own round"),
    ] {
        let said = world.said(answer).await;
        assert!(said.contains(wrong), "{said}");
        assert_eq!(world.said(good).await, "2080.527 60", "it recovers");
    }
    let bad = world.running.heard.next("BAD", 0, |(symbol, _)| symbol.as_str() == "BAD").await;
    assert!(bad.1.is_err(), "the other feed is told nevertheless: {bad:?}");
    assert_eq!(world.running.ends.all(), Vec::<String>::new());
}

#[tokio::test]
async fn rounds_go_forward_and_another_aggregator_has_its_own_decimals() {
    const PHASE: u128 = 1 << 64;
    let world = World::start().await;
    let good = world.good();
    assert_eq!(world.said(good).await, "2080.527 60");
    let next = Answer { round: PHASE + 1, answered_in: PHASE + 1, decimals: 10, ..good };
    assert_eq!(world.said(next).await, "20.80527 60");
    // An earlier round is not told at all.
    world.feed.answer(&world.anvil, good).await;
    let later = Answer { round: PHASE + 2, answered_in: PHASE + 2, price: 300_000_000_000, ..next };
    assert_eq!(world.said(later).await, "30 60");
    let heard = world.running.heard.all();
    let mut prices: Vec<String> =
        heard.iter().filter_map(|(_, said)| said.as_ref().ok()).map(|said| said.price.to_string()).collect();
    prices.dedup();
    assert_eq!(prices, ["2080.527", "20.80527", "30"]);
}

#[tokio::test]
async fn feeds_that_cannot_be_read_are_refused_at_the_start() {
    let clock = Arc::new(ManualClock::at(Timestamp::from_seconds(1)));
    let rpc = rpc(access(Anvil::chain_id(), vec!["http://127.0.0.1:1".to_owned()]), &clock);
    let new = |feeds| ChainlinkSource::new(Arc::clone(&rpc), feeds).is_ok();
    let one = feeds(&[("ETH", Address::ZERO)]);
    assert!(new(one.clone()));
    assert!(!new(feeds(&[])));
    assert!(!new(feeds(&[("ETH", Address::ZERO), ("ETH", Address::repeat_byte(1))])));
    assert!(!new(ChainlinkFeeds { poll_interval: Duration::ZERO, ..one.clone() }));
    let mut without = one;
    without.feeds[0].heartbeat_seconds = 0;
    assert!(!new(without));
}

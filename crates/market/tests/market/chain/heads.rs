//! One node whose newest block advances, falls back or changes to another branch.

use firmquote_domain::{Timestamp, U256};
use firmquote_market::chain::ReserveSource;

use crate::chain::{
    fake::{Block, FakeNode, Reply, TIME},
    running_source::{POLL_INTERVAL, RecordedReserves, RunningSource, wait_until},
    setup::{clock, config, pool, rpc, source, urls},
};

/// Returns the reported heights; `None` for errors.
fn reported_heights(running: &RunningSource<RecordedReserves>) -> Vec<Option<u64>> {
    running.updates.all().iter().map(|update| update.as_ref().ok().map(|reserves| reserves.block_number)).collect()
}

async fn until_reported(running: &RunningSource<RecordedReserves>, expected: &[Option<u64>]) {
    let have_arrived = || (reported_heights(running).len() >= expected.len()).then_some(());
    wait_until(&format!("{expected:?} have arrived"), have_arrived).await;
    assert_eq!(reported_heights(running), expected);
}

/// Waits for some more polls of the node.
async fn wait_for_polls(node: &FakeNode) {
    let before = node.requests("eth_getBlockByNumber");
    wait_until("it is looked at", || (node.requests("eth_getBlockByNumber") > before + 3).then_some(())).await;
}

#[tokio::test]
async fn each_block_is_read_once() {
    let node = FakeNode::start(1).await;
    let running = RunningSource::<RecordedReserves>::start(source(&[&node]));
    for number in [100, 101, 110] {
        node.state().newest = Block::at(number);
        running
            .updates
            .wait("it is reported", 0, |update| update.as_ref().is_ok_and(|reserves| reserves.block_number == number))
            .await;
        wait_for_polls(&node).await;
    }
    assert_eq!(reported_heights(&running), [Some(100), Some(101), Some(110)]);
    assert_eq!(node.requests("eth_call"), 3);
    assert_eq!(node.requests("eth_chainId"), 2, "at first, and when blocks were left out");
    let balances: Vec<U256> =
        running.updates.all().iter().map(|update| update.as_ref().unwrap().balances[0].1).collect();
    assert_eq!(balances, [100, 101, 110].map(U256::from), "each of its own block");
}

#[tokio::test]
async fn a_node_that_goes_back_is_ignored_until_it_is_ahead_again() {
    let node = FakeNode::start(1).await;
    let running = RunningSource::<RecordedReserves>::start(source(&[&node]));
    until_reported(&running, &[Some(100)]).await;
    node.state().newest = Block::at(97);
    wait_for_polls(&node).await;
    assert_eq!(reported_heights(&running), [Some(100)], "a few blocks back is another node behind the same address");
    node.state().newest = Block::at(101);
    until_reported(&running, &[Some(100), Some(101)]).await;

    node.state().newest = Block::at(80);
    let error = running.errors.next("it cannot go on", 0, |_| true).await;
    assert!(error.contains("is 21 blocks behind"), "{error}");
    node.state().newest = Block::at(102);
    let newest = running.updates.next("it goes on", 3, Result::is_ok).await.unwrap();
    assert_eq!(newest.block_number, 102);
    assert!(
        reported_heights(&running)[2..].iter().all(|number| number.is_none_or(|number| number == 102)),
        "{:?}",
        reported_heights(&running)
    );
}

#[tokio::test]
async fn a_bogus_height_blocks_others_only_until_it_is_stale() {
    let node = FakeNode::start(1).await;
    let clock = clock();
    let source = ReserveSource::new(rpc(config(urls(&[&node])), &clock), pool(), POLL_INTERVAL).unwrap();
    let running = RunningSource::<RecordedReserves>::start(source);
    until_reported(&running, &[Some(100)]).await;
    node.state().newest = Block::at(1 << 40);
    until_reported(&running, &[Some(100), Some(1 << 40)]).await;
    node.state().newest = Block::at(101);
    running.updates.wait("it is behind", 2, Result::is_err).await;
    clock.set(Timestamp::from_micros((TIME + 61) * 1_000_000));
    node.state().newest = Block { time: TIME + 61, ..Block::at(105) };
    let reserves = running.updates.next("the chain is followed again", 2, Result::is_ok).await.unwrap();
    assert_eq!(reserves.block_number, 105);
}

#[tokio::test]
async fn a_node_restarted_on_another_chain_is_not_used() {
    let node = FakeNode::start(1).await;
    let running = RunningSource::<RecordedReserves>::start(source(&[&node]));
    until_reported(&running, &[Some(100)]).await;
    {
        let mut state = node.state();
        state.chain_id = 8;
        state.newest = Block { branch: 8, ..Block::at(150) };
    }
    let error = running.errors.next("it cannot go on", 0, |_| true).await;
    assert!(error.contains("is on chain 8"), "{error}");
    assert!(!reported_heights(&running).contains(&Some(150)), "{:?}", reported_heights(&running));
    assert_eq!(node.requests("eth_call"), 1);
}

#[tokio::test]
async fn a_reorganised_chain_is_reported_again() {
    let node = FakeNode::start(1).await;
    let running = RunningSource::<RecordedReserves>::start(source(&[&node]));
    until_reported(&running, &[Some(100)]).await;
    for (block, expected) in [
        // The same height, another block.
        (Block { branch: 1, fork_height: 100, ..Block::at(100) }, Some(100)),
        // Lower, and different from the reported block at that height.
        (Block { branch: 2, fork_height: 99, ..Block::at(99) }, Some(99)),
        // Higher on that branch.
        (Block { branch: 2, fork_height: 99, ..Block::at(102) }, Some(102)),
        // Lower, with a parent different from the reported block.
        (Block { branch: 3, fork_height: 98, ..Block::at(100) }, Some(100)),
    ] {
        let before = reported_heights(&running);
        node.state().newest = block;
        until_reported(&running, &[before, vec![expected]].concat()).await;
    }
    assert_eq!(running.errors.all(), Vec::<String>::new());
}

#[tokio::test]
async fn after_an_error_reserves_are_reported_again_even_for_the_same_block() {
    let node = FakeNode::start(1).await;
    let running = RunningSource::<RecordedReserves>::start(source(&[&node]));
    until_reported(&running, &[Some(100)]).await;
    node.reply_to_all(Reply::Close);
    running.updates.wait("it fails", 1, Result::is_err).await;
    node.state().fault = None;
    let reserves = running.updates.next("it is reported again", 1, Result::is_ok).await.unwrap();
    assert_eq!(reserves.block_number, 100);
}

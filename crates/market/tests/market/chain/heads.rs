//! One node whose newest block does not only go forward.

use firmquote_domain::{Timestamp, U256};
use firmquote_market::chain::ReserveSource;

use crate::chain::{
    fake::{Block, FakeNode, Reply, TIME},
    hearing::{MOMENT, Reserves, Running, until},
    setup::{access, clock, pool, rpc, source, urls},
};

/// The heights that were reported, errors as `None`.
fn heights_of(running: &Running<Reserves>) -> Vec<Option<u64>> {
    running.updates.all().iter().map(|said| said.as_ref().ok().map(|reserves| reserves.block_number)).collect()
}

async fn until_reported(running: &Running<Reserves>, expected: &[Option<u64>]) {
    let have_arrived = || (heights_of(running).len() >= expected.len()).then_some(());
    until(&format!("{expected:?} have arrived"), have_arrived).await;
    assert_eq!(heights_of(running), expected);
}

/// Waits until the node has been looked at a few times more.
async fn looked_at(node: &FakeNode) {
    let before = node.asked("eth_getBlockByNumber");
    until("it is looked at", || (node.asked("eth_getBlockByNumber") > before + 3).then_some(())).await;
}

#[tokio::test]
async fn each_block_is_read_once() {
    let node = FakeNode::start(1).await;
    let running = Running::<Reserves>::start(source(&[&node]));
    for number in [100, 101, 110] {
        node.part().newest = Block::at(number);
        running
            .updates
            .wait("it is reported", 0, |said| said.as_ref().is_ok_and(|reserves| reserves.block_number == number))
            .await;
        looked_at(&node).await;
    }
    assert_eq!(heights_of(&running), [Some(100), Some(101), Some(110)]);
    assert_eq!(node.asked("eth_call"), 3);
    assert_eq!(node.asked("eth_chainId"), 2, "at first, and when blocks were left out");
    let balances: Vec<U256> = running.updates.all().iter().map(|said| said.as_ref().unwrap().balances[0].1).collect();
    assert_eq!(balances, [100, 101, 110].map(U256::from), "each of its own block");
}

#[tokio::test]
async fn a_node_that_goes_back_is_ignored_until_it_is_ahead_again() {
    let node = FakeNode::start(1).await;
    let running = Running::<Reserves>::start(source(&[&node]));
    until_reported(&running, &[Some(100)]).await;
    node.part().newest = Block::at(97);
    looked_at(&node).await;
    assert_eq!(heights_of(&running), [Some(100)], "a few blocks back is another node behind the same address");
    node.part().newest = Block::at(101);
    until_reported(&running, &[Some(100), Some(101)]).await;

    node.part().newest = Block::at(80);
    let end = running.ends.next("it cannot go on", 0, |_| true).await;
    assert!(end.contains("is 21 blocks behind"), "{end}");
    node.part().newest = Block::at(102);
    let newest = running.updates.next("it goes on", 3, Result::is_ok).await.unwrap();
    assert_eq!(newest.block_number, 102);
    assert!(
        heights_of(&running)[2..].iter().all(|number| number.is_none_or(|number| number == 102)),
        "{:?}",
        heights_of(&running)
    );
}

#[tokio::test]
async fn a_bogus_height_blocks_others_only_until_it_is_stale() {
    let node = FakeNode::start(1).await;
    let clock = clock();
    let source = ReserveSource::new(rpc(access(urls(&[&node])), &clock), pool(), MOMENT).unwrap();
    let running = Running::<Reserves>::start(source);
    until_reported(&running, &[Some(100)]).await;
    node.part().newest = Block::at(1 << 40);
    until_reported(&running, &[Some(100), Some(1 << 40)]).await;
    node.part().newest = Block::at(101);
    running.updates.wait("it is behind", 2, Result::is_err).await;
    clock.set(Timestamp::from_micros((TIME + 61) * 1_000_000));
    node.part().newest = Block { time: TIME + 61, ..Block::at(105) };
    let said = running.updates.next("the chain is followed again", 2, Result::is_ok).await.unwrap();
    assert_eq!(said.block_number, 105);
}

#[tokio::test]
async fn a_node_restarted_on_another_chain_is_not_used() {
    let node = FakeNode::start(1).await;
    let running = Running::<Reserves>::start(source(&[&node]));
    until_reported(&running, &[Some(100)]).await;
    {
        let mut part = node.part();
        part.chain_id = 8;
        part.newest = Block { branch: 8, ..Block::at(150) };
    }
    let end = running.ends.next("it cannot go on", 0, |_| true).await;
    assert!(end.contains("is on chain 8"), "{end}");
    assert!(!heights_of(&running).contains(&Some(150)), "{:?}", heights_of(&running));
    assert_eq!(node.asked("eth_call"), 1);
}

#[tokio::test]
async fn a_reorganised_chain_is_reported_again() {
    let node = FakeNode::start(1).await;
    let running = Running::<Reserves>::start(source(&[&node]));
    until_reported(&running, &[Some(100)]).await;
    for (block, expected) in [
        // The same height, another block.
        (Block { branch: 1, left: 100, ..Block::at(100) }, Some(100)),
        // Lower, and another block than was known there.
        (Block { branch: 2, left: 99, ..Block::at(99) }, Some(99)),
        // Further on that branch.
        (Block { branch: 2, left: 99, ..Block::at(102) }, Some(102)),
        // Lower, on a parent that is another one than was known.
        (Block { branch: 3, left: 98, ..Block::at(100) }, Some(100)),
    ] {
        let before = heights_of(&running);
        node.part().newest = block;
        until_reported(&running, &[before, vec![expected]].concat()).await;
    }
    assert_eq!(running.ends.all(), Vec::<String>::new());
}

#[tokio::test]
async fn after_an_error_reserves_are_reported_again_even_for_the_same_block() {
    let node = FakeNode::start(1).await;
    let running = Running::<Reserves>::start(source(&[&node]));
    until_reported(&running, &[Some(100)]).await;
    node.fail(Reply::Close);
    running.updates.wait("it fails", 1, Result::is_err).await;
    node.part().fault = None;
    let said = running.updates.next("it is reported again", 1, Result::is_ok).await.unwrap();
    assert_eq!(said.block_number, 100);
}

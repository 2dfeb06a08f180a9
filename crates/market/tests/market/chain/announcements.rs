//! New blocks that nodes announce over WebSockets.

use crate::chain::{
    fake::{Block, FakeNode, Reply},
    running_source::{POLL_INTERVAL, RecordedReserves, RunningSource, wait_until},
    setup::{HOUR, config, source, source_with, urls},
    web_sockets::node,
};

/// Starts a source that polls once an hour, without surveys.
async fn running(nodes: &[&FakeNode]) -> RunningSource<RecordedReserves> {
    let mut config = config(urls(nodes));
    config.survey_interval = HOUR;
    let running = RunningSource::<RecordedReserves>::start(source_with(config, HOUR));
    running.updates.wait("the first block is read", 0, Result::is_ok).await;
    running
}

async fn until_subscribed(node: &FakeNode) {
    wait_until("it is subscribed to", || (node.requests("eth_subscribe") > 0).then_some(())).await;
}

async fn until_reported(running: &RunningSource<RecordedReserves>, number: u64) {
    running.updates.wait_for_block(&format!("block {number} is read"), number).await;
}

#[tokio::test]
async fn a_new_block_is_read_when_the_node_announces_it() {
    let node = node(1).await;
    let running = running(&[&node]).await;
    until_subscribed(&node).await;
    for number in 101..110 {
        node.state().announce(Block::at(number));
        until_reported(&running, number).await;
    }
    assert_eq!(node.connections().1, 1, "all over one connection");
}

#[tokio::test]
async fn announcements_faster_than_reads_are_followed() {
    let node = node(1).await;
    let running = running(&[&node]).await;
    until_subscribed(&node).await;
    {
        let mut state = node.state();
        (0..1_000).for_each(|_| state.announce(Block::at(101)));
    }
    until_reported(&running, 101).await;
    // All announcements are read by now, except for one read in progress.
    for number in 102..110 {
        node.state().announce(Block::at(number));
        until_reported(&running, number).await;
    }
}

#[tokio::test]
async fn frequent_announcements_do_not_cause_constant_reads() {
    let node = node(1).await;
    let running = running(&[&node]).await;
    until_subscribed(&node).await;
    let earlier = node.requests("eth_getBlockByNumber");
    {
        let mut state = node.state();
        (0..1_000).for_each(|_| state.announce(Block::at(101)));
    }
    until_reported(&running, 101).await;
    let reads = node.requests("eth_getBlockByNumber") - earlier;
    assert!(reads < 20, "{reads} looks for a thousand announcements");
}

#[tokio::test]
async fn nodes_without_subscriptions_are_polled() {
    for reply in
        [Reply::Error(-32_601, "the method eth_subscribe does not exist"), Reply::Result(().into()), Reply::Silence]
    {
        let node = node(1).await;
        node.reply_to("eth_subscribe", reply.clone());
        let running = RunningSource::<RecordedReserves>::start(source(&[&node]));
        for number in 101..104 {
            node.state().announce(Block::at(number));
            until_reported(&running, number).await;
        }
        assert_eq!(running.errors.all(), Vec::<String>::new(), "{reply:?}");
    }
}

#[tokio::test]
async fn announcements_resume_after_an_outage() {
    let mut node = node(1).await;
    let mut config = config(urls(&[&node]));
    config.survey_interval = HOUR;
    // Long enough for announcements to arrive first.
    let running = RunningSource::<RecordedReserves>::start(source_with(config, POLL_INTERVAL * 40));
    until_reported(&running, 100).await;
    until_subscribed(&node).await;
    node.stop().await;
    running.updates.wait("it is gone", 1, Result::is_err).await;
    let subscriptions = node.requests("eth_subscribe");
    node.listen().await;
    wait_until("it is subscribed to again", || (node.requests("eth_subscribe") > subscriptions).then_some(())).await;
    node.state().announce(Block::at(101));
    until_reported(&running, 101).await;
}

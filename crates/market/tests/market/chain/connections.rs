//! The number of WebSocket connections to nodes.

use std::{sync::Arc, time::Duration};

use firmquote_market::chain::ReserveSource;
use tokio::runtime::Handle;

use crate::chain::{
    fake::{Block, Reply},
    running_source::{POLL_INTERVAL, RecordedReserves, RunningSource, wait_until},
    setup::{clock, config, pool, rpc, source, source_with, urls},
    web_sockets::node,
};

#[tokio::test]
async fn a_connection_is_closed_after_a_late_answer() {
    let node = node(1).await;
    let running = RunningSource::<RecordedReserves>::start(source(&[&node]));
    running.updates.wait("it is read from", 0, Result::is_ok).await;
    assert_eq!(node.connections(), (1, 1));
    node.reply_to_all(Reply::Silence);
    running.updates.wait("it is late", 1, Result::is_err).await;
    drop(running);
    wait_until("every connection is closed", || (node.connections().0 == 0).then_some(())).await;
}

#[tokio::test]
async fn an_idle_connection_is_closed() {
    let node = node(1).await;
    let running = RunningSource::<RecordedReserves>::start(source(&[&node]));
    running.updates.wait("it is read from", 0, Result::is_ok).await;
    drop(running);
    wait_until("every connection is closed", || (node.connections().0 == 0).then_some(())).await;
}

#[tokio::test]
async fn silent_nodes_accumulate_neither_connections_nor_tasks() {
    for handshake in [None, Some(String::new())] {
        let node = node(1).await;
        node.reply_to_all(Reply::Silence);
        node.state().handshake_response = handshake;
        let mut config = config(urls(&[&node]));
        config.call_timeout = POLL_INTERVAL * 4;
        let running = RunningSource::<RecordedReserves>::start(source_with(config, POLL_INTERVAL));
        running.errors.next("it ends a few times", 5, |_| true).await;
        let tasks = Handle::current().metrics().num_alive_tasks();
        running.errors.next("it ends many times", 30, |_| true).await;
        assert!(node.connections().1 > 20);
        wait_until("old connections are closed", || (node.connections().0 <= 2).then_some(())).await;
        let alive_tasks = || Handle::current().metrics().num_alive_tasks();
        wait_until("old tasks have ended", || (alive_tasks() <= tasks + 4).then_some(())).await;
    }
}

#[tokio::test]
async fn all_sources_of_a_chain_share_one_connection() {
    let node = node(1).await;
    let mut config = config(urls(&[&node]));
    config.call_timeout = Duration::from_secs(5);
    let rpc = rpc(config, &clock());
    let source = || ReserveSource::new(Arc::clone(&rpc), pool(), POLL_INTERVAL).unwrap();
    let running: Vec<_> = (0..10).map(|_| RunningSource::<RecordedReserves>::start(source())).collect();
    for number in [100, 101] {
        node.state().newest = Block::at(number);
        for running in &running {
            running.updates.wait_for_block("it is read", number).await;
        }
    }
    assert_eq!((node.connections(), node.requests("eth_subscribe")), ((1, 1), 1));
}

//! Events from nodes that repeat them, add others, omit some, or follow another branch of the chain.

use std::collections::BTreeMap;

use firmquote_domain::{B256, Timestamp};
use firmquote_market::chain::{ConfirmedBlocks, PoolEvents};
use serde_json::{Value, json};

use crate::chain::{
    events::EventRecorder,
    fake::{Block, FakeNode, Reply, TIME, Transport},
    running_source::RunningSource,
    setup::source,
};

type Edit = fn(&mut Vec<Value>, bool);

/// Starts a source of `node`, and returns it once it has read the events up to block `number`.
async fn read(running: &RunningSource<EventRecorder>, number: u64) -> PoolEvents {
    let reserves = running.updates.reserves.wait_for_block("the block is read", number).await;
    reserves.events.unwrap()
}

fn blocks(events: &PoolEvents) -> Vec<u64> {
    events.events.iter().map(|event| event.block_number).collect()
}

async fn node_with(edit: impl Fn(&mut Vec<Value>, bool) + Send + 'static) -> FakeNode {
    let node = FakeNode::start(1).await;
    node.state().edit_events = Some(Box::new(edit));
    node
}

#[tokio::test]
async fn an_event_that_is_returned_twice_is_one_event() {
    let node = node_with(|events, _| events.extend(events.clone())).await;
    node.state().event_data_bytes = [(100, 3)].into();
    let running = RunningSource::<EventRecorder>::start(source(&[&node]));
    assert_eq!(blocks(&read(&running, 100).await), (30..=100).collect::<Vec<_>>());
}

#[tokio::test]
async fn events_that_were_not_requested_are_a_fault_of_the_node() {
    type Change = fn(&mut Value);
    let cases: [(Change, &str); 6] = [
        (|event| event["address"] = json!("0x0707070707070707070707070707070707070707"), "another contract or kind"),
        (|event| event["topics"] = json!([B256::ZERO.to_string()]), "another contract or kind"),
        (|event| event["topics"] = json!([]), "another contract or kind"),
        (|event| event["removed"] = json!(true), "a removed block"),
        (|event| event["blockNumber"] = json!("0x1d"), "other blocks"),
        (|event| event["blockHash"] = json!(B256::ZERO.to_string()), "a block that is not part of its chain"),
    ];
    for (edit, expected) in cases {
        let node = node_with(move |events, _| events.first_mut().into_iter().for_each(edit)).await;
        let running = RunningSource::<EventRecorder>::start(source(&[&node]));
        let error = running.errors.next("it ends", 0, |_| true).await;
        assert!(error.contains(expected), "{expected}: {error}");
        // Another node is read instead.
        let honest = FakeNode::start(2).await;
        let running = RunningSource::<EventRecorder>::start(source(&[&node, &honest]));
        assert_eq!(blocks(&read(&running, 100).await), (30..100).collect::<Vec<_>>(), "{expected}");
    }
}

#[tokio::test]
async fn two_events_at_one_place_of_the_chain_contradict_each_other() {
    let repeat = |events: &mut Vec<Value>, _: bool| {
        let mut other = events.clone();
        other.iter_mut().for_each(|event| event["transactionHash"] = json!(B256::repeat_byte(2).to_string()));
        events.extend(other);
    };
    let node = node_with(repeat).await;
    let running = RunningSource::<EventRecorder>::start(source(&[&node]));
    let error = running.errors.next("it ends", 0, |_| true).await;
    assert!(error.contains("its events contradict each other"), "{error}");
}

#[tokio::test]
async fn times_are_those_of_headers() {
    for time in ["0x0", "0x19d971e4fe401", "now"] {
        let edit = move |events: &mut Vec<Value>, _: bool| {
            events.iter_mut().for_each(|event| event["blockTimestamp"] = json!(time));
        };
        let node = node_with(edit).await;
        let running = RunningSource::<EventRecorder>::start(source(&[&node]));
        let events = read(&running, 100).await.events;
        let expected = Timestamp::from_micros(TIME * 1_000_000);
        assert!(events.len() == 70 && events.iter().all(|event| event.block_time == expected), "{time}");
    }
}

#[tokio::test]
async fn an_event_is_missing_only_if_its_block_was_replaced_or_has_none_by_its_hash() {
    let omit: Edit = |events, is_by_hash| events.retain(|event| is_by_hash || event["blockNumber"] != "0x32");
    let omit_everywhere: Edit = |events, _| events.retain(|event| event["blockNumber"] != "0x32");
    let all: Vec<u64> = (30..101).collect();
    let others: Vec<u64> = all.iter().copied().filter(|block| *block != 50).collect();
    let replaced = Block { branch: 1, fork_height: 45, ..Block::at(101) };
    for (edit, newest, expected) in
        [(omit, Block::at(101), &all), (omit_everywhere, Block::at(101), &others), (omit, replaced, &others)]
    {
        let node = FakeNode::start(1).await;
        let running = RunningSource::<EventRecorder>::start(source(&[&node]));
        assert_eq!(blocks(&read(&running, 100).await), all[..70]);
        node.state().edit_events = Some(Box::new(edit));
        node.state().newest = newest;
        assert_eq!(blocks(&read(&running, 101).await), *expected, "{newest:?}");
    }
}

#[tokio::test]
async fn a_block_that_is_known_to_have_events_is_requested_by_its_hash() {
    let omit: Edit = |events, is_by_hash| events.retain(|event| is_by_hash || event["blockNumber"] != "0x32");
    for (known, expected) in [(None, 69), (Some((50, 1)), 70), (Some((51, 1)), 69), (Some((51, 2)), 69)] {
        let node = node_with(omit).await;
        node.state().fault = Some(Box::new(|_| Some(Reply::Silence)));
        let running = RunningSource::<EventRecorder>::start(source(&[&node]));
        *running.updates.known.lock().unwrap() = BTreeMap::from_iter(known);
        node.state().fault = None;
        assert_eq!(blocks(&read(&running, 100).await).len(), expected, "{known:?}");
    }
}

#[tokio::test]
async fn blocks_are_confirmed_by_their_hashes_over_several_readings() {
    let omit: Edit = |events, is_by_hash| events.retain(|_| is_by_hash);
    let node = node_with(omit).await;
    node.state().fault = Some(Box::new(|_| Some(Reply::Silence)));
    let running = RunningSource::<EventRecorder>::start(source(&[&node]));
    let confirmed = ConfirmedBlocks { from: 80, until: Timestamp::from_micros(TIME * 1_000_000) };
    *running.updates.confirmed.lock().unwrap() = Some(confirmed);
    node.state().fault = None;
    let is_confirmed = |update: &Result<firmquote_market::chain::PoolReserves, _>| {
        update.as_ref().is_ok_and(|reserves| reserves.events.as_ref().unwrap().is_confirmed)
    };
    let reserves = running.updates.reserves.next("every block is confirmed", 0, is_confirmed).await.unwrap();
    assert_eq!(blocks(&reserves.events.unwrap()), (80..100).collect::<Vec<_>>());
    let readings = running.updates.reserves.all();
    let first = readings[0].as_ref().unwrap().events.as_ref().unwrap();
    assert_eq!((first.is_confirmed, blocks(first)), (false, (80..88).collect()), "8 blocks at a time");
}

#[tokio::test]
async fn a_reorganization_is_deep_if_it_replaces_more_than_64_blocks() {
    for (fork_height, is_deep) in [(100, false), (37, false), (36, true), (1, true)] {
        let node = FakeNode::start(1).await;
        node.state().newest = Block::at(36);
        let running = RunningSource::<EventRecorder>::start(source(&[&node]));
        assert!(!read(&running, 36).await.is_deeply_reorganized);
        node.state().newest = Block::at(100);
        assert!(!read(&running, 100).await.is_deeply_reorganized);
        node.state().newest = Block { branch: 1, fork_height, ..Block::at(101) };
        assert_eq!(read(&running, 101).await.is_deeply_reorganized, is_deep, "{fork_height}");
        node.state().newest = Block { branch: 1, fork_height, ..Block::at(102) };
        assert!(!read(&running, 102).await.is_deeply_reorganized, "reported once");
    }
}

#[tokio::test]
async fn a_null_result_is_a_fault_that_names_its_method() {
    for transport in [Transport::Http, Transport::WebSocket] {
        let node = FakeNode::start_with(1, transport, None).await;
        node.reply_to("eth_getLogs", Reply::Result(Value::Null));
        let running = RunningSource::<EventRecorder>::start(source(&[&node]));
        let error = running.errors.next("it ends", 0, |_| true).await;
        assert!(error.contains("eth_getLogs of blocks 30 to 99: its result is null"), "{error}");
    }
}

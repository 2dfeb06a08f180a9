//! The events of a pool contract over a range of blocks, tied to the newest one by its hash.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use alloy_primitives::{Bytes, U64};
use firmquote_domain::{Address, B256, Timestamp};
use serde::{Deserialize, Serialize};
use tokio::time::Instant;

use super::{Head, Node, NodeFault};

/// The maximum number of requests for ranges of blocks in one reading, refused ones included.
const MAX_REQUESTS: usize = 100;

/// The method that returns events.
const METHOD: &str = "eth_getLogs";

/// An event as the node returns it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
struct RawLog {
    block_number: U64,
    block_hash: B256,
    /// Returned by newer nodes only.
    block_timestamp: Option<U64>,
    transaction_hash: B256,
    log_index: U64,
    topics: Vec<B256>,
    data: Bytes,
}

#[derive(Clone, Debug, Serialize)]
struct Filter {
    address: Address,
    topics: [B256; 1],
    #[serde(flatten)]
    blocks: Blocks,
}

/// The blocks of a filter: a range, or one by its hash. Nodes may respond to a range before they know the events of its
/// last block, and omit those without an error.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged, rename_all_fields = "camelCase")]
enum Blocks {
    Range { from_block: U64, to_block: U64 },
    One { block_hash: B256 },
}

/// An event that a pool contract emitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PoolEvent {
    /// The number of its block.
    pub block_number: u64,
    /// The timestamp of its block.
    pub block_time: Timestamp,
    /// The transaction.
    pub transaction_hash: B256,
    /// The position among the events of the block.
    pub log_index: u64,
    /// The topics, the signature of the event first.
    pub topics: Vec<B256>,
    /// The data.
    pub data: Bytes,
}

/// The timestamps of blocks with events, for nodes that omit them from events; each block is read once.
#[derive(Debug, Default)]
pub(super) struct BlockTimes(Mutex<HashMap<B256, Timestamp>>);

impl BlockTimes {
    /// Converts `logs` to events with their block times, and forgets all other blocks.
    async fn resolve(&self, node: &Node, head: &Head, logs: Vec<RawLog>) -> Result<Vec<PoolEvent>, NodeFault> {
        let mut times: HashMap<B256, Timestamp> = HashMap::from([(head.hash, head.time)]);
        let mut events = Vec::with_capacity(logs.len());
        for log in logs {
            let time_in_log = log
                .block_timestamp
                .map(|seconds| Timestamp::from_micros(seconds.to::<u64>().saturating_mul(1_000_000)));
            let time = time_in_log.or_else(|| times.get(&log.block_hash).copied()).or_else(|| self.get(log.block_hash));
            let time = match time {
                Some(time) => time,
                None => match node.block(log.block_number.to()).await?.filter(|block| block.hash == log.block_hash) {
                    Some(block) => block.time,
                    None => return Err(reorganization_fault()),
                },
            };
            times.insert(log.block_hash, time);
            events.push(log.event(time));
        }
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = times;
        Ok(events)
    }

    fn get(&self, block: B256) -> Option<Timestamp> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&block).copied()
    }
}

fn reorganization_fault() -> NodeFault {
    NodeFault::Malformed("it changed to another branch while its events were read".to_owned())
}

/// Reads the events of `contract` with this first topic from block `from` to `head`, in the order of the chain.
///
/// # Errors
/// [`NodeFault`]; also if the node has changed to another branch meanwhile.
pub(super) async fn read(
    node: &Node,
    contract: Address,
    topic: B256,
    from: u64,
    head: &Head,
    times: &BlockTimes,
) -> Result<Vec<PoolEvent>, NodeFault> {
    let filter = |blocks| (Filter { address: contract, topics: [topic], blocks },);
    let mut logs = read_below(node, from, head, filter).await?;
    let head_logs: Vec<RawLog> = node.request(METHOD, filter(Blocks::One { block_hash: head.hash })).await?;
    if head_logs.iter().any(|log| log.block_hash != head.hash) {
        return Err(wrong_blocks_fault());
    }
    logs.extend(head_logs);
    let mut events = times.resolve(node, head, logs).await?;
    if node.block(head.number).await?.map(|block| block.hash) != Some(head.hash) {
        return Err(reorganization_fault());
    }
    events.sort_by_key(|event| (event.block_number, event.log_index));
    Ok(events)
}

/// Reads the events from block `from` to the one below `head`. A range that the node refuses is halved; the accepted
/// size is reused for some time.
async fn read_below(
    node: &Node,
    from: u64,
    head: &Head,
    filter: impl Fn(Blocks) -> (Filter,),
) -> Result<Vec<RawLog>, NodeFault> {
    let mut all = Vec::new();
    let mut first = from.min(head.number);
    let mut range = node.health().max_event_blocks(Instant::now());
    let mut was_refused = false;
    for _ in 0..MAX_REQUESTS {
        if first == head.number {
            return Ok(all);
        }
        let last = first.saturating_add(range).min(head.number) - 1;
        let blocks = filter(Blocks::Range { from_block: U64::from(first), to_block: U64::from(last) });
        let logs: Option<Vec<RawLog>> = match last == first {
            true => Some(node.request(METHOD, blocks).await?),
            false => node.request_range(METHOD, blocks).await?,
        };
        let Some(logs) = logs else {
            range = (last - first).div_ceil(2);
            was_refused = true;
            continue;
        };
        if logs.iter().any(|log| !(first..=last).contains(&log.block_number.to())) {
            return Err(wrong_blocks_fault());
        }
        if std::mem::take(&mut was_refused) {
            node.health().limit_event_blocks(range, Instant::now());
        }
        all.extend(logs);
        first = last + 1;
    }
    Err(NodeFault::Malformed(format!("its limit on events takes more than {MAX_REQUESTS} requests")))
}

fn wrong_blocks_fault() -> NodeFault {
    NodeFault::Malformed("its events are of other blocks".to_owned())
}

impl RawLog {
    fn event(self, block_time: Timestamp) -> PoolEvent {
        PoolEvent {
            block_number: self.block_number.to(),
            block_time,
            transaction_hash: self.transaction_hash,
            log_index: self.log_index.to(),
            topics: self.topics,
            data: self.data,
        }
    }
}

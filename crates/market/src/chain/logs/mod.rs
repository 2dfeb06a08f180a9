//! The events of a pool contract over a range of blocks, tied to the newest one by its hash.

mod backlog;
mod block_times;
mod event;
mod ranges;

use alloy_primitives::U64;
use firmquote_domain::{Address, B256};
use tokio::time::Instant;

use self::{
    backlog::{Backlog, PartialReading},
    block_times::BlockTimes,
    event::{Blocks, Filter, RawLog},
    ranges::RangeStarts,
};
use super::{Head, Node, NodeFault, node::RangeResponse};
pub use event::PoolEvent;

/// The maximum number of requests for ranges of blocks in one reading, refused ones included.
const MAX_REQUESTS: u64 = 100;

/// The maximum number of events in one reading. Each takes less than 1 KiB of memory.
const MAX_EVENTS: usize = 1 << 17;

/// The method that returns events.
const GET_LOGS: &str = "eth_getLogs";

/// What a reading of the events of one contract with one topic leaves for the next one.
#[derive(Debug, Default)]
pub(super) struct LogCache {
    backlog: Backlog,
    times: BlockTimes,
    starts: RangeStarts,
}

/// Reads the events of `contract` with this first topic from block `from` to `head`, in the order of the chain.
///
/// # Errors
/// [`NodeFault`]; also if the node has changed to another branch meanwhile. If there are many blocks, the next reading
/// continues where this one failed.
pub(super) async fn read(
    node: &Node,
    contract: Address,
    topic: B256,
    from: u64,
    head: &Head,
    cache: &LogCache,
) -> Result<Vec<PoolEvent>, NodeFault> {
    let filter = |blocks| (Filter { address: contract, topics: [topic], blocks },);
    let mut reading = cache.backlog.resume(node, from.min(head.number), head).await?;
    let result = read_below(node, head, &cache.starts, filter, &mut reading).await;
    cache.backlog.keep(&reading);
    result?;
    let mut logs = reading.logs;
    let head_logs: Vec<RawLog> = node.request_long(GET_LOGS, filter(Blocks::One { block_hash: head.hash })).await?;
    if head_logs.iter().any(|log| log.block_hash != head.hash) {
        return Err(wrong_blocks_fault());
    }
    add(&mut logs, head_logs)?;
    let mut events = cache.times.resolve(node, head, logs).await?;
    if node.block(head.number).await?.map(|block| block.hash) != Some(head.hash) {
        return Err(NodeFault::Reorganized);
    }
    events.sort_by_key(|event| (event.block_number, event.log_index));
    Ok(events)
}

/// Continues `reading` to the block below `head`. A range that the node refuses is halved, and the
/// accepted size is reused for some time; so is one that times out, once in a reading, unless the smaller ranges would
/// be too many. A range whose response is too long is divided at this place only: the events of others may be short.
async fn read_below(
    node: &Node,
    head: &Head,
    starts: &RangeStarts,
    filter: impl Fn(Blocks) -> (Filter,),
    reading: &mut PartialReading,
) -> Result<(), NodeFault> {
    let mut sizes = Vec::new();
    let mut range = node.health.lock().max_event_blocks(Instant::now());
    let (mut was_refused, mut was_late) = (false, false);
    for _ in 0..MAX_REQUESTS {
        let first = reading.next;
        if first == head.number {
            starts.divide(&sizes, first);
            return Ok(());
        }
        let last = starts.last_block(first, range).min(head.number - 1);
        let half = (last - first).div_ceil(2);
        let blocks = filter(Blocks::Range { from_block: U64::from(first), to_block: U64::from(last) });
        let response: Result<RangeResponse<Vec<RawLog>>, NodeFault> = match last == first {
            true => node.request_long(GET_LOGS, blocks).await.map(RangeResponse::Complete),
            false => node.request_range(GET_LOGS, blocks).await,
        };
        let logs = match response {
            Ok(RangeResponse::Complete(logs)) => logs,
            Ok(RangeResponse::TooLong) => {
                starts.add(first + half);
                continue;
            }
            Ok(RangeResponse::Refused) => {
                (range, was_refused) = (half, true);
                continue;
            }
            Err(fault @ NodeFault::Timeout { .. }) if half.saturating_mul(MAX_REQUESTS) >= head.number - first => {
                // Known to the next reading, if this one fails.
                node.health.lock().limit_event_blocks(half, Instant::now());
                if std::mem::replace(&mut was_late, true) {
                    return Err(fault);
                }
                range = half;
                continue;
            }
            Err(fault) => return Err(fault),
        };
        if logs.iter().any(|log| !(first..=last).contains(&log.block_number.to())) {
            return Err(wrong_blocks_fault());
        }
        if std::mem::take(&mut was_refused) {
            node.health.lock().limit_event_blocks(range, Instant::now());
        }
        sizes.push((first, logs.iter().map(RawLog::json_bytes).sum()));
        add(&mut reading.logs, logs)?;
        reading.next = last + 1;
    }
    starts.divide(&sizes, reading.next);
    Err(NodeFault::Malformed(format!("its limit on events takes more than {MAX_REQUESTS} requests")))
}

/// Adds the events of a response.
///
/// # Errors
/// For more than [`MAX_EVENTS`].
fn add(all: &mut Vec<RawLog>, logs: Vec<RawLog>) -> Result<(), NodeFault> {
    if all.len() + logs.len() > MAX_EVENTS {
        return Err(NodeFault::Malformed(format!("its events are more than {MAX_EVENTS}")));
    }
    all.extend(logs);
    Ok(())
}

fn wrong_blocks_fault() -> NodeFault {
    NodeFault::Malformed("its events are of other blocks".to_owned())
}

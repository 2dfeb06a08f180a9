//! The events of a pool contract over a range of blocks, tied to the newest one by its hash.
//!
//! Nodes repeat events, add those of other contracts and other blocks, and omit some: a load balancer may combine
//! several of them, and their indices may be behind their blocks. Events are therefore a set, each is compared with what
//! was requested and with the header of its block, and one that was returned before is only missing if the node also
//! omits it when asked for its block by hash.

mod backlog;
mod event;
mod ranges;
mod reorganization;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use alloy_primitives::U64;
use firmquote_domain::{Address, B256, Timestamp};
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use parking_lot::Mutex;
use tokio::time::Instant;

use self::{
    backlog::{Backlog, PartialReading},
    event::{Blocks, Filter, RawLog},
    ranges::RangeStarts,
    reorganization::{Branch, BranchBlock},
};
use super::{
    Call, Head, Node, NodeFault,
    node::{RangeResponse, malformed},
};
pub use event::PoolEvent;

/// The maximum number of requests for ranges of blocks in one reading, refused ones included.
const MAX_REQUESTS: u64 = 100;

/// The maximum number of events in one reading. Each takes less than 1 KiB of memory.
const MAX_EVENTS: usize = 1 << 17;

/// The maximum number of blocks whose events one reading requests by their hashes to confirm them.
const MAX_CONFIRMED_BLOCKS: u64 = 8;

/// The number of block headers that are requested at once.
const CONCURRENT_HEADERS: usize = 8;

/// What a reading of the events of one contract with one topic leaves for the next one.
#[derive(Debug, Default)]
pub(super) struct LogCache {
    backlog: Backlog,
    branch: Branch,
    starts: RangeStarts,
    /// The events of the last reading.
    events: Mutex<Vec<RawLog>>,
}

/// The events that a reader needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestedEvents {
    /// The first topic.
    pub topic: B256,
    /// The first block.
    pub from: u64,
    /// The blocks that are known to have events, and how many at least.
    pub known: BTreeMap<u64, usize>,
    /// The blocks in which the absence of events matters.
    pub confirmed: Option<ConfirmedBlocks>,
}

/// Blocks whose events have to be confirmed by the hash of each: a node that returns none for a range may merely not
/// know them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConfirmedBlocks {
    /// The first block.
    pub from: u64,
    /// The time of the last block.
    pub until: Timestamp,
}

/// The events of a pool over a range of blocks up to that of its reserves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PoolEvents {
    /// The first block of the range.
    pub from: u64,
    /// The events, in the order of the chain, each once.
    pub events: Vec<PoolEvent>,
    /// Whether the events of all blocks that were to be confirmed are. The others follow in the next readings.
    pub is_confirmed: bool,
    /// Whether a reorganization replaced more than [`MAX_REORG_DEPTH`](firmquote_domain::MAX_REORG_DEPTH) blocks since
    /// the reading before.
    pub is_deeply_reorganized: bool,
}

/// Reads the `requested` events of `contract` up to `head`.
///
/// # Errors
/// [`NodeFault`]; also if the node has changed to another branch meanwhile. If there are many blocks, the next reading
/// continues where this one failed.
pub(super) async fn read(
    node: &Node,
    contract: Address,
    requested: &RequestedEvents,
    head: &Head,
    cache: &LogCache,
) -> Result<PoolEvents, NodeFault> {
    let from = requested.from.min(head.number);
    cache.branch.follow(node, from, head).await?;
    let reader = EventReader { node, contract, topic: requested.topic, head, cache };
    let mut reading = cache.backlog.resume(node, from, head).await?;
    let result = reader.read_below(&mut reading).await;
    cache.backlog.keep(&reading);
    result?;
    let mut logs = reading.logs;
    add(&mut logs, reader.read_block(head.number, head.hash).await?)?;
    let mut logs = unique(logs)?;
    reader.restore_omitted(from, &requested.known, &mut logs).await?;
    let is_confirmed = match requested.confirmed {
        Some(blocks) => reader.confirm(blocks, &mut logs).await?,
        None => true,
    };
    let events = reader.resolve(&logs).await?;
    if node.block(head.number).await?.map(|block| block.hash) != Some(head.hash) {
        return Err(NodeFault::Reorganized);
    }
    *cache.events.lock() = logs;
    Ok(PoolEvents { from, events, is_confirmed, is_deeply_reorganized: cache.branch.take_deep_reorganization() })
}

/// Reads the events of one contract with one topic up to `head`.
struct EventReader<'r> {
    node: &'r Node,
    contract: Address,
    topic: B256,
    head: &'r Head,
    cache: &'r LogCache,
}

impl EventReader<'_> {
    fn filter(&self, blocks: Blocks) -> (Filter,) {
        (Filter { address: self.contract, topics: [self.topic], blocks },)
    }

    /// Checks that `logs`, the result of `call`, are those that were requested, in blocks for which `is_requested`
    /// holds.
    fn check(&self, call: Call, logs: &[RawLog], is_requested: impl Fn(&RawLog) -> bool) -> Result<(), NodeFault> {
        for log in logs {
            let reason = if !log.is_of(self.contract, self.topic) {
                "its events are of another contract or kind"
            } else if log.is_removed() {
                "its events are of a removed block"
            } else if !is_requested(log) {
                "its events are of other blocks"
            } else {
                continue;
            };
            return Err(malformed(call, reason));
        }
        Ok(())
    }

    /// Reads the events of one block by its hash.
    async fn read_block(&self, number: u64, hash: B256) -> Result<Vec<RawLog>, NodeFault> {
        let call = Call::BlockEvents(number);
        let logs: Vec<RawLog> = self.node.request_long(call, self.filter(Blocks::One { block_hash: hash })).await?;
        self.check(call, &logs, |log| log.block_hash == hash && log.number() == number)?;
        self.cache.branch.confirm(number, hash);
        Ok(logs)
    }

    /// Continues `reading` to the block below the head. A range that the node refuses is halved, and the accepted size
    /// is reused for some time; so is one that times out, once in a reading, unless the smaller ranges would be too
    /// many. A range whose response is too long is divided at this place only: the events of others may be short.
    async fn read_below(&self, reading: &mut PartialReading) -> Result<(), NodeFault> {
        let Self { node, head, cache: LogCache { starts, .. }, .. } = self;
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
            let call = Call::Events { first, last };
            let filter = self.filter(Blocks::Range { from_block: U64::from(first), to_block: U64::from(last) });
            let response: Result<RangeResponse<Vec<RawLog>>, NodeFault> = match last == first {
                true => node.request_long(call, filter).await.map(RangeResponse::Complete),
                false => node.request_range(call, filter).await,
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
            self.check(call, &logs, |log| (first..=last).contains(&log.number()))?;
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

    /// Adds the events of the last reading, and of the blocks that are `known` to have some, that `logs` omit although
    /// their block is still part of the chain, if the node returns them for the hash of their block.
    async fn restore_omitted(
        &self,
        from: u64,
        known: &BTreeMap<u64, usize>,
        logs: &mut Vec<RawLog>,
    ) -> Result<(), NodeFault> {
        let blocks = from..self.head.number;
        let omitted: BTreeMap<u64, B256> = {
            let earlier = self.cache.events.lock();
            let is_missing = |log: &&RawLog| blocks.contains(&log.number()) && !contains(logs, log);
            earlier.iter().filter(is_missing).map(|log| (log.number(), log.block_hash)).collect()
        };
        let count = |number: u64| logs.iter().filter(|log| log.number() == number).count();
        let incomplete = known.range(blocks.clone()).filter(|(number, events)| count(**number) < **events);
        let suspects: BTreeSet<u64> = incomplete.map(|(number, _)| *number).chain(omitted.keys().copied()).collect();
        for number in suspects {
            let Some(block) = self.cache.branch.block(self.node, number).await? else { continue };
            let is_replaced = omitted.get(&number).is_some_and(|hash| *hash != block.hash);
            if !is_replaced && (!block.is_confirmed || omitted.contains_key(&number)) {
                self.replace_block(logs, number, block.hash).await?;
            }
        }
        Ok(())
    }

    /// Confirms the events of up to [`MAX_CONFIRMED_BLOCKS`] of `blocks`. Returns whether all are confirmed.
    async fn confirm(&self, blocks: ConfirmedBlocks, logs: &mut Vec<RawLog>) -> Result<bool, NodeFault> {
        let mut confirmations_left = MAX_CONFIRMED_BLOCKS;
        for number in blocks.from..=self.head.number {
            let block = self.cache.branch.block(self.node, number).await?.ok_or(NodeFault::Reorganized)?;
            if block.time > blocks.until {
                break;
            }
            if block.is_confirmed {
                continue;
            }
            if confirmations_left == 0 {
                return Ok(false);
            }
            confirmations_left -= 1;
            self.replace_block(logs, number, block.hash).await?;
        }
        Ok(true)
    }

    /// Replaces the events of a block by those that the node returns for its hash.
    async fn replace_block(&self, logs: &mut Vec<RawLog>, number: u64, hash: B256) -> Result<(), NodeFault> {
        let confirmed = self.read_block(number, hash).await?;
        logs.retain(|log| log.number() != number);
        add(logs, confirmed)?;
        *logs = unique(std::mem::take(logs))?;
        Ok(())
    }

    /// Converts `logs` to events with the times of their blocks, each of which has to be part of the chain.
    async fn resolve(&self, logs: &[RawLog]) -> Result<Vec<PoolEvent>, NodeFault> {
        let numbers: BTreeSet<u64> = logs.iter().map(RawLog::number).collect();
        let read = async |number: u64| Ok((number, self.cache.branch.block(self.node, number).await?));
        let blocks: HashMap<u64, Option<BranchBlock>> =
            stream::iter(numbers.into_iter().map(read)).buffer_unordered(CONCURRENT_HEADERS).try_collect().await?;
        let event = |log: &RawLog| {
            let block = blocks.get(&log.number()).copied().flatten().filter(|block| block.hash == log.block_hash);
            block.map(|block| log.event(block.time))
        };
        match logs.iter().map(event).collect() {
            Some(events) => Ok(events),
            None => {
                self.cache.branch.forget_headers();
                Err(self.unknown_block_fault().await?)
            }
        }
    }

    /// Returns the fault of a node that returned events of a block that is not on the branch of its newest one.
    async fn unknown_block_fault(&self) -> Result<NodeFault, NodeFault> {
        let newest = self.node.block(self.head.number).await?;
        Ok(match newest.is_some_and(|newest| newest.hash == self.head.hash) {
            true => NodeFault::Malformed("its events are of a block that is not part of its chain".to_owned()),
            false => NodeFault::Reorganized,
        })
    }
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

/// Returns each event once, in the order of the chain.
///
/// # Errors
/// [`NodeFault::Malformed`] for two different events at one place of the chain.
fn unique(mut logs: Vec<RawLog>) -> Result<Vec<RawLog>, NodeFault> {
    logs.sort_by_key(RawLog::place);
    logs.dedup_by(|log, earlier| log.is_same_event(earlier));
    let is_contradictory = |pair: &[RawLog]| matches!(pair, [one, other] if one.place() == other.place());
    match logs.windows(2).any(is_contradictory) {
        true => Err(NodeFault::Malformed("its events contradict each other".to_owned())),
        false => Ok(logs),
    }
}

/// Whether `logs`, in the order of the chain, contain `log`.
fn contains(logs: &[RawLog], log: &RawLog) -> bool {
    let found = logs.binary_search_by_key(&log.place(), RawLog::place).ok();
    found.and_then(|position| logs.get(position)).is_some_and(|found| found.is_same_event(log))
}

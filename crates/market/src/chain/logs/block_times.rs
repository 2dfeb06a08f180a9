//! The timestamps of blocks with events, for nodes that omit them from events.

use std::collections::{HashMap, HashSet};

use firmquote_domain::{B256, Timestamp};
use parking_lot::Mutex;

use super::event::{PoolEvent, RawLog};
use crate::chain::{Head, Node, NodeFault};

/// The timestamps of blocks. Each block is read once, also if the reading fails at a later one.
#[derive(Debug, Default)]
pub(super) struct BlockTimes(Mutex<HashMap<B256, Timestamp>>);

impl BlockTimes {
    /// Converts `logs` to events with their block times, and forgets all other blocks.
    pub(super) async fn resolve(
        &self,
        node: &Node,
        head: &Head,
        logs: Vec<RawLog>,
    ) -> Result<Vec<PoolEvent>, NodeFault> {
        let blocks: HashSet<B256> = logs.iter().map(|log| log.block_hash).collect();
        self.0.lock().retain(|block, _| blocks.contains(block));
        self.0.lock().insert(head.hash, head.time);
        let mut events = Vec::with_capacity(logs.len());
        for log in logs {
            let time = match log.block_time().or_else(|| self.get(log.block_hash)) {
                Some(time) => time,
                None => match node.block(log.block_number.to()).await?.filter(|block| block.hash == log.block_hash) {
                    Some(block) => block.time,
                    None => return Err(NodeFault::Reorganized),
                },
            };
            self.0.lock().insert(log.block_hash, time);
            events.push(log.event(time));
        }
        Ok(events)
    }

    fn get(&self, block: B256) -> Option<Timestamp> {
        self.0.lock().get(&block).copied()
    }
}

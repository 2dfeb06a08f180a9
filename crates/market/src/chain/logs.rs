//! The events of a pool contract over a range of blocks, tied to the newest one by its hash.

use alloy_primitives::{Bytes, U64};
use firmquote_domain::{Address, B256};
use serde::{Deserialize, Serialize};

use super::{Head, Node, NodeFault};

/// The number of blocks in one request; many nodes refuse more.
const MAX_BLOCKS: u64 = 1_000;

/// An event as the node returns it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
struct RawLog {
    block_number: U64,
    block_hash: B256,
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

/// The blocks of a filter: a range, or one by its hash. Nodes may answer a range before they know the events of its last
/// block, and leave them out without an error.
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
    /// The transaction.
    pub transaction_hash: B256,
    /// The position among the events of the block.
    pub log_index: u64,
    /// The topics, the signature of the event first.
    pub topics: Vec<B256>,
    /// The data.
    pub data: Bytes,
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
) -> Result<Vec<PoolEvent>, NodeFault> {
    let mut events = Vec::new();
    let mut first = from.min(head.number);
    while first < head.number {
        let last = first.saturating_add(MAX_BLOCKS).min(head.number) - 1;
        let blocks = Blocks::Range { from_block: U64::from(first), to_block: U64::from(last) };
        let logs: Vec<RawLog> =
            node.request("eth_getLogs", (Filter { address: contract, topics: [topic], blocks },)).await?;
        if logs.iter().any(|log| !(first..=last).contains(&log.block_number.to())) {
            return Err(NodeFault::Malformed("its events are of other blocks".to_owned()));
        }
        events.extend(logs.into_iter().map(PoolEvent::from));
        first = last + 1;
    }
    let blocks = Blocks::One { block_hash: head.hash };
    let logs: Vec<RawLog> =
        node.request("eth_getLogs", (Filter { address: contract, topics: [topic], blocks },)).await?;
    if logs.iter().any(|log| log.block_hash != head.hash) {
        return Err(NodeFault::Malformed("its events are of other blocks".to_owned()));
    }
    events.extend(logs.into_iter().map(PoolEvent::from));
    if node.hash_of(head.number).await? != Some(head.hash) {
        return Err(NodeFault::Malformed("it changed to another branch while its events were read".to_owned()));
    }
    events.sort_by_key(|event| (event.block_number, event.log_index));
    Ok(events)
}

impl From<RawLog> for PoolEvent {
    fn from(log: RawLog) -> Self {
        Self {
            block_number: log.block_number.to(),
            transaction_hash: log.transaction_hash,
            log_index: log.log_index.to(),
            topics: log.topics,
            data: log.data,
        }
    }
}

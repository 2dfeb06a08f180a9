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
#[serde(rename_all = "camelCase")]
struct Filter {
    address: Address,
    topics: [B256; 1],
    from_block: U64,
    to_block: U64,
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
    loop {
        let last = first.saturating_add(MAX_BLOCKS - 1).min(head.number);
        let filter =
            Filter { address: contract, topics: [topic], from_block: U64::from(first), to_block: U64::from(last) };
        let logs: Vec<RawLog> = node.request("eth_getLogs", (filter,)).await?;
        let is_foreign = |log: &RawLog| {
            let number: u64 = log.block_number.to();
            !(first..=last).contains(&number) || number == head.number && log.block_hash != head.hash
        };
        if logs.iter().any(is_foreign) {
            return Err(NodeFault::Malformed("its events are of other blocks".to_owned()));
        }
        events.extend(logs.into_iter().map(PoolEvent::from));
        if last == head.number {
            break;
        }
        first = last + 1;
    }
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

//! Blocks, transactions, receipts and logs as JSON. Members of the protocol that the simulated chain does not have are zero.

use alloy_consensus::Transaction as _;
use alloy_primitives::{Address, B256, Bloom};
use serde_json::{Value, json};

use crate::chain::{Block, EventLog, SentTransaction};

/// The gas that every estimate returns, and that every transaction uses.
pub(super) const GAS: u64 = 200_000;
/// The base fee of every block, in wei.
pub(super) const BASE_FEE: u64 = 1_000_000_000;
/// The gas limit of every block.
const BLOCK_GAS_LIMIT: u64 = 30_000_000;

/// A number in hex.
pub(super) fn quantity(number: u64) -> Value {
    json!(format!("0x{number:x}"))
}

/// A number of a position or a length in hex.
fn position(number: usize) -> Value {
    json!(format!("0x{number:x}"))
}

pub(super) fn block(block: &Block<'_>, is_full: bool) -> Value {
    let transactions: Vec<Value> = block
        .transactions
        .iter()
        .map(|(hash, sent)| if is_full { transaction(*hash, sent, Some(block)) } else { json!(hash) })
        .collect();
    json!({
        "number": quantity(block.number),
        "hash": block.hash,
        "parentHash": block.parent_hash,
        "timestamp": quantity(block.time.seconds().get().into()),
        "nonce": "0x0000000000000000",
        "mixHash": B256::ZERO,
        "sha3Uncles": alloy_consensus::EMPTY_OMMER_ROOT_HASH,
        "uncles": [],
        "logsBloom": Bloom::ZERO,
        "transactionsRoot": alloy_consensus::EMPTY_ROOT_HASH,
        "stateRoot": alloy_consensus::EMPTY_ROOT_HASH,
        "receiptsRoot": alloy_consensus::EMPTY_ROOT_HASH,
        "miner": Address::ZERO,
        "difficulty": "0x0",
        "extraData": "0x",
        "size": "0x0",
        "gasLimit": quantity(BLOCK_GAS_LIMIT),
        "gasUsed": quantity(GAS * u64::try_from(transactions.len()).unwrap_or(0)),
        "baseFeePerGas": quantity(BASE_FEE),
        "transactions": transactions,
    })
}

/// A transaction, with its block if it is mined.
pub(super) fn transaction(hash: B256, sent: &SentTransaction, block: Option<&Block<'_>>) -> Value {
    let mut value = serde_json::to_value(&sent.envelope).unwrap_or_default();
    if let Value::Object(members) = &mut value {
        members.insert("from".to_owned(), json!(sent.from));
        members.insert("gasPrice".to_owned(), json!(format!("0x{:x}", gas_price(sent))));
        members.insert("blockHash".to_owned(), json!(block.map(|block| block.hash)));
        members.insert("blockNumber".to_owned(), block.map_or(Value::Null, |block| quantity(block.number)));
        let index = block.map_or(Value::Null, |block| transaction_index(hash, block));
        members.insert("transactionIndex".to_owned(), index);
    }
    value
}

pub(super) fn receipt(hash: B256, sent: &SentTransaction, block: &Block<'_>) -> Value {
    let index = block.transactions.iter().position(|(other, _)| *other == hash).unwrap_or(0);
    let logs: Vec<Value> = sent.log.iter().map(|one| log(hash, sent, one, block)).collect();
    let mut bloom = Bloom::ZERO;
    if let Some(log) = &sent.log {
        bloom.accrue_raw_log(log.address, &log.topics);
    }
    json!({
        "transactionHash": hash,
        "transactionIndex": transaction_index(hash, block),
        "blockHash": block.hash,
        "blockNumber": quantity(block.number),
        "from": sent.from,
        "to": sent.envelope.to(),
        "contractAddress": null,
        "type": quantity(u8::from(sent.envelope.tx_type()).into()),
        "status": quantity(sent.is_executed.into()),
        "gasUsed": quantity(GAS),
        "cumulativeGasUsed": quantity(GAS * u64::try_from(index + 1).unwrap_or(1)),
        "effectiveGasPrice": json!(format!("0x{:x}", gas_price(sent))),
        "logs": logs,
        "logsBloom": bloom,
    })
}

pub(super) fn log(hash: B256, sent: &SentTransaction, log: &EventLog, block: &Block<'_>) -> Value {
    json!({
        "address": log.address,
        "topics": log.topics,
        "data": log.data,
        "blockHash": block.hash,
        "blockNumber": quantity(block.number),
        "transactionHash": hash,
        "transactionIndex": transaction_index(hash, block),
        "logIndex": position(sent.log_index),
        "removed": false,
    })
}

fn transaction_index(hash: B256, block: &Block<'_>) -> Value {
    position(block.transactions.iter().position(|(other, _)| *other == hash).unwrap_or(0))
}

/// The price of a unit of gas, in wei.
fn gas_price(sent: &SentTransaction) -> u128 {
    sent.envelope.effective_gas_price(Some(BASE_FEE))
}

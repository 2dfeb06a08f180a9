//! Events on the wire and as they are delivered, and the filter that requests them.

use std::fmt;

use alloy_primitives::{Bytes, U64, hex};
use firmquote_domain::{Address, B256, Timestamp};
use serde::{Deserialize, Deserializer, Serialize, de};

/// How much of the data of an event is kept, in bytes: more than the static part of any event that is requested. The
/// sender of a transaction may choose the rest, at 8 gas a byte.
const MAX_DATA_BYTES: usize = 256;

/// The length of an event in JSON without its data, in bytes, rounded up.
const BASE_JSON_BYTES: usize = 1 << 10;

/// An event as the node returns it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct RawLog {
    address: Address,
    pub(super) block_number: U64,
    pub(super) block_hash: B256,
    transaction_hash: B256,
    log_index: U64,
    topics: Vec<B256>,
    data: LogData,
    /// Whether a reorganization removed its block.
    removed: Option<bool>,
}

#[derive(Clone, Debug, Serialize)]
pub(super) struct Filter {
    pub(super) address: Address,
    pub(super) topics: [B256; 1],
    #[serde(flatten)]
    pub(super) blocks: Blocks,
}

/// The blocks of a filter: a range, or one by its hash. Nodes may respond to a range before they know the events of its
/// last block, and omit those without an error.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged, rename_all_fields = "camelCase")]
pub(super) enum Blocks {
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
    /// The first 256 bytes of the data, or all if there are fewer.
    pub data: Bytes,
}

impl RawLog {
    /// The length in JSON, in bytes, rounded up.
    pub(super) const fn json_bytes(&self) -> usize {
        BASE_JSON_BYTES + 2 * self.data.length
    }

    /// The number of its block.
    pub(super) fn number(&self) -> u64 {
        self.block_number.to()
    }

    /// Its place in the chain, which no other event has: the number of its block, and its position in that.
    pub(super) fn place(&self) -> (u64, u64) {
        (self.number(), self.log_index.to())
    }

    /// Whether both are the same event of the same block.
    pub(super) fn is_same_event(&self, other: &Self) -> bool {
        let contents = |log: &Self| (log.block_hash, log.transaction_hash, log.place());
        contents(self) == contents(other) && self.topics == other.topics && self.data == other.data
    }

    /// Whether `contract` emitted it with this first topic.
    pub(super) fn is_of(&self, contract: Address, topic: B256) -> bool {
        self.address == contract && self.topics.first() == Some(&topic)
    }

    pub(super) fn is_removed(&self) -> bool {
        self.removed == Some(true)
    }

    pub(super) fn event(&self, block_time: Timestamp) -> PoolEvent {
        PoolEvent {
            block_number: self.number(),
            block_time,
            transaction_hash: self.transaction_hash,
            log_index: self.log_index.to(),
            topics: self.topics.clone(),
            data: self.data.start.clone(),
        }
    }
}

/// The data of an event: its first [`MAX_DATA_BYTES`] bytes, and its whole length in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
struct LogData {
    start: Bytes,
    length: usize,
}

impl<'de> Deserialize<'de> for LogData {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(HexVisitor)
    }
}

/// Decodes the start of a hexadecimal string without copying the whole.
struct HexVisitor;

impl de::Visitor<'_> for HexVisitor {
    type Value = LogData;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bytes in hexadecimal")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<LogData, E> {
        let digits = text.strip_prefix("0x").unwrap_or(text);
        let (start, rest) = digits.split_at_checked(2 * MAX_DATA_BYTES).unwrap_or((digits, ""));
        let start = hex::decode(start).map_err(E::custom)?;
        if !rest.len().is_multiple_of(2) {
            return Err(E::custom("half a byte"));
        }
        Ok(LogData { start: start.into(), length: digits.len() / 2 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_start_of_the_data_is_kept() {
        let parse = |text: &str| serde_json::from_str::<LogData>(&format!("{text:?}")).ok();
        let long = format!("0x{}", "ab".repeat(MAX_DATA_BYTES + 5));
        for (text, start, length) in [
            ("0x", &[][..], 0),
            ("0x0102", &[1, 2], 2),
            ("0102", &[1, 2], 2),
            (&long, &[0xab; MAX_DATA_BYTES], MAX_DATA_BYTES + 5),
        ] {
            assert_eq!(parse(text), Some(LogData { start: Bytes::copy_from_slice(start), length }), "{text}");
        }
        for text in ["0x1", "0xzz", &long[..long.len() - 1]] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}

//! The newest block of a node, and whether it is new enough.

use alloy_primitives::U64;
use firmquote_domain::{B256, Timestamp};
use serde::Deserialize;

use super::{ChainRpcConfig, NodeFault};

/// How far the time of a block may be ahead of our clock, in seconds; nodes themselves tolerate as much.
const MAX_AHEAD_SECONDS: u32 = 15;

/// The fields of a block header that are used here, as a node returns them.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BlockHeader {
    number: U64,
    hash: B256,
    parent_hash: B256,
    timestamp: U64,
}

/// The newest block of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) number: u64,
    pub(crate) hash: B256,
    pub(crate) parent_hash: B256,
    pub(crate) time: Timestamp,
}

impl BlockHeader {
    /// # Errors
    /// [`NodeFault::Malformed`] for a time beyond the range of [`Timestamp`].
    pub(super) fn head(&self) -> Result<Head, NodeFault> {
        let micros = self.timestamp.to::<u64>().checked_mul(1_000_000);
        let micros = micros.ok_or_else(|| NodeFault::Malformed("its newest block has an invalid time".to_owned()))?;
        let Self { hash, parent_hash, .. } = *self;
        Ok(Head { number: self.number.to(), hash, parent_hash, time: Timestamp::from_micros(micros) })
    }
}

impl Head {
    /// Checks the time of the block against our clock.
    ///
    /// # Errors
    /// [`NodeFault::Old`] and [`NodeFault::Ahead`].
    pub(in crate::chain) fn check_age(&self, config: &ChainRpcConfig, now: Timestamp) -> Result<(), NodeFault> {
        if now > self.time.plus_seconds(config.max_age_seconds) {
            return Err(NodeFault::Old { seconds: now.seconds_since(self.time) });
        }
        if self.time > now.plus_seconds(MAX_AHEAD_SECONDS) {
            return Err(NodeFault::Ahead { seconds: self.time.seconds_since(now) });
        }
        Ok(())
    }

    /// Returns whether this block is `earlier` or its direct child.
    pub(super) fn continues(&self, earlier: &Self) -> bool {
        self.hash == earlier.hash || self.parent_hash == earlier.hash
    }

    /// Checks the height of the block against `highest`, the highest block at which another node was read.
    ///
    /// # Errors
    /// [`NodeFault::Behind`].
    pub(super) fn check_lag(&self, config: &ChainRpcConfig, highest: u64) -> Result<(), NodeFault> {
        let blocks = highest.saturating_sub(self.number);
        if blocks > config.max_lag_blocks { Err(NodeFault::Behind { blocks }) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use firmquote_domain::ChainId;

    use super::*;

    const NOW: Timestamp = Timestamp::from_seconds(1_700_000_000);

    fn config() -> ChainRpcConfig {
        ChainRpcConfig {
            chain_id: ChainId::new(1).unwrap(),
            urls: Vec::new(),
            authorities: None,
            call_timeout: Duration::ZERO,
            cooldown: Duration::ZERO,
            survey_interval: Duration::ZERO,
            max_lag_blocks: 3,
            max_age_seconds: 60,
        }
    }

    fn head_of(number: &str, timestamp: &str) -> Result<Head, NodeFault> {
        let hash = B256::repeat_byte(1);
        let text = format!(
            r#"{{"number":"{number}","hash":"{hash}","parentHash":"{hash}","timestamp":"{timestamp}","extra":[]}}"#
        );
        serde_json::from_str::<BlockHeader>(&text).map_err(|error| NodeFault::Malformed(error.to_string()))?.head()
    }

    #[test]
    fn block_headers_are_parsed() {
        let head = head_of("0x10", "0x6553f100").unwrap();
        assert_eq!((head.number, head.time), (16, NOW));
        for (number, timestamp) in [("0x1", "0xffffffffffffffff"), ("0x10000000000000000", "0x1"), ("", "x")] {
            assert!(matches!(head_of(number, timestamp), Err(NodeFault::Malformed(_))), "{number} {timestamp}");
        }
    }

    #[test]
    fn blocks_must_be_neither_stale_nor_in_the_future() {
        let at = |micros: u64| Head { time: Timestamp::from_micros(micros), ..head_of("0x1", "0x0").unwrap() };
        let now = NOW.as_micros();
        for (time, expected) in [
            (now, Ok(())),
            (now - 60_000_000, Ok(())),
            (now - 60_000_001, Err(NodeFault::Old { seconds: 60 })),
            (now + 15_000_000, Ok(())),
            (now + 15_000_001, Err(NodeFault::Ahead { seconds: 15 })),
            (u64::MAX, Err(NodeFault::Ahead { seconds: (u64::MAX - now) / 1_000_000 })),
        ] {
            assert_eq!(at(time).check_age(&config(), NOW), expected, "{time}");
        }
    }

    #[test]
    fn blocks_must_not_lag_far_behind_the_highest() {
        let head = head_of("0x64", "0x0").unwrap();
        for (highest, expected) in
            [(0, Ok(())), (100, Ok(())), (103, Ok(())), (104, Err(NodeFault::Behind { blocks: 4 }))]
        {
            assert_eq!(head.check_lag(&config(), highest), expected, "{highest}");
        }
    }
}

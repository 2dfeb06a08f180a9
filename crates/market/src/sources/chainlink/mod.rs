//! Prices of Chainlink feeds, read from their contracts (`AggregatorV3Interface`) over the nodes of a chain.
//!
//! A feed is updated on chain when its price has moved by its threshold, or when its heartbeat has passed: its price
//! may be hours old and still current. The currency of a feed is not checked: one in euros is published as if it were
//! in US dollars.

mod round;
mod source;

pub use crate::chainlink_config::{ChainlinkConfig, ChainlinkFeed};
#[cfg(any(test, fuzzing))]
pub(crate) use round::{Aggregator, fuzz_round};
pub use source::ChainlinkSource;

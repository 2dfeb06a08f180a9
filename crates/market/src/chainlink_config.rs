//! The configuration of a Chainlink source: the feed contracts of the assets, and the maximum age of their answers.

use std::time::Duration;

use firmquote_domain::{Address, Symbol};

#[cfg(feature = "chain")]
use crate::{InvalidConfig, chain_rpc_config::check_time, sources::first_duplicate};

/// A feed in US dollars.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainlinkFeed {
    /// The asset that the feed prices.
    pub symbol: Symbol,
    /// The contract of the feed: the proxy, whose address stays when the aggregator behind it is replaced.
    pub aggregator: Address,
    /// The maximum time without an update of the feed, in seconds, at least 1: its heartbeat as published by Chainlink,
    /// plus some minutes for the update to get into a block.
    pub heartbeat_seconds: u32,
}

/// The feeds of one chain and the settings for reading them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainlinkConfig {
    /// The feeds, at least one. One asset cannot have two.
    pub feeds: Vec<ChainlinkFeed>,
    /// The interval at which all feeds are read.
    pub poll_interval: Duration,
    /// How far the time of an update may be ahead of our clock, in seconds.
    pub clock_tolerance_seconds: u32,
}

#[cfg(feature = "chain")]
impl ChainlinkConfig {
    /// # Errors
    /// [`InvalidConfig`] for no feeds, an asset with two, a heartbeat of zero, and an interval of zero or of
    /// more than a day.
    pub(crate) fn check(&self) -> Result<(), InvalidConfig> {
        check_time("poll interval", self.poll_interval)?;
        if self.feeds.is_empty() {
            return Err(InvalidConfig("no feeds".to_owned()));
        }
        if let Some(symbol) = first_duplicate(self.feeds.iter().map(|feed| &feed.symbol)) {
            return Err(InvalidConfig(format!("two feeds for {symbol}")));
        }
        match self.feeds.iter().find(|feed| feed.heartbeat_seconds == 0) {
            None => Ok(()),
            Some(ChainlinkFeed { symbol, .. }) => {
                Err(InvalidConfig(format!("the heartbeat of {symbol} must be above zero")))
            }
        }
    }
}

//! The part of the fuzz target `nodes` that reads the answer of a feed contract.
//!
//! Compiled for fuzzing and for the test that replays the target's corpus; not part of any program.

use firmquote_domain::{Address, Symbol, Timestamp};

use super::{
    config::ChainlinkFeed,
    round::{Aggregator::latestRoundDataReturn, Round},
};
use crate::fuzzing::check_error_text;

/// Reads the answer of a feed as a price at `now`.
///
/// # Panics
/// If a price is not observed at `now`, or an error is not one short line.
pub(crate) fn round(data: &latestRoundDataReturn, now: Timestamp) {
    let Ok(symbol) = Symbol::new("ETH") else { return };
    let feed = ChainlinkFeed { symbol, aggregator: Address::ZERO, heartbeat_seconds: 3_600 };
    for decimals in [0, 8, 18, u8::MAX] {
        match Round::new(data, decimals).observation(&feed, 10, now) {
            Ok(observation) => assert_eq!(observation.observed_at, now),
            Err(error) => check_error_text(&error),
        }
    }
}

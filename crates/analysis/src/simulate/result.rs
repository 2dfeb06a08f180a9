//! What happened in a simulated period.

use firmquote_domain::Timestamp;

use crate::{LedgerSwaps, Money, PriceHistory, TokenNames};

/// What happened in a simulated period.
#[derive(Debug, Default)]
pub struct SimulationResult {
    /// A line for each day.
    pub days: Vec<SimulatedDay>,
    /// The signed swaps and how they ended.
    pub swaps: LedgerSwaps,
    /// The prices.
    pub prices: PriceHistory,
    /// The tokens of the pools.
    pub names: TokenNames,
    /// The SHA-256 of everything that was quoted, refused, signed and executed, in hexadecimal digits.
    pub digest: String,
}

/// The figures of a simulated day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimulatedDay {
    /// The end of the day.
    pub end: Timestamp,
    /// Requests for quotes.
    pub requested: u64,
    /// Requests that were served with a quote.
    pub quoted: u64,
    /// Signed quotes.
    pub signed: u64,
    /// Executed swaps.
    pub executed: u64,
    /// The value of their inputs at the prices of their quotes.
    pub volume: Money,
    /// The value of the reserves at the end of the day.
    pub pool_value: Money,
    /// That value less the value, at the same prices, of the reserves at the start of the day: what trading earned.
    pub trading: Money,
    /// The share of each asset in the value of its pool at the end of the day, in basis points, rounded down.
    pub inventory: Vec<u32>,
}

impl SimulatedDay {
    /// The figures at the beginning of a day.
    pub(super) fn beginning(start: Timestamp) -> Self {
        Self {
            end: start,
            requested: 0,
            quoted: 0,
            signed: 0,
            executed: 0,
            volume: Money::default(),
            pool_value: Money::default(),
            trading: Money::default(),
            inventory: Vec::new(),
        }
    }
}

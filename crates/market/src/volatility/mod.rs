//! The volatility of the exchange rates of pairs, estimated from their prices, in integers.

mod estimate;
mod series;
mod weight;

use firmquote_domain::Volatility;

pub use estimate::{EstimateState, VolatilityEstimate};

/// The parameters of an estimate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VolatilityParameters {
    /// The time after which a sample counts half, in seconds, at least 1.
    pub half_life_seconds: u32,
    /// The lower bound of the estimate.
    pub floor: Volatility,
    /// The upper bound of the estimate.
    pub ceiling: Volatility,
}

/// The estimated annual volatility of a pair at one instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EstimatedVolatility {
    /// The volatility that quotes are priced with: the estimate plus an eighth of it, within floor and ceiling. It
    /// stays unchanged until the estimate is above it or below three quarters of it, so that the fee changes rarely.
    pub quoted: Volatility,
    /// The estimate, within floor and ceiling; never above `quoted`. Quotes priced with less are priced too low now.
    pub estimate: Volatility,
}

//! How much the exchange rates of pairs move, estimated from their prices, in integers.

mod estimate;
mod weight;

use firmquote_domain::Volatility;

pub use estimate::VolatilityEstimate;

/// How an estimate is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VolatilityRule {
    /// The time after which a sample counts half, in seconds, at least 1.
    pub half_life_seconds: u32,
    /// The least that is estimated.
    pub floor: Volatility,
    /// The most that is estimated.
    pub ceiling: Volatility,
}

/// The annual volatility of a pair as it is estimated at one instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EstimatedVolatility {
    /// What quotes are priced with: the estimate and an eighth of it, within floor and ceiling. It stays as it is until
    /// the estimate is above it or below three quarters of it, so that the fee changes rarely.
    pub quoted: Volatility,
    /// The estimate, within floor and ceiling; never above `quoted`. What was priced with less is priced too low now.
    pub least: Volatility,
}

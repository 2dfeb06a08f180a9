//! What a price has to keep to.

use firmquote_domain::BasisPoints;

use super::Change;

/// What a price has to keep to, each rule for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PriceRules {
    /// The age at which a price is no longer trusted, in milliseconds.
    pub max_age_ms: u64,
    /// How fast a price may move, per second since it was trusted last; within the first second, this much at once. A
    /// price that moved further is trusted again when as much time has passed as its move takes at this speed.
    pub max_jump_per_second: BasisPoints,
    /// How far a price may move in a minute, however many small steps it takes. A price that moved further is trusted again
    /// when as much time has passed as its move takes at this speed.
    pub max_move_per_minute: BasisPoints,
    /// How far the highest of the trusted sources may be above the lowest.
    pub max_deviation: Change,
    /// How wide half of a source's confidence interval may be, as a part of the price.
    pub max_confidence: Change,
    /// Which of several sources counts.
    pub choice: Choice,
}

/// Which of several trusted sources counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The first, in configured order.
    Priority,
    /// The one in the middle; of two in the middle the mean, rounded down.
    Median {
        /// How many have to be trusted, one at least.
        least: usize,
    },
}

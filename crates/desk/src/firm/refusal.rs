//! Why a quote that names levels is refused, and which refusals break a promise.

use strum::{EnumIter, IntoStaticStr};

/// Why a quote that names levels is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumIter, IntoStaticStr, thiserror::Error)]
pub enum LevelsRefusal {
    /// The levels no longer hold, or were never published as firm.
    #[error("the levels have expired or are not firm")]
    #[strum(serialize = "levels_expired")]
    Expired,
    /// The amount is beyond the last knot, or alone beyond the budget.
    #[error("the input exceeds the last knot of the levels, or their whole budget")]
    #[strum(serialize = "beyond_size")]
    BeyondSize,
    /// The amount is below the first knot.
    #[error("the input is below the first knot of the levels")]
    #[strum(serialize = "below_minimum")]
    BelowMinimum,
    /// Other quotes and swaps of the client leave too little of the budget.
    #[error("the client's other quotes and swaps leave too little of the budget of this pair and direction")]
    #[strum(serialize = "budget_used")]
    BudgetUsed,
    /// The operator or a breaker paused the pool.
    #[error("the pool is paused, so its levels no longer hold")]
    #[strum(serialize = "paused")]
    Paused,
    /// The reserves moved or are unknown, so that the levels would leave too little to the pool.
    #[error("the reserves moved so far that the levels cannot be honored")]
    #[strum(serialize = "reserves_moved")]
    ReservesMoved,
    /// The swaps that are outstanding leave no room.
    #[error("outstanding swaps leave no room for the promise of the levels")]
    #[strum(serialize = "outstanding_limit")]
    OutstandingLimit,
    /// The store lost the levels or their usage.
    #[error("the store lost its data about the levels")]
    #[strum(serialize = "store_lost")]
    StoreLost,
}

impl LevelsRefusal {
    /// The refusals that break the promise of the levels; the others are within their terms.
    pub const BREACHES: [Self; 3] = [Self::ReservesMoved, Self::OutstandingLimit, Self::StoreLost];

    /// The name in responses and metrics.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

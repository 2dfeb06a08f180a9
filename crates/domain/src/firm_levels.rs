//! Firm levels: a quote that names them pays at least their output.

use alloy_primitives::{Address, U256};

use crate::{Amount, BasisPoints, LevelsId, PoolId, Price, StateId, Timestamp};

/// A published book of levels that is firm until it expires, with the state its quotes are priced on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirmLevels {
    /// Identifies the levels to clients.
    pub id: LevelsId,
    /// The pool that would pay.
    pub pool: PoolId,
    /// The token paid to the pool, and the token paid by it.
    pub tokens: [Address; 2],
    /// The prices of these tokens that the levels were computed with.
    pub prices: [Price; 2],
    /// The state that the levels were computed with.
    pub state_id: StateId,
    /// The fee included in the levels.
    pub fee: BasisPoints,
    /// Seconds between accepting and landing on chain that the levels are for.
    pub time_in_seconds: u32,
    /// Cumulative inputs with their outputs in base units, both rising.
    pub knots: Vec<[Amount; 2]>,
    /// The largest input that one client can use, in base units.
    pub budget: Amount,
    /// The first instant at which the levels no longer hold.
    pub valid_until: Timestamp,
}

/// What firm levels promise to a quote that names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuotedLevels {
    /// The levels.
    pub id: LevelsId,
    /// The output of the levels for the input of the quote, at most its output.
    pub output: Amount,
    /// What the quote leaves of the client's budget, in base units of the input.
    pub budget_left: U256,
}

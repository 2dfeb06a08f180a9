//! Firm levels and their usage by clients.

use firmquote_domain::{Address, Amount, Client, FirmLevels, LevelsId, PoolId, QuoteId, Timestamp, U256};

/// The result of looking up levels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LevelsLookup {
    /// Live.
    Live(Box<FirmLevels>),
    /// Perhaps live, but the store lost their usage.
    Lost,
    /// They have expired, or were never published.
    Expired,
}

/// The key of a budget: all firm levels of a pool and direction share one per client.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LevelBudget {
    /// The pool.
    pub pool: PoolId,
    /// The token paid to the pool, and the token paid by it.
    pub tokens: [Address; 2],
    /// The client.
    pub client: Client,
}

/// An input to be reserved.
#[derive(Clone, Debug)]
pub struct Reservation<'a> {
    /// The budget that it is reserved in.
    pub budget: &'a LevelBudget,
    /// The levels that the client named.
    pub levels_id: LevelsId,
    /// The maximum usage, in base units of the input.
    pub limit: Amount,
    /// The quote.
    pub quote_id: QuoteId,
    /// The input, in base units.
    pub input: Amount,
    /// The first instant at which it no longer counts.
    pub until: Timestamp,
}

/// The outcome of a [`Reservation`]. Usage is the sum of the reservations of other quotes, in base units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReservationOutcome {
    /// It is reserved.
    Reserved {
        /// The usage before it.
        used: U256,
    },
    /// The limit would be exceeded.
    LimitExceeded {
        /// The current usage.
        used: U256,
    },
    /// The store lost the levels or their usage.
    Lost,
}

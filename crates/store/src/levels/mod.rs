//! Firm levels and their usage by clients.

use async_trait::async_trait;
use firmquote_domain::{Address, Amount, Client, FirmLevels, LevelsId, PoolId, QuoteId, Timestamp, U256};

use crate::StoreError;

/// The firm levels of the pools and their usage by clients, for all replicas that share the store.
///
/// [`contract::check_levels`](https://docs.rs/firmquote-store/latest/firmquote_store/contract/fn.check_levels.html)
/// (feature `contract`) tests every implementation against this documentation. All levels of a pool and direction share
/// one usage figure per client, so that several of them promise no more than one.
#[async_trait]
pub trait LevelStore: Send + Sync {
    /// Stores levels until they expire; only then may they be published. Returns `false`, and stores nothing, for a
    /// `renewal` of levels that the store has lost.
    ///
    /// # Errors
    /// [`StoreError`] when the store could not be reached; the levels may or may not be stored.
    async fn store_levels(&self, levels: &FirmLevels, renewal: bool, now: Timestamp) -> Result<bool, StoreError>;

    /// Returns the levels of an id in a pool.
    ///
    /// # Errors
    /// [`StoreError`] when the store could not be reached.
    async fn find_levels(&self, pool: PoolId, id: LevelsId, now: Timestamp) -> Result<LevelsLookup, StoreError>;

    /// Reserves an input for a quote in the budget of its client, in one atomic step; replaces an earlier reservation
    /// of the quote.
    ///
    /// # Errors
    /// [`StoreError`] when the store could not be reached; the input may or may not be reserved, and a retry for the
    /// same quote is safe.
    async fn reserve(&self, reservation: &Reservation<'_>, now: Timestamp) -> Result<ReservationOutcome, StoreError>;

    /// Sets the time until which the reserved input of a quote counts; a past time releases it. Returns `false` if the
    /// quote no longer has a reservation.
    ///
    /// # Errors
    /// [`StoreError`] when the store could not be reached; a retry is safe.
    async fn set_reserved_until(
        &self,
        budget: &LevelBudget,
        quote_id: QuoteId,
        until: Timestamp,
        now: Timestamp,
    ) -> Result<bool, StoreError>;
}

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

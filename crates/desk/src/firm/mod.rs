//! Firm levels: published levels that quotes honor until they expire, regardless of price moves.
//!
//! Every replica honors the levels of all others: levels and the budget used by each client are in the store. A quote
//! that names levels takes two more store calls than others.

mod breach;
mod budget;
mod curve;
mod live_levels;
mod policy;
mod quote;
mod refusal;
mod reservation;
mod state;

pub(crate) use self::{
    budget::FirmBudgetInputs,
    reservation::{budget_of, reserved_until},
};
pub use self::{
    policy::{FirmLevelsPolicy, MAX_FIRM_MS, MIN_FIRM_MS},
    refusal::LevelsRefusal,
    state::FirmLevelsState,
};

//! Firm levels: published levels that quotes keep to, whatever prices do, for as long as they hold.
//!
//! Every replica honors what any of them published, since the levels, and what each client has used of them, are in the
//! store. A quote that names levels costs two store calls more than another one, its signature one.

mod breach;
mod budget;
mod curve;
mod promises;
mod quote;
mod refusal;
mod reservation;

pub(crate) use self::budget::FirmTerms;
pub use self::{
    promises::{FirmLevelsPolicy, MAX_FIRM_MS, MIN_FIRM_MS, Promises},
    quote::{FirmQuote, LevelTerms, SignedFirmQuote},
    refusal::LevelsRefusal,
};

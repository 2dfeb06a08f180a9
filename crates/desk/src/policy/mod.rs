//! The operator's restrictions on what a pool signs, beyond what its contract would execute. Checked immediately before
//! a signature is made; changes do not affect signatures already released.

mod client_terms;
mod limits;
mod outstanding;
mod pauses;
mod signing;

pub(crate) use self::client_terms::{ClientTermsTable, min_discounted_fee};
pub(crate) use self::limits::TradeLimits;
pub(crate) use self::outstanding::{OutstandingBounds, half_impact, share_of};
pub use self::{
    client_terms::{ClientTerms, capped_discounts},
    limits::InitialPoolValue,
    outstanding::OutstandingPolicy,
    pauses::{PAUSES_TTL_SECONDS, Pauses},
    signing::{AccountRule, Limit, SigningPolicy},
};

//! Verification for takers: does the formula give the quoted amounts on what the pool publishes, was this very swap signed
//! by the pool's key, and does the calldata ask the contract for it?
//!
//! [`Verification::checks`] does all of it; [`recompute`] is the part for those who want the integers alone. There is no
//! network and no clock here: what is checked are values, from whatever client fetched them. Floats are compared where the
//! interface has floats (values in US dollars, the rate), never for amounts.
#![doc = include_str!("../README.md")]

mod amounts;
mod check;
mod consistency;
mod implied_prices;
mod pool;
mod recompute;
mod response;
mod signature;
mod swap;
mod verification;

pub use check::{Check, CheckStatus, Difference, VerificationResult};
pub use implied_prices::ImpliedPrices;
pub use pool::{PairFee, PoolData, PublishedAsset, PublishedPool};
pub use recompute::{Recomputation, candidates, recompute};
pub use response::{QuoteResponse, RequestedSwap, SignResponse};
pub use signature::check_calldata;
pub use swap::QuotedSwap;
pub use verification::Verification;

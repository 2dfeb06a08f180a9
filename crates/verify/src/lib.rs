//! Verification for takers: whether the formula gives the quoted amounts on the published pool data, whether the pool's
//! key signed exactly this swap, and whether the calldata executes it.
//!
//! [`Verification::checks`] runs all checks; [`recompute`] only recomputes the amounts. Neither uses the network or a
//! clock: the caller fetches the values to check. Floats are compared only where the interface has floats (values in US
//! dollars, the rate), never for amounts.
#![doc = include_str!("../README.md")]

mod amounts;
mod check;
mod consistency;
mod implied_prices;
mod pool;
mod recompute;
mod request;
mod signature;
mod swap;
mod verification;

pub use check::{Check, CheckStatus, Difference, VerificationResult};
pub use implied_prices::ImpliedPrices;
pub use pool::{PairFee, PublishedAsset, PublishedPool, PublishedPools};
pub use recompute::{Recomputation, candidates, recompute};
pub use request::{QuotedLevels, RequestedSwap, TokenAmount};
pub use signature::check_calldata;
pub use swap::PricedSwap;
pub use verification::Verification;

//! Values, units and invariants of firm swap quotes.
//!
//! The other crates of the workspace share these types. Every constructed value is valid: amounts are never zero,
//! prices never round to zero, a packed `good_until` never contains a zero that would void the pool's check. Nothing
//! here waits, reads the system clock, accesses a network or depends on wire names.
#![doc = include_str!("../README.md")]

mod address;
mod amount;
mod ascii_name;
mod asset;
mod book;
mod chain;
mod clock;
mod decimal;
mod fee;
mod firm_levels;
#[cfg(any(test, fuzzing))]
pub mod fuzzing;
mod good_until;
mod hedge;
mod hex_id;
mod invalid;
mod pool;
mod price;
mod quote;
mod signature;
mod time;
mod weight;

pub use alloy_primitives::{Address, B256, U256, U512};

pub use address::{ChecksummedAddress, parse_address};
pub use amount::{Amount, InvalidTokenAmount, WholeTokens, narrow};
pub use ascii_name::{HedgeName, Symbol};
pub use asset::{Asset, Decimals};
pub use book::{
    Book, BookEntry, BookTotals, ExecutedAmounts, MAX_PUSH_EXCESS_THOUSANDTHS, OfferKey, SignedSwap, SwapDeadlines,
    SwapState, TimedSum, TokenFlows, latest_lapse, max_stated_amount, reserve_bounds,
};
pub use chain::{ChainId, MAX_REORG_DEPTH, PoolId};
pub use clock::{Clock, ClockJump, ManualClock};
pub use decimal::parse_decimal;
pub use fee::{BasisPoints, FeeAdjustment, FeeCurve, Volatility};
pub use firm_levels::{FirmLevels, QuotedLevels};
pub use good_until::{GoodUntil, GoodUntilKind, PACKED_ABOVE, PackedGoodUntil, SettlementCheck};
pub use hedge::{Hedge, Quantity};
pub use hex_id::{LevelsId, StateId};
pub use invalid::InvalidValue;
pub use pool::{
    Chain, InvalidPool, MAX_ACCEPTANCE_WINDOW_SECONDS, MAX_LIFETIME_SECONDS, Pair, Pool, PoolSpec, SigningDomain,
};
pub use price::{Price, Usd};
pub use quote::{
    Client, Execution, FixedSide, Leg, NativeSide, Offer, Quote, QuoteId, QuoteState, ReserveBounds, Settlement,
    SignedQuote, SourceNetwork, SwapAmount, SwapOutcome, Terms, is_expired, is_lapsed,
};
pub use signature::Signature;
pub use time::{Timestamp, UnixSeconds};
pub use weight::{PoolConstant, Weight};

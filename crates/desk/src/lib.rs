//! The use cases of a firm-quote server: quote, sign, quote-and-sign, pool data, and prices that
//! the operator sends.
//!
//! The desk composes pricing, keys, store and market; it knows nothing of HTTP.
#![doc = include_str!("../README.md")]

mod chains;
mod desk;
mod directed_pair;
mod display;
mod error;
mod last_look;
mod overview;
mod pair_cache;
mod policy;
mod pools;
mod price_desk;
mod quote;
mod quote_curve;
mod readiness;
mod sign;
mod trade_limits;
mod watch;

pub use firmquote_market::push::{InvalidPrice, InvalidPrices, Mistake};
pub use firmquote_pricing::Fixed;

pub use chains::{ChainView, TradedPool};
pub use desk::{Desk, ServedPool};
pub use display::{AssetView, PoolView, calldata, rate, value_in_usd};
pub use error::{Conflict, ConflictReason, DeskError};
pub use overview::{AssetOverview, Overview, PairOverview, PoolOverview};
pub use policy::{AccountRule, Limit, PAUSES_TTL_SECONDS, Pauses, SigningPolicy, ValueAnchor};
pub use price_desk::{PostError, PriceDesk};
pub use quote::QuoteRequest;
pub use quote_curve::{CurveRequest, CurveSize, QuoteCurve};
pub use readiness::{Condition, PartState, StoreHealth};
pub use sign::SignRequest;
pub use watch::{
    MAX_RECENT_SIGNATURES, ObservedValue, PriceSources, RecentSignature, RecentSignatures, SignedVolume, SourceView,
    Watch,
};

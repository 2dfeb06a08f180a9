//! The use cases of a firm-quote server: quote, sign, quote-and-sign, pool data, and prices that
//! the operator sends.
//!
//! The desk composes pricing, keys, store and market; it knows nothing of HTTP.
#![doc = include_str!("../README.md")]

mod bounds;
mod chains;
mod conflict;
mod desk;
mod error;
mod last_look;
mod overview;
mod pairing;
mod policy;
mod pools;
mod prepared;
mod price_desk;
mod quote;
mod quote_curve;
mod readiness;
mod recent;
mod request;
mod shown;
mod sign;
mod view;
mod watch;

pub use chains::{ChainView, TradedPool};
pub use conflict::{Conflict, ConflictReason};
pub use desk::{Desk, ServedPool};
pub use error::DeskError;
pub use firmquote_market::push::{InvalidPrice, InvalidPrices, Mistake};
pub use firmquote_pricing::Fixed;
pub use overview::{AssetOverview, Known, Overview, PairOverview, PoolOverview};
pub use policy::{AccountRule, BELIEVED_SECONDS, Limit, Pauses, SigningPolicy, ValueAnchor};
pub use price_desk::{PostError, PriceDesk};
pub use quote_curve::{CurveRequest, CurveSize, QuoteCurve};
pub use readiness::{Condition, PartState, StoreHealth};
pub use recent::{REMEMBERED, RecentSignature, RecentSignatures, SignedVolume};
pub use request::{QuoteRequest, SignRequest};
pub use shown::{calldata, rate, value_in_usd};
pub use view::{AssetView, PoolView};
pub use watch::{PriceSources, SourceView, Watch};

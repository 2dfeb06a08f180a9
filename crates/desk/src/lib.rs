//! The use cases of a firm-quote server: quote, sign, quote-and-sign, pool data, and prices sent by the operator.
//!
//! The desk combines pricing, keys, store and market; it does not depend on HTTP.
#![doc = include_str!("../README.md")]

mod book;
mod chains;
mod desk;
mod directed_pair;
mod display;
mod error;
mod last_look;
mod operator_view;
mod overview;
mod pair_cache;
mod policy;
mod pool_states;
mod pools;
mod price_desk;
mod quote;
mod quote_curve;
mod quote_grid;
mod readiness;
mod sign;
mod status;
mod trade_limits;

pub use firmquote_market::push::{InvalidPrice, InvalidPrices, InvalidReason};
pub use firmquote_pricing::Fixed;

pub use self::{
    book::{ExecutedSwap, ObservedBlock, PoolBook, SettlementReport},
    chains::{ChainView, TradedPool},
    desk::{Desk, ServedPool},
    display::{AssetView, PoolView, calldata, rate, value_in_usd},
    error::{Conflict, ConflictReason, DeskError},
    operator_view::{
        MAX_RECENT_SIGNATURES, ObservedValue, OperatorView, PriceSources, RecentSignature, RecentSignatures,
        SignedVolume, SourceView,
    },
    overview::{AssetOverview, Overview, PairOverview, PoolOverview},
    policy::{AccountRule, InitialPoolValue, Limit, OutstandingPolicy, PAUSES_TTL_SECONDS, Pauses, SigningPolicy},
    price_desk::{PostError, PriceDesk},
    quote::QuoteRequest,
    quote_curve::{CurveRequest, CurveSize, QuoteCurve},
    quote_grid::{QuoteGrid, QuoteGridRequest, QuoteGridRow},
    readiness::{Condition, PartState, StoreHealth},
    sign::SignRequest,
    status::QuoteStatus,
};

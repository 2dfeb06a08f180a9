//! The use cases of a firm-quote server: quote, sign, quote-and-sign, pool data, and prices sent by the operator.
//!
//! The desk combines pricing, keys, store and market; it does not depend on HTTP.
#![doc = include_str!("../README.md")]

mod book;
mod condition;
mod desk;
mod error;
mod firm;
mod hedges;
mod levels;
mod policy;
mod price_desk;
mod quoting;
mod readiness;
mod sign;
mod status;
mod views;

pub use firmquote_market::push::{InvalidPrice, InvalidPrices, InvalidReason};
pub use firmquote_pricing::Levels;
pub use firmquote_store::{
    Actor, Breaker, BreakerStep, EventCursor, EventPage, EventPosition, EventStream, MAX_SWAPS_PER_PAGE, StreamEntry,
    SwapPosition, SwapRange, Trip, TripKey,
};

pub use self::{
    book::{CountedSwaps, ExecutedSwap, ObservationReport, ObservedBlock, PoolBook},
    condition::{Condition, PartState},
    desk::{Desk, ServedPool},
    error::{CONFLICT_MESSAGE, Conflict, ConflictReason, DeskError, OutstandingLimitKind, UnsupportedInput},
    firm::{FirmLevelsPolicy, FirmLevelsState, LevelsRefusal, MAX_FIRM_MS, MIN_FIRM_MS},
    levels::{
        BookTerms, LevelBook, LevelBookKey, LevelPublication, LevelState, LevelsRequest, MAX_KNOTS, MIN_KNOTS,
        Validity, WithdrawalReason,
    },
    policy::{
        AccountRule, ClientTerms, InitialPoolValue, Limit, OutstandingPolicy, PAUSES_TTL_SECONDS, Pauses,
        SigningPolicy, capped_discounts,
    },
    price_desk::{PostError, PriceDesk},
    quoting::{
        AssetKey, CurvePoint, CurveRequest, Inquiry, LevelsUse, Operation, PricedState, QuoteCurve, QuoteGrid,
        QuoteGridRequest, QuoteGridRow, QuoteRequest, RecordedRequest, RequestRecorder, quote_id_of_key,
    },
    readiness::StoreHealth,
    sign::SignRequest,
    status::QuoteStatus,
    views::{
        AssetOverview, AssetPosition, AssetView, ChainView, MAX_RECENT_SIGNATURES, ObservedValue, OperatorView,
        Overview, PairOutstandingLimits, PairOverview, PoolOverview, PoolPosition, PoolView, RecentSignature,
        RecentSignatures, SignedVolume, SourceView, TradedPool, calldata, rate, value_in_usd,
    },
};

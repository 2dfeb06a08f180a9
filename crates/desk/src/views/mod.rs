//! Views for clients and the operator: chains, pools, and an overview with sources and recent signatures.

mod best_quotes;
mod chains;
mod display;
mod events;
mod operator_view;
mod outstanding_limits;
mod overview;
mod pools;

pub use self::{
    chains::{ChainView, TradedPool},
    display::{AssetView, PoolView, calldata, rate, value_in_usd},
    events::{AssetPosition, PoolPosition},
    operator_view::{
        MAX_RECENT_SIGNATURES, ObservedValue, OperatorView, RecentSignature, RecentSignatures, SignedVolume, SourceView,
    },
    outstanding_limits::PairOutstandingLimits,
    overview::{AssetOverview, Overview, PairOverview, PoolOverview},
};

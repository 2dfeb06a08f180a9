//! Quotes, and the state they are priced on: a directed pair with all outstanding swaps.

mod asset_key;
mod curve;
pub(crate) mod directed_pair;
mod grid;
mod idempotency;
pub(crate) mod last_look;
pub(crate) mod pair_cache;
pub(crate) mod pool_states;
pub(crate) mod price;
pub(crate) mod quote;
mod recording;
pub(crate) mod request_recorder;
pub(crate) mod trade_bounds;

pub use self::{
    asset_key::AssetKey,
    curve::{CurvePoint, CurveRequest, QuoteCurve},
    grid::{QuoteGrid, QuoteGridRequest, QuoteGridRow},
    idempotency::quote_id_of_key,
    quote::QuoteRequest,
    request_recorder::{Inquiry, LevelsUse, Operation, PricedState, RecordedRequest, RequestRecorder},
};

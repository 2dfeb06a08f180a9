//! Quotes, and what they are priced on: the state of a directed pair with everything that is outstanding.

mod curve;
pub(crate) mod directed_pair;
mod grid;
pub(crate) mod last_look;
pub(crate) mod pair_cache;
pub(crate) mod pool_states;
pub(crate) mod quote;
pub(crate) mod trade_limits;

pub use self::{
    curve::{CurvePoint, CurveRequest, QuoteCurve},
    grid::{QuoteGrid, QuoteGridRequest, QuoteGridRow},
    quote::QuoteRequest,
};

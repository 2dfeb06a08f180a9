//! Requests and responses on the wire, each with its conversion from or to the types of the desk.

mod asset_input;
mod chains;
mod curve;
mod earnings;
mod grid;
pub(crate) mod json;
mod number;
mod operator;
mod overview;
mod pool;
mod pool_overview;
mod quote;
mod quote_request;
mod recent;
mod sign_request;
mod status;
mod swaps;
mod time_format;

pub(crate) use self::{
    chains::chains_response,
    curve::{CURVE, CurveInput, CurveResponse},
    earnings::{EARNINGS, earnings_day},
    grid::{GRID, GridInput, grid_response},
    number::Text,
    operator::{PRICES, map_price_error, pauses_response},
    overview::OverviewResponse,
    pool::{POOL_V1, POOL_V2, PoolInput, pool_response, pools_response},
    quote::{quote_response, sign_response},
    quote_request::{QUOTE_V1, QUOTE_V2, QuoteInput},
    recent::RecentSignaturesResponse,
    sign_request::{QUOTE_SIGN, SIGN, SignInput, TermsInput},
    status::{quote_status_id, status_response},
    swaps::{SWAPS, swap_range, swaps_response},
    time_format::{HttpDate, unix_seconds},
};

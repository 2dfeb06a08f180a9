//! Requests and responses on the wire, each with its conversion from or to the types of the desk.

mod addresses;
mod chains;
mod curve;
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
mod time_format;

pub(crate) use self::{
    addresses::Addresses,
    chains::ChainsResponse,
    curve::{CURVE, CurveInput, CurveResponse},
    grid::{GRID, GridInput, GridResponse},
    number::{Exact, Text},
    operator::{PausesResponse, PricesResponse, map_price_error},
    overview::OverviewResponse,
    pool::{POOL_V1, POOL_V2, PoolInput, PoolResponse, PoolsResponse},
    quote::{QuoteResponse, QuoteSignResponse, SignResponse},
    quote_request::{QUOTE_V1, QUOTE_V2, QuoteInput},
    recent::RecentSignaturesResponse,
    sign_request::{QUOTE_SIGN, SIGN, SignInput, TermsInput},
    status::{STATES, StatusResponse, quote_status_id},
    time_format::{HttpDate, unix_seconds},
};

//! Requests and answers as they are on the wire, each with its conversion from or to the desk's types.

mod addresses;
mod chains;
mod curve;
pub(crate) mod json;
mod number;
mod operator;
mod overview;
mod pool;
mod quote;
mod quote_request;
mod recent;
mod sign_request;
mod time_format;

pub(crate) use addresses::Addresses;
pub(crate) use chains::ChainsResponse;
pub(crate) use curve::{CURVE, CurveInput, CurveResponse};
pub(crate) use number::Exact;
pub(crate) use operator::{PausesResponse, PricesResponse, refused_prices};
pub(crate) use overview::OverviewResponse;
pub(crate) use pool::{POOL_V1, POOL_V2, PoolInput, PoolResponse, PoolsResponse};
pub(crate) use quote::{QuoteResponse, QuoteSignResponse, SignResponse};
pub(crate) use quote_request::{QUOTE_V1, QUOTE_V2, QuoteInput};
pub(crate) use recent::RecentSignaturesResponse;
pub(crate) use sign_request::{QUOTE_SIGN, SIGN, SignInput, TermsInput};
pub(crate) use time_format::{HttpDate, unix_seconds};

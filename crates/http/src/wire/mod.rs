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
pub(crate) use chains::ChainsAnswer;
pub(crate) use curve::{CURVE, CurveAnswer, CurveInput};
pub(crate) use number::Exact;
pub(crate) use operator::{PausesAnswer, PricesAnswer, refused_prices};
pub(crate) use overview::OverviewAnswer;
pub(crate) use pool::{POOL_V1, POOL_V2, PoolAnswer, PoolInput, PoolsAnswer};
pub(crate) use quote::{QuoteAnswer, QuoteSignAnswer, SignAnswer};
pub(crate) use quote_request::{QUOTE_V1, QUOTE_V2, QuoteInput};
pub(crate) use recent::RecentAnswer;
pub(crate) use sign_request::{QUOTE_SIGN, SIGN, SignInput, TermsInput};
pub(crate) use time_format::{HttpDate, unix_seconds};

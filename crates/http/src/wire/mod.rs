//! Requests and answers as they are on the wire, each with its conversion from or to the desk's types.

mod chains;
mod curve;
mod number;
mod overview;
mod pauses;
mod pool;
mod pool_request;
mod prices;
mod quote;
mod quote_request;
mod recent;
mod sign_request;
mod signed;

pub(crate) use chains::ChainsAnswer;
pub(crate) use curve::{CURVE, CurveAnswer, CurveInput};
pub(crate) use number::Exact;
pub(crate) use overview::OverviewAnswer;
pub(crate) use pauses::PausesAnswer;
pub(crate) use pool::{PoolAnswer, PoolsAnswer};
pub(crate) use pool_request::{POOL_V1, POOL_V2, PoolInput};
pub(crate) use prices::{PricesAnswer, refused_prices};
pub(crate) use quote::QuoteAnswer;
pub(crate) use quote_request::{QUOTE_V1, QUOTE_V2, QuoteInput};
pub(crate) use recent::RecentAnswer;
pub(crate) use sign_request::{QUOTE_SIGN, SIGN, SignInput, TermsInput};
pub(crate) use signed::{QuoteSignAnswer, SignAnswer};

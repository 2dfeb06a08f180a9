//! Rate limits by client address and by client, and the response headers that report them.

mod address_block;
mod address_limiter;
mod address_prefixes;
mod client_address;
mod entries;
#[cfg(any(test, fuzzing))]
pub(crate) mod fuzzing;
mod limiter;
mod limiters;
mod quota;
mod rate_limit_status;

pub(crate) use self::{
    address_block::AddressBlock,
    limiters::{FailedLoginPermit, Limiters},
    quota::LimitName,
    rate_limit_status::{RateLimitStatus, RequestSource},
};
pub use self::{
    client_address::Network,
    quota::{Limits, Quota},
};

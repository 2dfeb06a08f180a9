//! Rate limits by client address and by client, and the response headers that report them.

mod address_block;
mod address_limiter;
mod address_prefixes;
mod bounded_state_store;
mod client_address;
mod failed_login_permit;
#[cfg(any(test, fuzzing))]
pub(crate) mod fuzzing;
mod limiter;
mod limiters;
mod quota;
mod rate_limit_status;

pub(crate) use self::{
    address_block::AddressBlock,
    failed_login_permit::FailedLoginPermit,
    limiters::Limiters,
    quota::{LimitName, whole_seconds},
    rate_limit_status::{RateLimitStatus, RequestSource},
};
pub use self::{
    client_address::Network,
    quota::{Limits, Quota},
};

//! How often one address or one client may ask, and what it is told about that.

mod address_block;
mod address_limiter;
mod client_address;
mod entries;
#[cfg(any(test, fuzzing))]
pub(crate) mod fuzzing;
mod limiter;
mod limiters;
mod quota;
mod rate_limit_status;

pub(crate) use address_block::AddressBlock;
pub use client_address::Network;
pub(crate) use limiters::{FailedLoginPermit, Limiters};
pub(crate) use quota::LimitName;
pub use quota::{Limits, Quota};
pub(crate) use rate_limit_status::{RateLimitStatus, Sender};

//! How often one address or one client may ask, and what it is told about that.

mod address_block;
mod address_limiter;
mod client_address;
mod entries;
#[cfg(any(test, fuzzing))]
pub(crate) mod fuzzing;
mod guess;
mod limiter;
mod limiters;
mod network;
mod quota;
mod rate_limit_status;
mod sender;

pub(crate) use address_block::AddressBlock;
pub(crate) use guess::Guess;
pub(crate) use limiters::Limiters;
pub use network::Network;
pub use quota::{Limits, Quota};
pub(crate) use rate_limit_status::{LimitName, RateLimitStatus};
pub(crate) use sender::Sender;

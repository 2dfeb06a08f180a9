//! What an operator lets a pool sign, beyond what its contract would execute. Checked just before a signature is made;
//! changing it changes nothing about signatures that have left.

mod limits;
mod pauses;
mod signing;

pub(crate) use limits::TradeLimits;
pub use limits::ValueAnchor;
pub use pauses::{PAUSES_TTL_SECONDS, Pauses};
pub use signing::{AccountRule, Limit, SigningPolicy};

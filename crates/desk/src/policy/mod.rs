//! What an operator lets a pool sign, beyond what its contract would execute. Checked just before a signature is made;
//! changing it changes nothing about signatures that have left.

mod limits;
mod pauses;
mod signing;

pub(crate) use self::limits::TradeLimits;
pub use self::{
    limits::ValueAnchor,
    pauses::{PAUSES_TTL_SECONDS, Pauses},
    signing::{AccountRule, Limit, SigningPolicy},
};

//! From what sources say to prices that are trusted: every rule is here, and nothing that waits.

mod composite_price;
mod deviation;
mod feed;
mod observation;
mod rules;

pub use crate::status::{AssetStatus, FeedStatus};
pub use composite_price::CompositePrice;
pub use deviation::Deviation;
pub use observation::Observation;
pub use rules::{Choice, PriceRules, Rejection, Rule, Trusted};

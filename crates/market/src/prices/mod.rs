//! From what sources say to prices that are trusted: every rule is here, and nothing that waits.

mod composite_price;
mod deviation;
mod feed;
mod observation;
mod rules;

pub use crate::status::{AssetStatus, FeedStatus};
pub use composite_price::Panel;
pub use deviation::Change;
pub use observation::Observation;
pub use rules::{Choice, Distrust, PriceRules, Rule, Trusted};

//! Turns the updates of sources into trusted prices: contains every rule, and nothing that waits.

mod composite_price;
mod deviation;
mod feed;
mod observation;
mod rules;

pub use composite_price::{AssetStatus, CompositePrice, FeedInput, LivePrice};
pub use deviation::Deviation;
pub use feed::FeedStatus;
pub use observation::Observation;
pub use rules::{Aggregation, PriceRules, Rejection, Rule, Trusted};

//! From what sources say to prices that are trusted: every rule is here, and nothing that waits.

mod change;
mod distrust;
mod feed;
mod observation;
mod panel;
mod rule;
mod rules;
mod status;

pub use change::Change;
pub use distrust::{Distrust, Trusted};
pub use observation::Observation;
pub use panel::Panel;
pub use rule::Rule;
pub use rules::{Choice, PriceRules};
pub use status::{AssetStatus, FeedStatus};

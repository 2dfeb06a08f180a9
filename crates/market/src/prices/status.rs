//! What is known of a live asset and of its sources at one instant, for people and their dashboards.

use firmquote_domain::{Price, Symbol, Timestamp};

use super::{Distrust, PriceRules, Rule, Trusted};

/// A live asset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssetStatus {
    /// What it is called.
    pub symbol: Symbol,
    /// What its prices have to keep to.
    pub rules: PriceRules,
    /// The price that is quoted on, or why there is none.
    pub price: Result<Trusted<Price>, Distrust>,
    /// Its sources, in the order of their priority.
    pub feeds: Vec<FeedStatus>,
}

/// One source of one asset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedStatus {
    /// The last price it told, trusted or not, and when it was the price; no time for a price that never changes. `None`
    /// before it has told one.
    pub said: Option<(Price, Option<Timestamp>)>,
    /// Why it is not trusted, if it is not.
    pub distrust: Option<Distrust>,
    /// How many of its words broke each rule that a word can break.
    pub refused: [(Rule, u64); Rule::OF_WORDS.len()],
}

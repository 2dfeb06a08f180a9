//! The state of the market at one instant, for people and their dashboards: live assets with their sources, and pools.
//! Nothing here is quoted on.

use firmquote_domain::{PoolId, Price, Symbol, Timestamp};

use crate::{
    EstimatedVolatility,
    prices::{PriceRules, Rejection, Rule, Trusted},
};

/// All live assets and all pools.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarketStatus {
    /// The assets that have a panel, in its order.
    pub assets: Vec<AssetStatus>,
    /// The pools, in their order.
    pub pools: Vec<PoolStatus>,
}

/// One pool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PoolStatus {
    /// Chain and contract.
    pub id: PoolId,
    /// Since when and until when its reserves are trusted, or why they are not.
    pub reserves: Result<Trusted<()>, Rejection>,
    /// What is estimated for each of its pairs, or `None` where the configured volatility holds.
    pub volatilities: Vec<Option<EstimatedVolatility>>,
}

/// A live asset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssetStatus {
    /// What it is called.
    pub symbol: Symbol,
    /// What its prices have to keep to.
    pub rules: PriceRules,
    /// The price that is quoted on, or why there is none.
    pub price: Result<Trusted<Price>, Rejection>,
    /// Its sources, in the order of their priority.
    pub feeds: Vec<FeedStatus>,
}

/// One source of one asset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedStatus {
    /// The last price it told, trusted or not, and when it was the price; no time for a price that never changes. `None`
    /// before it has told one.
    pub last_price: Option<(Price, Option<Timestamp>)>,
    /// Why it is not trusted, if it is not.
    pub rejection: Option<Rejection>,
    /// How many of its words broke each rule that a word can break.
    pub refused: [(Rule, u64); Rule::OF_WORDS.len()],
}

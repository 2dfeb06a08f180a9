//! The state of the market at one instant, for dashboards and their users: live assets with their sources, and pools.
//! Quotes never use it.

use firmquote_domain::{PoolId, Price, Symbol, Timestamp};

use crate::{
    EstimatedVolatility,
    prices::{PriceRules, Rejection, Rule, Trusted},
};

/// All live assets and all pools.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarketStatus {
    /// The assets with a [`CompositePrice`](crate::CompositePrice), in the order of the writer.
    pub assets: Vec<AssetStatus>,
    /// The pools, in the order of the writer.
    pub pools: Vec<PoolStatus>,
}

/// One pool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PoolStatus {
    /// Chain and contract.
    pub id: PoolId,
    /// The period for which its reserves are trusted, or why they are not.
    pub reserves: Result<Trusted<()>, Rejection>,
    /// The volatility estimate of each of its pairs, or `None` if the configured volatility applies.
    pub volatilities: Vec<Option<EstimatedVolatility>>,
}

/// A live asset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssetStatus {
    /// The symbol of the asset.
    pub symbol: Symbol,
    /// The rules that its prices must satisfy.
    pub rules: PriceRules,
    /// The price that quotes use, or why the asset is not quoted.
    pub price: Result<Trusted<Price>, Rejection>,
    /// Its sources, in order of priority.
    pub feeds: Vec<FeedStatus>,
}

/// One source of one asset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedStatus {
    /// The last price of the source, trusted or not, and the time of that price; no time for a fixed price. `None`
    /// before the first price.
    pub last_price: Option<(Price, Option<Timestamp>)>,
    /// Why the source is not trusted at present, if it is not.
    pub rejection: Option<Rejection>,
    /// The number of its updates that broke each rule that an update can break.
    pub rejection_counts: [(Rule, u64); Rule::UPDATE_RULES.len()],
}

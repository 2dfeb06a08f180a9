//! What is known of the market at one instant, for people and their dashboards. Nothing here is quoted on.

use firmquote_domain::PoolId;

use crate::{AssetStatus, Distrust, EstimatedVolatility, Trusted};

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
    pub reserves: Result<Trusted<()>, Distrust>,
    /// What is estimated for each of its pairs, or `None` where the configured volatility holds.
    pub volatilities: Vec<Option<EstimatedVolatility>>,
}

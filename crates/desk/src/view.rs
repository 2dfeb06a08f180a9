//! What a pool shows of itself.

use std::sync::Arc;

use firmquote_domain::{Address, Amount, BasisPoints, Pool, Price, U256};

/// A pool with its present state and the fees for one `time_in_seconds`.
///
/// With it anyone can recompute every quote of the pool to the unit.
#[derive(Clone, Debug)]
pub struct PoolView {
    /// The pool as configured.
    pub pool: Arc<Pool>,
    /// The account that signs for it.
    pub signer: Address,
    /// Prices, in the order of the pool's assets.
    pub prices: Vec<Price>,
    /// Reserves in base units, in the same order.
    pub reserves: Vec<Amount>,
    /// Pool tokens in circulation, in their base units.
    pub pool_tokens: U256,
    /// The time the fees are for.
    pub time_in_seconds: u32,
    /// The fee of each of the pool's pairs, in their order.
    pub fees: Vec<BasisPoints>,
    /// The value of each asset's reserve in US dollars, in the order of the pool's assets.
    pub values_in_usd: Vec<f64>,
    /// The value each asset would have in the pool's target composition, in the same order.
    pub target_values_in_usd: Vec<f64>,
    /// The value of all reserves in US dollars.
    pub value_in_usd: f64,
}

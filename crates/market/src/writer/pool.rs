//! A pool to be kept up to date: where its prices and its reserves come from.

use firmquote_domain::{Address, PoolId, Price, Symbol, U256};

use crate::VolatilityRule;

/// Where the price of an asset of a pool comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PriceOrigin {
    /// A number that never changes.
    Fixed(Price),
    /// The panel of that name.
    Live(Symbol),
}

/// Where the reserves of a pool come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReserveOrigin {
    /// Numbers that never change.
    Fixed(Reserves),
    /// What is heard; until then they are not known.
    Live,
}

/// What a pool holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reserves {
    /// Base units of each token in the pool's books, in any order. A token that is not there, or of which there is zero,
    /// is not quoted.
    pub balances: Vec<(Address, U256)>,
    /// Pool tokens in circulation, in their base units.
    pub pool_tokens: U256,
}

impl Reserves {
    /// Base units of `token`.
    pub fn balance_of(&self, token: Address) -> U256 {
        self.balances.iter().find(|(known, _)| *known == token).map_or(U256::ZERO, |(_, balance)| *balance)
    }
}

/// A pool to be kept up to date.
#[derive(Clone, Debug)]
pub struct PoolOrigins {
    /// Chain and contract.
    pub id: PoolId,
    /// The token of each of its assets, and where the asset's price comes from, in the pool's order.
    pub assets: Vec<(Address, PriceOrigin)>,
    /// Where its reserves come from.
    pub reserves: ReserveOrigin,
    /// For each pair of the pool, in its order: the positions of its assets, and how its volatility is estimated, if it is.
    pub pairs: Vec<([usize; 2], Option<VolatilityRule>)>,
}

impl PoolOrigins {
    /// Whether the price of one of its assets comes from the panel of that name.
    pub(super) fn hears(&self, symbol: &Symbol) -> bool {
        self.assets.iter().any(|(_, origin)| matches!(origin, PriceOrigin::Live(known) if known == symbol))
    }

    /// The assets of a pair, if it is one of listed assets.
    pub(super) fn pair(&self, [one, other]: [usize; 2]) -> Option<[&(Address, PriceOrigin); 2]> {
        Some([self.assets.get(one)?, self.assets.get(other)?])
    }
}

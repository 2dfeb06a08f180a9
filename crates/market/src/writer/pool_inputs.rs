//! A pool and the inputs of its prices and reserves.

use firmquote_domain::{Address, B256, PoolId, Price, Symbol, U256};

use crate::VolatilityParameters;

/// Where the price of an asset of a pool comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PriceInput {
    /// A price that never changes.
    Fixed(Price),
    /// The [`CompositePrice`](crate::CompositePrice) of this symbol.
    Live(Symbol),
}

/// Where the reserves of a pool come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReserveInput {
    /// Reserves that never change.
    Fixed(Reserves),
    /// Reserves passed to [`MarketWriter::set_reserves`](crate::MarketWriter::set_reserves); unknown until then.
    Live,
}

/// The holdings of a pool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reserves {
    /// Base units of each token in the pool's books, in any order. A token that is missing, or has a balance of zero,
    /// is not quoted.
    pub balances: Vec<(Address, U256)>,
    /// Their block number; `None` for reserves that are not read from a chain.
    pub block: Option<u64>,
    /// The hash of this block.
    pub block_hash: Option<B256>,
    /// Pool tokens in circulation, in their base units.
    pub pool_tokens: U256,
}

impl Reserves {
    /// Returns the base units of `token`; zero if it is missing.
    pub fn balance_of(&self, token: Address) -> U256 {
        self.balances.iter().find(|(address, _)| *address == token).map_or(U256::ZERO, |(_, balance)| *balance)
    }
}

/// A pool with the inputs that its prices and reserves are kept up to date from.
#[derive(Clone, Debug)]
pub struct PoolInputs {
    /// Chain and contract.
    pub id: PoolId,
    /// The token and the price input of each asset, in the pool's order.
    pub assets: Vec<(Address, PriceInput)>,
    /// The input of its reserves.
    pub reserves: ReserveInput,
    /// For each pair, in the pool's order: the positions of its assets, and the rule of its volatility estimate, if it
    /// has one.
    pub pairs: Vec<([usize; 2], Option<VolatilityParameters>)>,
}

impl PoolInputs {
    /// Returns whether the price of one of its assets is the [`CompositePrice`](crate::CompositePrice) of `symbol`.
    pub(super) fn depends_on(&self, symbol: &Symbol) -> bool {
        self.assets.iter().any(|(_, input)| matches!(input, PriceInput::Live(live) if live == symbol))
    }

    /// Returns the name of the estimate of the pair at `position`, if it has one: two estimates of the same name measure
    /// the same rate with the same parameters, in any process.
    pub(super) fn estimate_name(&self, position: usize) -> Option<String> {
        let (positions, parameters) = self.pairs.get(position)?;
        let VolatilityParameters { half_life_seconds, floor, ceiling } = (*parameters)?;
        let [base, quote] = self.pair(*positions)?;
        let [base, quote] = [base, quote].map(|(token, input)| match input {
            PriceInput::Fixed(price) => format!("{token}={price}"),
            PriceInput::Live(symbol) => format!("{token}={symbol}"),
        });
        Some(format!("{}:{base}:{quote}:{half_life_seconds}:{floor}:{ceiling}", self.id))
    }

    /// Returns the assets of a pair, if both positions exist.
    pub(super) fn pair(&self, [base, quote]: [usize; 2]) -> Option<[&(Address, PriceInput); 2]> {
        Some([self.assets.get(base)?, self.assets.get(quote)?])
    }
}

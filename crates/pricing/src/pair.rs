//! Inputs and results of pricing.

use firmquote_domain::{Amount, BasisPoints, Decimals, PoolConstant, Price, Weight};

/// The two amounts of a swap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Swap {
    /// Base units paid by the client.
    pub input: Amount,
    /// Base units paid to the client.
    pub output: Amount,
}

impl Swap {
    /// Whether this swap is better for the client: more output, or less input for the same output.
    pub fn is_better_than(&self, other: &Self) -> bool {
        (self.output, other.input) > (other.output, self.input)
    }
}

/// The pool's state of one asset of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairAsset {
    /// Base units in the pool.
    pub reserve: Amount,
    /// Price of one whole token.
    pub price: Price,
    /// Listing weight.
    pub weight: Weight,
    /// Decimals of the token.
    pub decimals: Decimals,
}

/// The state of a pool that a swap of one asset for another is priced on. All of it is public.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairState {
    /// The asset paid to the pool.
    pub input: PairAsset,
    /// The asset paid by the pool.
    pub output: PairAsset,
    /// The pool constant.
    pub k: PoolConstant,
    /// The fee, taken from the input.
    pub fee: BasisPoints,
    /// The most that a swap is better than the prices of its assets: bounds the offer, not the curve. `None` without a
    /// bound.
    pub max_improvement: Option<BasisPoints>,
}

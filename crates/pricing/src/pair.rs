//! What a price depends on.

use firmquote_domain::{Amount, BasisPoints, Decimals, PoolConstant, Price, Weight};

/// The two amounts of a swap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Swap {
    /// Base units the client gives.
    pub input: Amount,
    /// Base units the client gets.
    pub output: Amount,
}

impl Swap {
    /// Whether a client would rather have this swap: more output, or less input for the same output.
    pub fn is_better_than(&self, other: &Self) -> bool {
        (self.output, other.input) > (other.output, self.input)
    }
}

/// One asset of a pair as the pool holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side {
    /// Base units in the pool.
    pub reserve: Amount,
    /// Price of one whole token.
    pub price: Price,
    /// Listing weight.
    pub weight: Weight,
    /// Decimals of the token.
    pub decimals: Decimals,
}

/// The state of a pool that a swap of one asset for another is priced on. All of it is published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairState {
    /// The asset that comes in.
    pub input: Side,
    /// The asset that goes out.
    pub output: Side,
    /// The pool constant.
    pub k: PoolConstant,
    /// The fee, taken from the input.
    pub fee: BasisPoints,
}

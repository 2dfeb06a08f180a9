//! The error of pricing functions.

use firmquote_domain::Amount;

/// The reason why a swap has no price. Each variant calls for a different reaction of the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PricingError {
    /// The output would use up the reserve, or an amount would pass 2^256 - 1.
    #[error("larger than the pool can serve, at most {limit}")]
    TooLarge {
        /// The largest amount that the pool can serve, for the side that the client fixed.
        limit: Amount,
    },
    /// The output would be less than one base unit, or the pool's contract would refuse the swap.
    #[error("too small, at least {limit}")]
    TooSmall {
        /// The smallest amount that may be served, for the side that the client fixed.
        limit: Amount,
    },
    /// The pool cannot serve this pair in any size.
    #[error("the pool has too little of these assets to serve any amount")]
    Empty,
    /// 2,048 bits do not decide on which side of an integer the result lies. No such case is known.
    #[error("the rounding of the result cannot be decided")]
    Undecided,
}

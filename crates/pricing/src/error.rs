//! Why there is no price.

use firmquote_domain::Amount;

/// Why a swap has no price; a variant per reaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PricingError {
    /// The output would use up the reserve, or an amount would pass 2^256 - 1.
    #[error("larger than the pool can serve, at most {limit}")]
    TooLarge {
        /// The largest amount that is served, of the amount that was asked for.
        limit: Amount,
    },
    /// The output would be less than one base unit, or the pool's contract would refuse the swap.
    #[error("too small, at least {limit}")]
    TooSmall {
        /// The smallest amount that may be served, of the amount that was asked for.
        limit: Amount,
    },
    /// The pool cannot serve this pair in any size.
    #[error("the pool has too little of these assets to serve any amount")]
    Empty,
    /// 2,048 bits did not tell which side of an integer the answer lies on. Not known to exist.
    #[error("the rounding of the answer cannot be decided")]
    Undecided,
}

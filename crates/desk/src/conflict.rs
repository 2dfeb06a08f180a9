//! Why a quote no longer holds, and what holds instead.

use firmquote_domain::{BasisPoints, Quote};

/// A quote that is not signed because the market moved since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// What moved.
    pub reason: ConflictReason,
    /// How much less the pool would give now, as a part of what was quoted, rounded up; absent where it gives nothing, and
    /// where it would give enough and its contract would not execute it.
    pub moved: Option<BasisPoints>,
    /// A quote for the same amount at today's prices, kept like any other; absent where none can be made.
    pub fresh_quote: Option<Quote>,
}

/// What moved since a quote was made; the first that is reason enough, in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConflictReason {
    /// The pool does not swap these assets any more, or not on these terms.
    Disabled,
    /// The reserves of the pool.
    Reserve,
    /// The prices.
    Price,
    /// The fee.
    Fee,
}

impl ConflictReason {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Disabled, Self::Reserve, Self::Price, Self::Fee];

    /// The name that clients see.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Disabled => "disabled",
            Self::Reserve => "reserve",
            Self::Price => "price",
            Self::Fee => "fee",
        }
    }
}

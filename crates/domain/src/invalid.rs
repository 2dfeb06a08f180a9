//! The one error of building a value from something a person or a client wrote.

/// Why a value cannot be built; a variant per reaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidValue {
    /// The text does not have the shape of such a value at all.
    #[error("expected {expected}")]
    Malformed {
        /// What the text should have looked like.
        expected: &'static str,
    },
    /// The shape is right, the value is not allowed.
    #[error("out of range, allowed: {allowed}")]
    OutOfRange {
        /// The allowed range, with its unit.
        allowed: &'static str,
    },
    /// The value has more decimals than the unit can carry.
    #[error("too precise, allowed: {allowed}")]
    TooPrecise {
        /// The decimals that are carried.
        allowed: &'static str,
    },
}

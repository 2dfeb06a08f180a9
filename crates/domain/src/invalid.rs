//! The error of constructing a value from external input.

/// Why a value cannot be constructed; one variant per reaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidValue {
    /// The text does not have the shape of such a value.
    #[error("expected {expected}")]
    Malformed {
        /// The expected shape.
        expected: &'static str,
    },
    /// The shape is right, but the value is not allowed.
    #[error("out of range, allowed: {allowed}")]
    OutOfRange {
        /// The allowed range, with its unit.
        allowed: &'static str,
    },
    /// The value has more decimals than the unit supports.
    #[error("too precise, allowed: {allowed}")]
    TooPrecise {
        /// The number of decimals allowed.
        allowed: &'static str,
    },
}

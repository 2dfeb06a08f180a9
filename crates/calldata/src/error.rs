//! The error type of this crate.

use alloy_primitives::{B256, FixedBytes};
use firmquote_domain::InvalidValue;

/// An error in decoding bytes from a chain. Each variant calls for a different reaction of the caller.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CalldataError {
    /// A call of another function; can be skipped when looking for swaps.
    #[error("{0} is not the selector of a swap function")]
    UnknownFunction(FixedBytes<4>),
    /// A log of another event; can be skipped when looking for swaps.
    #[error("{0} is not the topic of a swap")]
    UnknownEvent(B256),
    /// Not the canonical encoding: truncated, trailing bytes, non-standard offsets, dirty padding.
    #[error("not a canonical ABI encoding")]
    Malformed(#[source] alloy_sol_types::Error),
    /// Canonically encoded, but with a value that this service never signs.
    #[error("the value of {field} is never signed")]
    InvalidArgument {
        /// Name of the argument.
        field: &'static str,
        /// Why its value is invalid.
        source: InvalidValue,
    },
}

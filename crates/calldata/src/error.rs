//! The one error of this crate.

use alloy_primitives::{B256, FixedBytes};
use firmquote_domain::InvalidValue;

/// Why bytes from a chain do not decode; a variant per reaction.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CalldataError {
    /// A call of something else; of no concern to whoever watches swaps.
    #[error("{0} is not the selector of a swap function")]
    UnknownFunction(FixedBytes<4>),
    /// A log of something else; of no concern to whoever watches swaps.
    #[error("{0} is not the topic of a swap")]
    UnknownEvent(B256),
    /// Not the canonical encoding: cut short, trailing bytes, foreign offsets, dirty padding.
    #[error("not a canonical ABI encoding")]
    Malformed(#[source] alloy_sol_types::Error),
    /// Well encoded, with a value that this service never signs.
    #[error("{field} is not one that is ever signed")]
    NeverSigned {
        /// Name of the argument.
        field: &'static str,
        /// What is wrong with its value.
        source: InvalidValue,
    },
}

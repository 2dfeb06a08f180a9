//! Why a tape cannot be replayed.

use firmquote_tape::TapeError;

use crate::InvalidConfiguration;

/// Why a tape cannot be replayed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The tape cannot be read.
    #[error(transparent)]
    Tape(#[from] TapeError),
    /// A configuration on it cannot be used.
    #[error(transparent)]
    Configuration(#[from] InvalidConfiguration),
    /// A request names a state or a configuration that its segment does not have, or a state does not fit its pool.
    #[error("the request of quote {quote} names {name}, which its segment does not have")]
    Dangling {
        /// The quote, or a dash.
        quote: String,
        /// What it names.
        name: String,
    },
}

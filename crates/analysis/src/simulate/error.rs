//! Why a simulation failed.

use std::path::PathBuf;

use firmquote_desk::DeskError;
use firmquote_domain::Symbol;
use firmquote_tape::TapeError;

/// Why a simulation failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SimulationError {
    /// Its tape cannot be written.
    #[error(transparent)]
    Tape(#[from] TapeError),
    /// Its ledger cannot be written.
    #[error("{}", .path.display())]
    Ledger {
        /// The ledger.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// The desk failed.
    #[error("the desk failed")]
    Desk(#[from] DeskError),
    /// An asset has no price.
    #[error("no price of {0}")]
    Price(Symbol),
}

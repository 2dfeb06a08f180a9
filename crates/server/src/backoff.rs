//! When a source that ended is started again.

use std::time::Duration;

use firmquote_market::SourceError;

/// The pause after a source that was lost.
const LOST: Duration = Duration::from_secs(1);
/// The pause after one that answers what its protocol does not know.
pub(crate) const FOREIGN: Duration = Duration::from_secs(5);

/// How long to leave a source alone that ended with `error`; one that asks for a time gets it.
pub(crate) fn pause_after(error: &SourceError) -> Duration {
    match error {
        SourceError::Gone(_) => LOST,
        SourceError::Busy { seconds } => LOST.max(Duration::from_secs(*seconds)),
        SourceError::Protocol { .. } => FOREIGN,
    }
}

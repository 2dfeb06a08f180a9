//! Why the ledger's file takes no entry.

use std::{io, sync::Arc, time::Duration};

/// Why the ledger's file takes no entry. What it says names no path and nothing that was to be written.
#[derive(Clone, Debug, thiserror::Error)]
pub enum LedgerFault {
    /// No room on the disk, or in the quota.
    #[error("the disk of the ledger is full")]
    Full(#[source] Arc<io::Error>),
    /// The file that is open is not the one at its path any more: entries would be lost.
    #[error("the file of the ledger was removed or replaced while the service runs")]
    Removed,
    /// The disk takes too long. The entry is not in the file.
    #[error("the file of the ledger took no entry within {} ms", .0.as_millis())]
    TooSlow(Duration),
    /// Anything else that the system says.
    #[error("the file of the ledger cannot be written")]
    Io(#[source] Arc<io::Error>),
    /// The thread that writes has ended.
    #[error("the writer of the ledger has ended")]
    Ended,
}

impl From<io::Error> for LedgerFault {
    fn from(error: io::Error) -> Self {
        let is_full = matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded);
        let error = Arc::new(error);
        if is_full { Self::Full(error) } else { Self::Io(error) }
    }
}

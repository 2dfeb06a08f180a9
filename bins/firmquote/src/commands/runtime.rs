//! The runtime of a command that waits for something.

use std::io;

use tokio::runtime::{Builder, Runtime};

/// Creates a runtime on the calling thread.
pub(super) fn runtime() -> io::Result<Runtime> {
    Builder::new_current_thread().enable_all().build()
}

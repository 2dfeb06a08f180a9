//! Files that one process at a time may have.

use std::{
    fs::{File, TryLockError},
    io,
};

/// Locks `file` until it is closed.
///
/// # Errors
/// [`io::ErrorKind::WouldBlock`] with the text `is_held` when another process has it, and why it cannot be locked at all.
pub(crate) fn try_lock(file: &File, is_held: &'static str) -> io::Result<()> {
    file.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => io::Error::new(io::ErrorKind::WouldBlock, is_held),
        TryLockError::Error(error) => error,
    })
}

//! Exclusive locks on files, one process at a time.

use std::{
    fs::{File, TryLockError},
    io,
};

/// Locks `file` exclusively, until it is closed.
///
/// # Errors
/// [`io::ErrorKind::WouldBlock`] with the message `is_held` when another process holds the lock, otherwise the error of
/// the lock call.
pub(crate) fn try_lock(file: &File, is_held: &'static str) -> io::Result<()> {
    file.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => io::Error::new(io::ErrorKind::WouldBlock, is_held),
        TryLockError::Error(error) => error,
    })
}

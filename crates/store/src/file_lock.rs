//! Exclusive locks on files, one process at a time.

use std::{
    fs::{File, TryLockError},
    io,
};

/// Locks `file` exclusively, until it is closed.
///
/// # Errors
/// [`io::ErrorKind::WouldBlock`] with this `message` when another process holds the lock, otherwise the error of
/// the lock call.
pub(crate) fn try_lock(file: &File, message: &'static str) -> io::Result<()> {
    file.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => io::Error::new(io::ErrorKind::WouldBlock, message),
        TryLockError::Error(error) => error,
    })
}

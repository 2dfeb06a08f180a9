//! Disk access beside the tasks of a runtime, with a timeout.

use std::{io, time::Duration};

use tokio::{task::spawn_blocking, time::timeout};

use crate::StoreError;

/// Runs `access` on a thread that may block. After `time_limit` it continues unobserved.
///
/// # Errors
/// [`StoreError::Unavailable`] when the access fails or takes longer.
pub(super) async fn access_disk<T: Send + 'static>(
    time_limit: Duration,
    access: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> Result<T, StoreError> {
    match timeout(time_limit, spawn_blocking(access)).await {
        Ok(Ok(result)) => result.map_err(|error| StoreError::Unavailable(Box::new(error))),
        Ok(Err(error)) => Err(StoreError::Unavailable(Box::new(error))),
        Err(_) => {
            let millis = time_limit.as_millis();
            Err(StoreError::Unavailable(format!("the disk did not respond within {millis} ms").into()))
        }
    }
}

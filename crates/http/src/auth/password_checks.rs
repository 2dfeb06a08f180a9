//! Bounds how many passwords are verified at once and how many may wait, and thereby the memory and processor time that
//! unauthenticated clients can consume.

use std::sync::Arc;

use actix_web::web;
use tokio::sync::Semaphore;

use super::argon2_buffer_pool::Argon2BufferPool;
use crate::error::ApiError;

/// Passwords that are verified concurrently; further ones wait. Bounds memory and processor time.
const MAX_CONCURRENT_CHECKS: usize = 4;
/// Checks that may wait for a running one to end; further ones are refused.
const MAX_QUEUED_CHECKS: usize = 64;

/// The queue of password checks and the memory they use.
pub(super) struct PasswordChecks {
    /// One permit for each check, running or waiting.
    queue: Arc<Semaphore>,
    /// One permit for each running check.
    places: Arc<Semaphore>,
    memory: Arc<Argon2BufferPool>,
}

impl PasswordChecks {
    /// Creates an idle queue without memory.
    pub(super) fn new() -> Self {
        Self {
            queue: Arc::new(Semaphore::new(MAX_CONCURRENT_CHECKS + MAX_QUEUED_CHECKS)),
            places: Arc::new(Semaphore::new(MAX_CONCURRENT_CHECKS)),
            memory: Arc::new(Argon2BufferPool::new(MAX_CONCURRENT_CHECKS)),
        }
    }

    /// Runs `check` on a blocking thread when it is its turn. Its permits are released when it ends, even if the caller
    /// stopped waiting.
    ///
    /// # Errors
    /// [`ApiError::LoginsBusy`] when too many checks are waiting, [`ApiError::Internal`] when no thread ran the check.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        check: impl FnOnce(&Argon2BufferPool) -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let queued = Arc::clone(&self.queue).try_acquire_owned().map_err(|_| ApiError::LoginsBusy)?;
        let internal = |error: &dyn std::error::Error| ApiError::Internal(error.to_string());
        let place = Arc::clone(&self.places).acquire_owned().await.map_err(|error| internal(&error))?;
        let memory = Arc::clone(&self.memory);
        let check = move || {
            let _until_the_end = (queued, place);
            check(&memory)
        };
        web::block(check).await.map_err(|error| internal(&error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn checks_beyond_the_queue_are_rejected_until_one_finishes() {
        let checks = PasswordChecks::new();
        let all = u32::try_from(MAX_CONCURRENT_CHECKS + MAX_QUEUED_CHECKS).unwrap();
        let others = checks.queue.acquire_many(all).await.unwrap();
        assert!(matches!(checks.run(|_| ()).await, Err(ApiError::LoginsBusy)));
        drop(others);
        assert_eq!(checks.run(|_| 7).await.unwrap(), 7);
        let places = (checks.queue.available_permits(), checks.places.available_permits());
        assert_eq!(places, (MAX_CONCURRENT_CHECKS + MAX_QUEUED_CHECKS, MAX_CONCURRENT_CHECKS));
    }
}

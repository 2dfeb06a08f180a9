//! The limits on connections that stream prices: the time to connect, the time without a price, and the lifetime.

use std::{convert::Infallible, time::Duration};

use tokio::time::{Instant, timeout, timeout_at};

use crate::SourceError;

/// The delay after a rate limit without `Retry-After`, in seconds.
pub(crate) const DEFAULT_RETRY_AFTER_SECONDS: u64 = 60;

/// The upper limit of all durations; longer ones are considered a mistake.
const MAX_DURATION: Duration = Duration::from_hours(24 * 30);

/// Checks the timeouts and the lifetime of a connection.
///
/// # Errors
/// A message for a duration of zero or of more than 30 days.
pub(crate) fn check_durations(durations: [Duration; 3]) -> Result<(), String> {
    if durations.into_iter().any(|duration| duration.is_zero() || duration > MAX_DURATION) {
        return Err("each time must be above zero and at most 30 days".to_owned());
    }
    Ok(())
}

/// Opens a connection within `limit`.
pub(crate) async fn open_within<C>(
    limit: Duration,
    opening: impl Future<Output = Result<C, SourceError>>,
) -> Result<C, SourceError> {
    timeout(limit, opening).await.unwrap_or_else(|_| Err(SourceError::disconnected("no response in time")))
}

/// Runs `connection` until it fails, or until `lifetime` has passed: servers end connections after a day, and a new one
/// should replace them before. `name` is the name of the connection in the error.
pub(crate) async fn run_for_lifetime(
    lifetime: Duration,
    name: &str,
    connection: impl Future<Output = Result<Infallible, SourceError>>,
) -> SourceError {
    match timeout(lifetime, connection).await {
        Ok(Ok(never)) => match never {},
        Ok(Err(error)) => error,
        Err(_) => SourceError::disconnected(format!("{name} has reached its lifetime")),
    }
}

/// The limit on the time without a price.
pub(crate) struct IdleTimeout {
    timeout: Duration,
    pub(crate) expires_at: Instant,
    /// The message of the error once the timeout has expired.
    message: &'static str,
}

impl IdleTimeout {
    /// Starts the timeout.
    pub(crate) fn start(timeout: Duration, message: &'static str) -> Self {
        Self { timeout, expires_at: Instant::now() + timeout, message }
    }

    /// Restarts the timeout after a price.
    pub(crate) fn restart(&mut self) {
        self.expires_at = Instant::now() + self.timeout;
    }

    /// # Errors
    /// [`SourceError::Disconnected`] once the timeout has expired.
    pub(crate) fn check(&self) -> Result<(), SourceError> {
        if self.expires_at <= Instant::now() { Err(SourceError::disconnected(self.message)) } else { Ok(()) }
    }

    /// Returns the output of `future`.
    ///
    /// # Errors
    /// [`SourceError::Disconnected`] if the timeout expires first.
    pub(crate) async fn limit<F: Future>(&self, future: F) -> Result<F::Output, SourceError> {
        timeout_at(self.expires_at, future).await.map_err(|_| SourceError::disconnected(self.message))
    }
}

//! Common parts of web sources: rate-limit pauses, excerpts of server texts, and the lifetime of connections.

use std::{convert::Infallible, time::Duration};

use tokio::time::timeout;

use crate::SourceError;

/// The maximum length of a server's text in an error, in characters.
const MAX_TEXT_CHARACTERS: usize = 200;

/// The pause after a rate limit without a stated duration, in seconds.
const DEFAULT_PAUSE_SECONDS: u64 = 60;

/// Returns the seconds of `Retry-After`, at most `most`; a minute if it is a date or missing.
pub(crate) fn retry_after_seconds(retry_after: &str, most: u64) -> u64 {
    retry_after.trim().parse().unwrap_or(DEFAULT_PAUSE_SECONDS).min(most)
}

/// Strips control characters from a server's text and truncates it, so that it fits into a log.
pub(crate) fn shortened(text: &str) -> String {
    text.chars().filter(|character| !character.is_control()).take(MAX_TEXT_CHARACTERS).collect()
}

/// Runs `follow` until it fails, or until `lifetime` has passed: servers end connections after a day, and a new one
/// should replace them before. `what` names the connection in the error.
pub(crate) async fn within_lifetime(
    lifetime: Duration,
    what: &str,
    follow: impl Future<Output = Result<Infallible, SourceError>>,
) -> SourceError {
    match timeout(lifetime, follow).await {
        Ok(Ok(never)) => match never {},
        Ok(Err(error)) => error,
        Err(_) => SourceError::Disconnected(format!("{what} has reached its lifetime").into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_servers_retry_delay_is_bounded() {
        for (retry_after, seconds) in [
            ("1", 1),
            (" 90 ", 90),
            ("0", 0),
            ("3601", 3_600),
            ("18446744073709551615", 3_600),
            ("99999999999999999999", 60),
            ("", 60),
            ("-1", 60),
            ("Wed, 21 Oct 2026 07:28:00 GMT", 60),
        ] {
            assert_eq!(retry_after_seconds(retry_after, 3_600), seconds, "{retry_after}");
        }
    }
}

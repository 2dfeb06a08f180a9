//! Untrusted responses: bodies up to a maximum size, bounded retry delays, and excerpts for logs.

use http_body_util::{BodyExt as _, Limited};
use hyper::{
    HeaderMap,
    body::{Bytes, Incoming},
    header::RETRY_AFTER,
};

use crate::Error;

/// The longest delay that a server can request, in seconds.
const MAX_RETRY_AFTER_SECONDS: u64 = 3_600;

/// Reads the whole body of a response.
///
/// # Errors
/// [`Error::TooLong`] for more than `max_bytes`, [`Error::Interrupted`] when the body ends early.
pub async fn read_body(body: Incoming, max_bytes: usize) -> Result<Bytes, Error> {
    let body = Limited::new(body, max_bytes).collect().await;
    body.map(|body| body.to_bytes()).map_err(|error| Error::from_body(&*error, max_bytes))
}

/// Waits for the next part of a body; `None` after the last.
///
/// # Errors
/// [`Error::Interrupted`] when the body ends early.
pub async fn next_part(body: &mut Incoming) -> Result<Option<Bytes>, Error> {
    loop {
        match body.frame().await {
            None => return Ok(None),
            Some(Ok(frame)) => {
                if let Ok(part) = frame.into_data() {
                    return Ok(Some(part));
                }
            }
            Some(Err(error)) => return Err(Error::from_body(&error, 0)),
        }
    }
}

/// Returns the seconds of `Retry-After`, or `default_seconds` if it is missing or a date; at most an hour.
pub fn retry_after_seconds(headers: &HeaderMap, default_seconds: u64) -> u64 {
    let seconds = headers.get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.trim().parse().ok());
    seconds.unwrap_or(default_seconds).min(MAX_RETRY_AFTER_SECONDS)
}

/// Strips control characters from a server's text and truncates it to `max_characters`, so that it fits into one line
/// of a log.
pub fn excerpt(text: &str, max_characters: usize) -> String {
    text.chars().filter(|character| !character.is_control()).take(max_characters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hyper::header::HeaderValue;

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
            let headers = HeaderMap::from_iter([(RETRY_AFTER, HeaderValue::from_static(retry_after))]);
            assert_eq!(retry_after_seconds(&headers, 60), seconds, "{retry_after}");
        }
        assert_eq!(retry_after_seconds(&HeaderMap::new(), 10), 10);
    }

    #[test]
    fn excerpts_are_short_and_without_control_characters() {
        assert_eq!(excerpt("a\u{7}b\nc\u{e9}de", 4), "abc\u{e9}");
    }
}

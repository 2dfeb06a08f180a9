//! The status of a streamed response, and the events in its endless body.

use std::num::NonZeroUsize;

use http_body_util::BodyExt as _;
use hyper::{
    HeaderMap, StatusCode,
    body::{Bytes, Incoming},
    header::{CONTENT_TYPE, RETRY_AFTER},
};
use sse_core::{PayloadTooLargeError, SseDecoder, SseEvent};

use crate::{
    SourceError,
    sources::web::{retry_after_seconds, shortened},
};

/// The maximum size of an event, in bytes. One with all of the network's feeds is smaller.
const MAX_EVENT_BYTES: NonZeroUsize = NonZeroUsize::MIN.saturating_add((1 << 20) - 1);

/// The events in the body of a response. Buffers one incomplete event at most, whose data, name and identifier have at
/// most 1 MiB each.
pub(super) struct Events {
    body: Incoming,
    decoder: SseDecoder,
    bytes: Bytes,
}

impl Events {
    pub(super) fn new(body: Incoming) -> Self {
        Self { body, decoder: decoder(), bytes: Bytes::new() }
    }

    /// Returns the data of the next update, or `None` if more of the body arrived without completing one.
    ///
    /// # Errors
    /// [`SourceError::Disconnected`] when the body ends or the server reports an error, [`SourceError::Protocol`] for an event
    /// that is too long.
    pub(super) async fn next(&mut self) -> Result<Option<String>, SourceError> {
        if self.bytes.is_empty() {
            let frame = self.body.frame().await.ok_or_else(|| SourceError::Disconnected("the stream ended".into()))?;
            let frame = frame.map_err(|error| SourceError::Disconnected(error.into()))?;
            // Trailers are ignored.
            self.bytes = frame.into_data().unwrap_or_default();
        }
        self.decoder.next(&mut self.bytes).map_or(Ok(None), update)
    }
}

/// Creates a decoder that rejects events above the maximum size.
pub(super) fn decoder() -> SseDecoder {
    SseDecoder::with_limit(MAX_EVENT_BYTES)
}

/// Returns the data of an event, if it is an update.
pub(super) fn update(event: Result<SseEvent, PayloadTooLargeError>) -> Result<Option<String>, SourceError> {
    match event {
        Ok(SseEvent::Retry(_)) => Ok(None),
        Err(_) => Err(SourceError::Protocol { reason: "an event of more than 1 MiB".to_owned() }),
        Ok(SseEvent::Message(event)) => match &*event.event {
            "message" => Ok(Some(event.data)),
            "error" => {
                Err(SourceError::Disconnected(format!("the server reported: {}", shortened(&event.data)).into()))
            }
            _ => Ok(None),
        },
    }
}

/// The longest pause that a rate limit can demand, in seconds.
const MAX_PAUSE_SECONDS: u64 = 3_600;

/// Checks that the response is an event stream.
///
/// # Errors
/// [`SourceError::RateLimited`] for 429, [`SourceError::Disconnected`] for 5xx, [`SourceError::Protocol`] for every other status
/// except 200 and for a 200 that is not an event stream. Redirects are not followed: the key is meant for the
/// configured host.
pub(super) fn check(status: StatusCode, headers: &HeaderMap) -> Result<(), SourceError> {
    let header = |name| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let is_stream = header(CONTENT_TYPE).to_ascii_lowercase().starts_with("text/event-stream");
    match status {
        StatusCode::OK if is_stream => Ok(()),
        StatusCode::TOO_MANY_REQUESTS => {
            Err(SourceError::RateLimited { seconds: retry_after_seconds(header(RETRY_AFTER), MAX_PAUSE_SECONDS) })
        }
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => Err(protocol(format!("{status}: API key not accepted"))),
        StatusCode::NOT_FOUND => Err(protocol(format!("{status}: no such stream, or an unknown feed"))),
        StatusCode::OK => Err(protocol("not an event stream".to_owned())),
        status if status.is_redirection() => Err(protocol(format!("{status}: not followed"))),
        status if status.is_server_error() => Err(SourceError::Disconnected(status.to_string().into())),
        status => Err(protocol(status.to_string())),
    }
}

fn protocol(reason: String) -> SourceError {
    SourceError::Protocol { reason }
}

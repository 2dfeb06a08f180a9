//! The status of a streamed response, and the events in its endless body.

use std::num::NonZeroUsize;

use firmquote_outbound::retry_after_seconds;
use http_body_util::BodyExt as _;
use hyper::{
    HeaderMap, StatusCode,
    body::{Bytes, Incoming},
    header::CONTENT_TYPE,
};
use sse_core::{PayloadTooLargeError, SseDecoder, SseEvent};

use crate::{
    SourceError,
    sources::{connection::DEFAULT_RETRY_AFTER_SECONDS, excerpt},
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
    /// [`SourceError::Disconnected`] when the body ends or the server reports an error, [`SourceError::Protocol`] for
    /// an event that is too long.
    pub(super) async fn next(&mut self) -> Result<Option<String>, SourceError> {
        if self.bytes.is_empty() {
            let frame = self.body.frame().await.ok_or_else(|| SourceError::disconnected("the stream ended"))?;
            let frame = frame.map_err(SourceError::disconnected)?;
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
        Err(_) => Err(SourceError::protocol("an event of more than 1 MiB")),
        Ok(SseEvent::Message(event)) => match &*event.event {
            "message" => Ok(Some(event.data)),
            "error" => Err(SourceError::disconnected(format!("the server reported: {}", excerpt(&event.data)))),
            _ => Ok(None),
        },
    }
}

/// Checks that the response is an event stream.
///
/// # Errors
/// [`SourceError::RateLimited`] for 429, [`SourceError::Disconnected`] for 5xx, [`SourceError::Protocol`] for every
/// other status except 200 and for a 200 that is not an event stream. Redirects are not followed: the key is meant for
/// the configured host.
pub(super) fn check(status: StatusCode, headers: &HeaderMap) -> Result<(), SourceError> {
    let content_type = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let is_stream = content_type.to_ascii_lowercase().starts_with("text/event-stream");
    match status {
        StatusCode::OK if is_stream => Ok(()),
        StatusCode::TOO_MANY_REQUESTS => {
            Err(SourceError::RateLimited { seconds: retry_after_seconds(headers, DEFAULT_RETRY_AFTER_SECONDS) })
        }
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
            Err(SourceError::protocol(&format!("{status}: API key not accepted")))
        }
        StatusCode::NOT_FOUND => Err(not_found()),
        StatusCode::OK => Err(SourceError::protocol("not an event stream")),
        status if status.is_redirection() => Err(SourceError::protocol(&format!("{status}: not followed"))),
        status if status.is_server_error() => Err(SourceError::disconnected(status.to_string())),
        status => Err(SourceError::protocol(&status.to_string())),
    }
}

/// Returns the error for a response 404 that names none of the feeds, or all.
pub(super) fn not_found() -> SourceError {
    SourceError::protocol(&format!("{}: no such stream, or unknown feeds", StatusCode::NOT_FOUND))
}

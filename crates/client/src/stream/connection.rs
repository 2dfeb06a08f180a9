//! One connection of a stream of Server-Sent Events.

use std::{fmt, num::NonZeroUsize, time::Duration};

use firmquote_api::HEARTBEAT_INTERVAL;
use http_body_util::BodyExt as _;
use hyper::body::{Bytes, Incoming};
use sse_core::{SseDecoder, SseEvent};
use tokio::time::Instant;

use crate::{Error, executor::RequestExecutor, response::one_line, response_meta::ResponseMeta, route::Route};

/// The maximum size of an event, in bytes: several times a book of 64 knots.
const MAX_EVENT_BYTES: NonZeroUsize = NonZeroUsize::MIN.saturating_add((1 << 16) - 1);

/// The longest silence of a connection: three heartbeats.
const MAX_SILENCE: Duration = HEARTBEAT_INTERVAL.saturating_mul(3);

/// A stream that the service accepted.
pub(crate) struct Connection {
    meta: ResponseMeta,
    body: Incoming,
    decoder: SseDecoder,
    /// Received bytes that are not decoded yet.
    bytes: Bytes,
    last_received_at: Instant,
}

impl Connection {
    /// Opens a stream.
    ///
    /// # Errors
    /// Every [`Error`] except [`Error::QuoteNotSigned`].
    pub(crate) async fn open(executor: &RequestExecutor, request_id: &str, route: &Route) -> Result<Self, Error> {
        let (body, meta) = executor.open_stream(route, request_id).await?;
        let decoder = SseDecoder::with_limit(MAX_EVENT_BYTES);
        Ok(Self { meta, body, decoder, bytes: Bytes::new(), last_received_at: Instant::now() })
    }

    /// When the connection counts as dead unless something arrives.
    pub(crate) fn silence_deadline(&self) -> Instant {
        self.last_received_at.checked_add(MAX_SILENCE).unwrap_or(self.last_received_at)
    }

    /// Waits for the data of the next event. Nothing is lost if the future is dropped before it completes.
    ///
    /// # Errors
    /// [`Error::Interrupted`] when the connection ends, [`Error::InvalidResponse`] for an event that is too long.
    pub(crate) async fn next(&mut self) -> Result<String, Error> {
        loop {
            while !self.bytes.is_empty() {
                match self.decoder.next(&mut self.bytes) {
                    Some(Ok(SseEvent::Message(event))) => return Ok(event.data),
                    Some(Ok(SseEvent::Retry(_))) | None => {}
                    Some(Err(_)) => return Err(self.invalid("an event is too long")),
                }
            }
            let frame = self.body.frame().await.ok_or_else(|| self.interrupted("the stream ended"))?;
            let frame = frame.map_err(|error| self.interrupted(&error.to_string()))?;
            self.last_received_at = Instant::now();
            // Trailers are ignored.
            self.bytes = frame.into_data().unwrap_or_default();
        }
    }

    /// The error for an event that cannot be used.
    pub(crate) fn invalid(&self, reason: &str) -> Error {
        Error::invalid_response(&self.meta, reason)
    }

    /// The error for a connection that can no longer be used.
    pub(crate) fn interrupted(&self, cause: &str) -> Error {
        Error::Interrupted { request_id: self.meta.request_id.clone(), cause: one_line(cause) }
    }
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection").field("meta", &self.meta).finish_non_exhaustive()
    }
}

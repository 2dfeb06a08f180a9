//! One connection of a stream of levels: Server-Sent Events, numbered without gaps.

use std::{fmt, num::NonZeroUsize, time::Duration};

use http_body_util::BodyExt as _;
use hyper::body::{Bytes, Incoming};
use sse_core::{SseDecoder, SseEvent};
use tokio::time::Instant;

use super::message::Message;
use crate::{
    Error, LevelsRequest, executor::RequestExecutor, response::one_line, response_meta::ResponseMeta, route::Route,
};

/// The maximum size of an event, in bytes: several times a book of 64 knots.
const MAX_EVENT_BYTES: NonZeroUsize = NonZeroUsize::MIN.saturating_add((1 << 16) - 1);

/// The longest silence of a connection: three heartbeats.
const MAX_SILENCE: Duration = Duration::from_secs(15);

/// A stream that the service accepted.
pub(super) struct Connection {
    meta: ResponseMeta,
    body: Incoming,
    decoder: SseDecoder,
    /// Received bytes that are not decoded yet.
    bytes: Bytes,
    last_number: u64,
    last_received_at: Instant,
}

impl Connection {
    /// Opens a stream.
    ///
    /// # Errors
    /// Every [`Error`] except [`Error::QuoteNotSigned`].
    pub(super) async fn open(
        executor: &RequestExecutor,
        request_id: &str,
        request: &LevelsRequest,
    ) -> Result<Self, Error> {
        let route = Route::level_stream(executor.version(), request)?;
        let (body, meta) = executor.open_stream(&route, request_id).await?;
        let decoder = SseDecoder::with_limit(MAX_EVENT_BYTES);
        Ok(Self { meta, body, decoder, bytes: Bytes::new(), last_number: 0, last_received_at: Instant::now() })
    }

    /// When the connection counts as dead unless something arrives.
    pub(super) fn silence_deadline(&self) -> Instant {
        self.last_received_at.checked_add(MAX_SILENCE).unwrap_or(self.last_received_at)
    }

    /// Waits for the next message. Nothing is lost if the future is dropped before it completes.
    ///
    /// # Errors
    /// [`Error::Interrupted`] when the connection ends or a message is missing, [`Error::InvalidResponse`] for a
    /// message that cannot be read.
    pub(super) async fn next(&mut self) -> Result<Message, Error> {
        loop {
            while !self.bytes.is_empty() {
                match self.decoder.next(&mut self.bytes) {
                    Some(Ok(SseEvent::Message(event))) => return self.parse(&event.data),
                    Some(Ok(SseEvent::Retry(_))) | None => {}
                    Some(Err(_)) => return Err(Error::invalid_response(&self.meta, "an event is too long")),
                }
            }
            let frame = self.body.frame().await.ok_or_else(|| self.interrupted("the stream ended"))?;
            let frame = frame.map_err(|error| self.interrupted(&error.to_string()))?;
            self.last_received_at = Instant::now();
            // Trailers are ignored.
            self.bytes = frame.into_data().unwrap_or_default();
        }
    }

    fn parse(&mut self, json: &str) -> Result<Message, Error> {
        let (number, message) =
            Message::parse(json).map_err(|error| Error::invalid_response(&self.meta, &error.to_string()))?;
        self.last_number += 1;
        if number == self.last_number { Ok(message) } else { Err(self.interrupted("a message is missing")) }
    }

    /// The error for a connection that can no longer be used.
    pub(super) fn interrupted(&self, cause: &str) -> Error {
        Error::Interrupted { request_id: self.meta.request_id.clone(), cause: one_line(cause) }
    }
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { meta, last_number, .. } = self;
        f.debug_struct("Connection").field("meta", meta).field("last_number", last_number).finish_non_exhaustive()
    }
}

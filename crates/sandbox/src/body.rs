//! Truncated and filtered response bodies.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use actix_web::{
    body::{BodySize, BoxBody, MessageBody},
    rt::time::{Sleep, sleep},
    web::Bytes,
};

use crate::level_events::LevelEventFilter;

/// A body whose connection is cut before its first byte: the client sees an incomplete response.
pub(crate) struct CutBody;

impl MessageBody for CutBody {
    type Error = io::Error;

    fn size(&self) -> BodySize {
        BodySize::Sized(1_024)
    }

    fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Bytes, io::Error>>> {
        Poll::Ready(Some(Err(io::Error::from(io::ErrorKind::ConnectionAborted))))
    }
}

/// A filtered stream of events.
pub(crate) struct FilteredEvents {
    /// The filtered body; dropped with its resources once nothing more is sent.
    inner: Option<BoxBody>,
    events: LevelEventFilter,
    /// Ends a silent connection: without writes, a disconnected client goes unnoticed.
    end: Option<Pin<Box<Sleep>>>,
}

/// The time until a silent connection is closed.
const MAX_SILENCE: Duration = Duration::from_secs(60);

impl FilteredEvents {
    /// Filters the body `inner` by `events`.
    pub(crate) fn new(inner: BoxBody, events: LevelEventFilter) -> Self {
        Self { inner: Some(inner), events, end: None }
    }
}

impl MessageBody for FilteredEvents {
    type Error = Box<dyn std::error::Error>;

    fn size(&self) -> BodySize {
        BodySize::Stream
    }

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Bytes, Self::Error>>> {
        loop {
            if self.events.is_silent() {
                self.inner = None;
            }
            let this = &mut *self;
            let Some(inner) = &mut this.inner else {
                let end = this.end.get_or_insert_with(|| Box::pin(sleep(MAX_SILENCE)));
                return end.as_mut().poll(context).map(|()| None);
            };
            match Pin::new(inner).poll_next(context) {
                Poll::Ready(Some(Ok(chunk))) => {
                    if let Some(chunk) = self.events.filter(chunk) {
                        return Poll::Ready(Some(Ok(chunk)));
                    }
                }
                other => return other,
            }
        }
    }
}

//! Bodies that end before they should.

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

/// A body whose connection is cut before its first byte: the client sees a response that is incomplete.
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

/// What a stream of events does with each chunk of its body.
pub(crate) trait EventFilter: Unpin + 'static {
    /// Returns what the client gets of a chunk, which holds whole events; `None` for nothing, from now on too if
    /// [`Self::is_silent`].
    fn filter(&mut self, chunk: Bytes) -> Option<Bytes>;

    /// Whether the client gets nothing any more, although the connection stays.
    fn is_silent(&self) -> bool;
}

/// A stream of events of which a filter lets pass only a part.
pub(crate) struct FilteredEvents<F> {
    /// Dropped when the client gets nothing any more, with what it holds of the service.
    inner: Option<BoxBody>,
    filter: F,
    /// Ends a silent connection: without a write nothing tells that the client has left.
    end: Option<Pin<Box<Sleep>>>,
}

/// How long a silent connection stays.
const MAX_SILENCE: Duration = Duration::from_secs(60);

impl<F: EventFilter> FilteredEvents<F> {
    /// Filters the events of `inner`.
    pub(crate) fn new(inner: BoxBody, filter: F) -> Self {
        Self { inner: Some(inner), filter, end: None }
    }
}

impl<F: EventFilter> MessageBody for FilteredEvents<F> {
    type Error = Box<dyn std::error::Error>;

    fn size(&self) -> BodySize {
        BodySize::Stream
    }

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Bytes, Self::Error>>> {
        loop {
            if self.filter.is_silent() {
                self.inner = None;
            }
            let this = &mut *self;
            let Some(inner) = &mut this.inner else {
                let end = this.end.get_or_insert_with(|| Box::pin(sleep(MAX_SILENCE)));
                return end.as_mut().poll(context).map(|()| None);
            };
            match Pin::new(inner).poll_next(context) {
                Poll::Ready(Some(Ok(chunk))) => {
                    if let Some(chunk) = self.filter.filter(chunk) {
                        return Poll::Ready(Some(Ok(chunk)));
                    }
                }
                other => return other,
            }
        }
    }
}

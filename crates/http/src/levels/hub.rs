//! All books with readers, and the task that keeps streamed books up to date.

use std::sync::Arc;

use firmquote_desk::{Desk, LevelBookKey};
use firmquote_domain::Timestamp;
use futures_util::future::join_all;
use parking_lot::Mutex;
use tokio::{sync::watch, task::yield_now};

use super::{
    overview::{LevelBookOverview, StreamedBooks},
    request::RequestedLevelBook,
    stream_limits::StreamLimits,
    topic::{PublishedLevelBook, Topic},
    topics::Topics,
};
use crate::{error::ApiError, metrics::LevelMetrics};

/// Books refreshed per batch: a changed one takes tens of microseconds, and requests must not wait for all of them.
const MAX_BOOKS_PER_BATCH: usize = 16;

/// The books with readers.
pub(crate) struct LevelHub {
    topics: Mutex<Topics>,
    /// The open streams.
    streams: Arc<StreamLimits>,
    /// Notifies streams of changed books.
    changes: watch::Sender<()>,
    metrics: LevelMetrics,
}

impl LevelHub {
    /// Creates a hub without books.
    pub(crate) fn new(metrics: LevelMetrics) -> Self {
        let streams = Arc::new(StreamLimits::new(metrics.streams.clone()));
        Self { topics: Mutex::default(), streams, changes: watch::Sender::new(()), metrics }
    }

    /// Returns the current publication of each book, at most one minimum publication interval old.
    ///
    /// # Errors
    /// [`ApiError::ConcurrencyLimited`] if too many custom books are read.
    pub(super) async fn read(
        &self,
        desk: &Desk,
        books: Vec<RequestedLevelBook>,
    ) -> Result<Vec<(LevelBookKey, Arc<PublishedLevelBook>)>, ApiError> {
        let topics = self.topics(&books, desk.clock.now())?;
        self.refresh_topics(&topics, desk).await;
        let current =
            |(book, topic): (RequestedLevelBook, Arc<Topic>)| topic.current().map(|current| (book.key, current));
        Ok(books.into_iter().zip(topics).filter_map(current).collect())
    }

    /// Refreshes these books to the current quotes of `desk`.
    pub(super) async fn refresh_topics(&self, topics: &[Arc<Topic>], desk: &Desk) {
        if refresh(topics, desk).await > 0 {
            self.wake();
        }
    }

    /// Returns the topics of these books, creating missing ones.
    ///
    /// # Errors
    /// [`ApiError::ConcurrencyLimited`] if too many custom books are read.
    pub(super) fn topics(&self, books: &[RequestedLevelBook], now: Timestamp) -> Result<Vec<Arc<Topic>>, ApiError> {
        self.topics.lock().read(books, now)
    }

    /// Returns the books that streams read, as of `now`.
    pub(crate) fn overview(&self, now: Timestamp) -> Vec<LevelBookOverview> {
        let mut books = StreamedBooks::default();
        for (key, topic) in self.topics.lock().streamed() {
            books.add(key, topic);
        }
        books.into_overviews(now)
    }

    /// Returns the open streams.
    pub(crate) const fn streams(&self) -> &Arc<StreamLimits> {
        &self.streams
    }

    /// Returns the number of open streams.
    pub(crate) fn stream_count(&self) -> usize {
        self.streams.count()
    }

    /// Returns a receiver that is notified of changed books.
    pub(super) fn subscribe(&self) -> watch::Receiver<()> {
        self.changes.subscribe()
    }

    /// Wakes every stream, to check its books and the service.
    pub(crate) fn wake(&self) {
        self.changes.send_replace(());
    }

    /// Refreshes the books that streams read to the current quotes of `desk`.
    pub(crate) async fn refresh(&self, desk: &Desk) {
        let read: Vec<Arc<Topic>> = {
            let mut topics = self.topics.lock();
            topics.remove_idle(desk.clock.now());
            topics.streamed().map(|(_, topic)| Arc::clone(topic)).collect()
        };
        let changed = refresh(&read, desk).await;
        if changed > 0 {
            self.metrics.published.inc_by(changed);
            self.wake();
        }
        self.metrics.books.set(i64::try_from(read.len()).unwrap_or(i64::MAX));
    }
}

/// Refreshes these books to the current quotes of `desk`. Returns how many changed.
async fn refresh(topics: &[Arc<Topic>], desk: &Desk) -> u64 {
    let mut changed = 0;
    for some in topics.chunks(MAX_BOOKS_PER_BATCH) {
        let refreshed = join_all(some.iter().map(|topic| topic.refresh(desk, desk.clock.now()))).await;
        changed += refreshed.into_iter().map(u64::from).sum::<u64>();
        yield_now().await;
    }
    changed
}

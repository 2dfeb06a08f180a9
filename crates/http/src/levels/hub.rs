//! All books with readers, and the task that keeps streamed books up to date.

use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use firmquote_desk::{Desk, LevelBookKey};
use firmquote_domain::Timestamp;
use futures_util::future::join_all;
use tokio::{sync::watch, task::yield_now};

use super::{
    overview::{BookOverview, StreamedBooks},
    stream_limits::StreamLimits,
    topic::{PublishedBook, Topic},
};
use crate::{error::ApiError, limits::LimitName, metrics::LevelMetrics};

/// Maximum number of books for all clients together. Those that no stream reads are evicted first.
const MAX_TOPICS: usize = 4_096;

/// Books refreshed per batch: a changed one takes tens of microseconds, and requests must not wait for all of them.
const BOOKS_PER_BATCH: usize = 16;

/// The retry delay in seconds when the books of all clients leave no room.
const RETRY_AFTER_SECONDS: u64 = 5;

/// How long a book without readers is retained, in seconds.
const IDLE_SECONDS: u64 = 60;

/// The books with readers.
pub(crate) struct LevelHub {
    topics: Mutex<HashMap<LevelBookKey, Entry>>,
    /// The open streams.
    streams: Arc<StreamLimits>,
    /// Notifies streams of changed books.
    changes: watch::Sender<()>,
    metrics: LevelMetrics,
}

struct Entry {
    topic: Arc<Topic>,
    read_at: Timestamp,
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
    /// [`ApiError::RateLimited`] if too many books are read.
    pub(super) async fn read(
        &self,
        desk: &Desk,
        keys: Vec<LevelBookKey>,
    ) -> Result<Vec<(LevelBookKey, Arc<PublishedBook>)>, ApiError> {
        let topics = self.topics(&keys, desk.clock.now())?;
        self.refresh_topics(&topics, desk).await;
        let current = |(key, topic): (LevelBookKey, Arc<Topic>)| topic.current().map(|current| (key, current));
        Ok(keys.into_iter().zip(topics).filter_map(current).collect())
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
    /// [`ApiError::RateLimited`] if too many books are read.
    pub(super) fn topics(&self, keys: &[LevelBookKey], now: Timestamp) -> Result<Vec<Arc<Topic>>, ApiError> {
        let mut topics = lock(&self.topics);
        let missing = keys.iter().filter(|key| !topics.contains_key(*key)).count();
        let excess = (topics.len() + missing).saturating_sub(MAX_TOPICS);
        if excess > 0 {
            let requested: HashSet<&LevelBookKey> = keys.iter().collect();
            evict(&mut topics, excess, &requested);
            if topics.len() + missing > MAX_TOPICS {
                return Err(ApiError::RateLimited {
                    limit: LimitName::LevelBooks,
                    retry_after_seconds: RETRY_AFTER_SECONDS,
                });
            }
        }
        let topic = |key: &LevelBookKey| {
            let new = || Entry { topic: Arc::new(Topic::new(key.clone())), read_at: now };
            let entry = topics.entry(key.clone()).or_insert_with(new);
            entry.read_at = now;
            Arc::clone(&entry.topic)
        };
        Ok(keys.iter().map(topic).collect())
    }

    /// Returns the books that streams read, as of `now`.
    pub(crate) fn overview(&self, now: Timestamp) -> Vec<BookOverview> {
        let mut books = StreamedBooks::default();
        for (key, entry) in lock(&self.topics).iter() {
            books.add(key, &entry.topic);
        }
        books.into_overviews(now)
    }

    /// Returns the open streams.
    pub(super) const fn streams(&self) -> &Arc<StreamLimits> {
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
            let mut topics = lock(&self.topics);
            let now = desk.clock.now();
            topics.retain(|_, entry| is_read(entry, now));
            let read = topics.values().filter(|entry| is_streamed(entry));
            read.map(|entry| Arc::clone(&entry.topic)).collect()
        };
        let changed = refresh(&read, desk).await;
        if changed > 0 {
            self.metrics.published.inc_by(changed);
            self.wake();
        }
        self.metrics.books.set(i64::try_from(read.len()).unwrap_or(i64::MAX));
    }
}

fn is_streamed(entry: &Entry) -> bool {
    Arc::strong_count(&entry.topic) > 1
}

fn is_read(entry: &Entry, now: Timestamp) -> bool {
    is_streamed(entry) || now.seconds_since(entry.read_at) < IDLE_SECONDS
}

/// Refreshes these books to the current quotes of `desk`. Returns how many changed.
async fn refresh(topics: &[Arc<Topic>], desk: &Desk) -> u64 {
    let mut changed = 0;
    for some in topics.chunks(BOOKS_PER_BATCH) {
        let refreshed = join_all(some.iter().map(|topic| topic.refresh(desk, desk.clock.now()))).await;
        changed += refreshed.into_iter().map(u64::from).sum::<u64>();
        yield_now().await;
    }
    changed
}

/// Removes `excess` books that no stream reads and that are not `requested`, least recently read first; fewer if not
/// enough qualify.
fn evict(topics: &mut HashMap<LevelBookKey, Entry>, excess: usize, requested: &HashSet<&LevelBookKey>) {
    let unread = topics.iter().filter(|(key, entry)| !is_streamed(entry) && !requested.contains(key));
    let mut unread: Vec<_> = unread.map(|(key, entry)| (entry.read_at, key.clone())).collect();
    unread.sort_unstable_by_key(|(read_at, _)| *read_at);
    for (_, key) in unread.into_iter().take(excess) {
        topics.remove(&key);
    }
}

/// Ignores poisoning: every change to a map is a single call, so a panic leaves it consistent.
fn lock<T>(map: &Mutex<T>) -> MutexGuard<'_, T> {
    map.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use firmquote_domain::{Address, ChainId, PoolId, Symbol};
    use prometheus::Registry;

    use super::*;

    fn hub() -> Arc<LevelHub> {
        Arc::new(LevelHub::new(LevelMetrics::new(&Registry::new()).unwrap()))
    }

    /// Different books, numbered from `first`.
    fn keys(first: usize, count: usize) -> Vec<LevelBookKey> {
        let pool = PoolId { chain_id: ChainId::new(1).unwrap(), address: Address::repeat_byte(1) };
        let [input, output] = ["ETH", "USDC"].map(|symbol| Symbol::new(symbol).unwrap());
        let key = |number: usize| LevelBookKey {
            pool,
            input: input.clone(),
            output: output.clone(),
            time_in_seconds: u32::try_from(number).unwrap(),
            max_knots: 16,
        };
        (first..first + count).map(key).collect()
    }

    #[test]
    fn unread_books_are_evicted_least_recently_read_first() {
        let (hub, at) = (hub(), Timestamp::from_seconds);
        let streamed = hub.topics(&keys(0, MAX_TOPICS - 2), at(1)).unwrap();
        hub.topics(&keys(MAX_TOPICS, 1), at(3)).unwrap();
        hub.topics(&keys(MAX_TOPICS + 1, 1), at(2)).unwrap();
        // Evicts to make room for one more book; existing books need no room.
        hub.topics(&keys(MAX_TOPICS + 2, 1), at(4)).unwrap();
        let is_kept = |number| lock(&hub.topics).contains_key(&keys(number, 1)[0]);
        assert_eq!([0, 1, 2].map(|number| is_kept(MAX_TOPICS + number)), [true, false, true]);
        hub.topics(&keys(0, MAX_TOPICS - 2), at(5)).unwrap();
        let refused = hub.topics(&keys(MAX_TOPICS + 3, 3), at(6));
        assert!(matches!(refused, Err(ApiError::RateLimited { limit: LimitName::LevelBooks, .. })));
        drop(streamed);
        assert_eq!(hub.topics(&keys(MAX_TOPICS + 3, 3), at(7)).unwrap().len(), 3);
    }
}

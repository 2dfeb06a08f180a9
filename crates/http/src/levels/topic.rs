//! One book with its current publication, encoded once for all readers.

use std::{
    ops::Deref,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
};

use actix_web::web::Bytes;
use arc_swap::ArcSwapOption;
use firmquote_desk::{Desk, LevelBookKey, LevelPublication, LevelState};
use firmquote_domain::Timestamp;
use tokio::sync::Mutex;

use super::{
    request::LevelFormat,
    response::{book_response, encode_members},
};

/// The shortest time between two publications of a book on average, in milliseconds.
pub(super) const MIN_INTERVAL_MS: u64 = 100;

/// How much earlier than due a publication may be, in microseconds, so that prices that arrive at about the minimum
/// interval are published on arrival.
const TOLERANCE_MICROS: u64 = 20_000;

/// A book with at least one reader.
pub(super) struct Topic {
    publication: Mutex<LevelPublication>,
    current: ArcSwapOption<PublishedLevelBook>,
    subscriptions: AtomicUsize,
}

/// A book of a stream, which counts as its reader until it is dropped.
pub(super) struct Subscription(Arc<Topic>);

/// A publication of a book.
pub(super) struct PublishedLevelBook {
    /// Grows with every publication.
    pub(super) version: u64,
    pub(super) state: LevelState,
    published_at: Timestamp,
    /// When the next publication is due (as in the generic cell rate algorithm, ITU-T I.371).
    next_due: Timestamp,
    /// The encoded members of the book in each format, created on first use.
    encoded: [OnceLock<Bytes>; 2],
}

impl Topic {
    /// Creates a topic without a publication.
    pub(super) fn new(key: LevelBookKey) -> Self {
        let publication = Mutex::new(LevelPublication::new(key));
        Self { publication, current: ArcSwapOption::empty(), subscriptions: AtomicUsize::new(0) }
    }

    /// How many streams read it.
    pub(super) fn subscriptions(&self) -> usize {
        self.subscriptions.load(Ordering::Relaxed)
    }

    /// Returns the current publication; `None` before the first.
    pub(super) fn current(&self) -> Option<Arc<PublishedLevelBook>> {
        self.current.load_full()
    }

    /// Refreshes the publication to the quotes of `desk` at `now`, unless it is too early for another one. Returns
    /// whether it changed.
    pub(super) async fn refresh(&self, desk: &Desk, now: Timestamp) -> bool {
        if self.is_recent(now) {
            return false;
        }
        let mut publication = self.publication.lock().await;
        // Another caller may have been faster.
        if self.is_recent(now) || !publication.refresh(desk, now).await {
            return false;
        }
        let Some(state) = publication.state().cloned() else { return false };
        let current = self.current.load();
        let version = current.as_ref().map_or(0, |current| current.version) + 1;
        // Bounded, in case the clock was set back.
        let due = current.as_ref().map_or(now, |current| current.next_due);
        let next_due = due.clamp(now, now.plus_micros(TOLERANCE_MICROS)).plus_micros(MIN_INTERVAL_MS * 1_000);
        let encoded = [OnceLock::new(), OnceLock::new()];
        let published = PublishedLevelBook { version, state, published_at: now, next_due, encoded };
        self.current.store(Some(Arc::new(published)));
        true
    }

    /// Whether it is too early for another publication.
    fn is_recent(&self, now: Timestamp) -> bool {
        self.current.load().as_ref().is_some_and(|current| current.is_recent(now))
    }
}

impl Subscription {
    /// Subscribes to `topic`.
    pub(super) fn new(topic: Arc<Topic>) -> Self {
        topic.subscriptions.fetch_add(1, Ordering::Relaxed);
        Self(topic)
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        self.0.subscriptions.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Deref for Subscription {
    type Target = Arc<Topic>;

    fn deref(&self) -> &Arc<Topic> {
        &self.0
    }
}

impl PublishedLevelBook {
    /// Whether it is too early for another publication, and the current one is still valid.
    fn is_recent(&self, now: Timestamp) -> bool {
        let stands = match &self.state {
            LevelState::Live(_, validity) => now < validity.valid_until,
            LevelState::Withdrawn(_) => true,
        };
        // A clock that was set back delays no publication.
        stands && now >= self.published_at && now.plus_micros(TOLERANCE_MICROS) < self.next_due
    }

    /// Returns the members of the published book as JSON, without the braces around them; `None` while it is withdrawn.
    ///
    /// # Errors
    /// [`serde_json::Error`] if a member cannot be serialized.
    pub(super) fn members(&self, format: LevelFormat) -> Result<Option<Bytes>, serde_json::Error> {
        let LevelState::Live(book, validity) = &self.state else { return Ok(None) };
        let [cumulative, incremental] = &self.encoded;
        let cell = match format {
            LevelFormat::Cumulative => cumulative,
            LevelFormat::Incremental => incremental,
        };
        if let Some(members) = cell.get() {
            return Ok(Some(members.clone()));
        }
        let members = encode_members(&book_response(book, *validity, format))?;
        Ok(Some(cell.get_or_init(|| members).clone()))
    }
}

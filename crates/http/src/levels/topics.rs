//! The topics of all clients. Clients share a topic, and those with parameters of their own are bounded in number.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use firmquote_desk::LevelBookKey;
use firmquote_domain::Timestamp;

use super::{request::RequestedLevelBook, topic::Topic};
use crate::{error::ApiError, limits::LimitName};

/// Maximum number of custom books for all clients together. Those that no stream reads are evicted first.
const MAX_CUSTOM_TOPICS: usize = 4_096;

/// How long a book without readers is retained, in seconds.
const IDLE_SECONDS: u64 = 60;

/// The books with readers.
#[derive(Default)]
pub(super) struct Topics {
    /// The books with default parameters. Not limited: there is one for each pool and direction.
    default: HashMap<LevelBookKey, Entry>,
    /// The books with another time or number of knots.
    custom: HashMap<LevelBookKey, Entry>,
}

struct Entry {
    topic: Arc<Topic>,
    read_at: Timestamp,
}

impl Topics {
    /// Returns the topics of these books, creating missing ones.
    ///
    /// # Errors
    /// [`ApiError::ConcurrencyLimited`] if a custom book is missing and streams read too many others.
    pub(super) fn read(&mut self, books: &[RequestedLevelBook], now: Timestamp) -> Result<Vec<Arc<Topic>>, ApiError> {
        self.make_room(books)?;
        let topic = |book: &RequestedLevelBook| {
            let topics = if book.is_custom { &mut self.custom } else { &mut self.default };
            let new = || Entry { topic: Arc::new(Topic::new(book.key.clone())), read_at: now };
            let entry = topics.entry(book.key.clone()).or_insert_with(new);
            entry.read_at = now;
            Arc::clone(&entry.topic)
        };
        Ok(books.iter().map(topic).collect())
    }

    /// Removes the books that were not read recently.
    pub(super) fn remove_idle(&mut self, now: Timestamp) {
        for topics in [&mut self.default, &mut self.custom] {
            topics.retain(|_, entry| entry.is_streamed() || now.seconds_since(entry.read_at) < IDLE_SECONDS);
        }
    }

    /// Returns the books that streams read.
    pub(super) fn streamed(&self) -> impl Iterator<Item = (&LevelBookKey, &Arc<Topic>)> {
        let entries = self.default.iter().chain(&self.custom).filter(|(_, entry)| entry.is_streamed());
        entries.map(|(key, entry)| (key, &entry.topic))
    }

    /// Makes room for the missing custom books of `requested`: evicts those that no stream reads and that are not
    /// requested, least recently read first.
    fn make_room(&mut self, requested: &[RequestedLevelBook]) -> Result<(), ApiError> {
        let requested: HashSet<_> = requested.iter().filter(|book| book.is_custom).map(|book| &book.key).collect();
        let missing = requested.iter().filter(|key| !self.custom.contains_key(**key)).count();
        let excess = (self.custom.len() + missing).saturating_sub(MAX_CUSTOM_TOPICS);
        if excess == 0 {
            return Ok(());
        }
        let unread = self.custom.iter().filter(|(key, entry)| !entry.is_streamed() && !requested.contains(key));
        let mut unread: Vec<_> = unread.map(|(key, entry)| (entry.read_at, key.clone())).collect();
        if unread.len() < excess {
            return Err(ApiError::ConcurrencyLimited { limit: LimitName::LevelBooks, quota: MAX_CUSTOM_TOPICS });
        }
        unread.sort_unstable_by_key(|(read_at, _)| *read_at);
        for (_, key) in unread.into_iter().take(excess) {
            self.custom.remove(&key);
        }
        Ok(())
    }
}

impl Entry {
    fn is_streamed(&self) -> bool {
        Arc::strong_count(&self.topic) > 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unread_books_are_evicted_least_recently_read_first() {
        let (mut topics, at) = (Topics::default(), Timestamp::from_seconds);
        let custom = |first, count| RequestedLevelBook::numbered(first, count, true);
        let streamed = topics.read(&custom(0, MAX_CUSTOM_TOPICS - 2), at(1)).unwrap();
        topics.read(&custom(MAX_CUSTOM_TOPICS, 1), at(3)).unwrap();
        topics.read(&custom(MAX_CUSTOM_TOPICS + 1, 1), at(2)).unwrap();
        // Evicts to make room for one more book; existing books need no room.
        topics.read(&custom(MAX_CUSTOM_TOPICS + 2, 1), at(4)).unwrap();
        let is_kept = |number| topics.custom.contains_key(&custom(number, 1)[0].key);
        assert_eq!([0, 1, 2].map(|number| is_kept(MAX_CUSTOM_TOPICS + number)), [true, false, true]);
        topics.read(&custom(0, MAX_CUSTOM_TOPICS - 2), at(5)).unwrap();
        assert!(topics.read(&custom(MAX_CUSTOM_TOPICS + 3, 3), at(6)).is_err());
        drop(streamed);
        assert_eq!(topics.read(&custom(MAX_CUSTOM_TOPICS + 3, 3), at(7)).unwrap().len(), 3);
    }

    #[test]
    fn custom_books_leave_room_for_the_default_ones() {
        let (mut topics, now) = (Topics::default(), Timestamp::from_seconds(1));
        let _streamed = topics.read(&RequestedLevelBook::numbered(0, MAX_CUSTOM_TOPICS, true), now).unwrap();
        let refused = topics.read(&RequestedLevelBook::numbered(MAX_CUSTOM_TOPICS, 1, true), now).err().unwrap().head();
        let fields = ["retry-after", "ratelimit-policy", "ratelimit"].map(|name| refused.headers().get(name).unwrap());
        assert_eq!(fields, ["5", "\"level-books\";q=4096", "\"level-books\";r=0;t=5"]);
        assert_eq!(topics.read(&RequestedLevelBook::numbered(0, 2_000, false), now).unwrap().len(), 2_000);
    }
}

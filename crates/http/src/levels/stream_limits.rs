//! The open streams of each client, bounded in number and in books.

use std::{
    collections::{HashMap, hash_map::Entry},
    sync::Arc,
};

use firmquote_desk::LevelBookKey;
use parking_lot::Mutex;
use prometheus::IntGauge;

use super::request::RequestedLevelBook;
use crate::{error::ApiError, limits::LimitName};

/// Maximum number of concurrent streams per client.
const MAX_STREAMS_PER_CLIENT: usize = 32;

/// Maximum number of books in all streams of a client, so that no client starves others.
const MAX_BOOKS_PER_CLIENT: usize = 2_048;

/// Maximum number of different custom books in all streams of a client: each is computed for this client alone.
const MAX_CUSTOM_BOOKS_PER_CLIENT: usize = 128;

/// The open streams of all clients.
pub(crate) struct StreamLimits {
    clients: Mutex<HashMap<Arc<str>, StreamUsage>>,
    /// The number of open streams.
    open: IntGauge,
}

/// The streams of a client and their books.
#[derive(Default)]
struct StreamUsage {
    streams: usize,
    books: usize,
    /// The custom books, each with the number of streams that contain it.
    custom: HashMap<LevelBookKey, usize>,
}

/// Permits one stream of a client; released on drop.
pub(crate) struct StreamPermit {
    limits: Arc<StreamLimits>,
    client: Arc<str>,
    books: usize,
    custom: Vec<LevelBookKey>,
}

impl StreamLimits {
    /// Creates the limits without streams; `open` shows their number.
    pub(super) fn new(open: IntGauge) -> Self {
        Self { clients: Mutex::default(), open }
    }

    /// Acquires a permit for another stream of a client, with these books.
    ///
    /// # Errors
    /// [`ApiError::ConcurrencyLimited`] if the client already has the maximum number of streams, or of books in them.
    pub(crate) fn acquire(
        self: &Arc<Self>,
        client: &Arc<str>,
        books: &[RequestedLevelBook],
    ) -> Result<StreamPermit, ApiError> {
        let custom: Vec<_> = books.iter().filter(|book| book.is_custom).map(|book| book.key.clone()).collect();
        let mut clients = self.clients.lock();
        clients.get(client).unwrap_or(&StreamUsage::default()).check(books.len(), &custom)?;
        let usage = clients.entry(Arc::clone(client)).or_default();
        usage.streams += 1;
        usage.books += books.len();
        for key in &custom {
            *usage.custom.entry(key.clone()).or_default() += 1;
        }
        self.open.inc();
        Ok(StreamPermit { limits: Arc::clone(self), client: Arc::clone(client), books: books.len(), custom })
    }

    /// Returns the number of open streams.
    pub(super) fn count(&self) -> usize {
        self.clients.lock().values().map(|usage| usage.streams).sum()
    }
}

impl StreamUsage {
    /// Checks that another stream with this number of books, of which these are custom, exceeds no limit.
    fn check(&self, books: usize, custom: &[LevelBookKey]) -> Result<(), ApiError> {
        let limited = |limit, quota| Err(ApiError::ConcurrencyLimited { limit, quota });
        if self.streams >= MAX_STREAMS_PER_CLIENT {
            return limited(LimitName::LevelStreams, MAX_STREAMS_PER_CLIENT);
        }
        // A single stream may contain every book with the default parameters.
        if self.streams > 0 && self.books + books > MAX_BOOKS_PER_CLIENT {
            return limited(LimitName::LevelBooks, MAX_BOOKS_PER_CLIENT);
        }
        let further = custom.iter().filter(|key| !self.custom.contains_key(*key)).count();
        if self.custom.len() + further > MAX_CUSTOM_BOOKS_PER_CLIENT {
            return limited(LimitName::LevelBooks, MAX_CUSTOM_BOOKS_PER_CLIENT);
        }
        Ok(())
    }

    /// Releases one stream with these books.
    fn release(&mut self, books: usize, custom: &[LevelBookKey]) {
        self.streams -= 1;
        self.books -= books;
        for key in custom {
            if let Entry::Occupied(mut streams) = self.custom.entry(key.clone()) {
                *streams.get_mut() -= 1;
                if *streams.get() == 0 {
                    streams.remove();
                }
            }
        }
    }
}

impl Drop for StreamPermit {
    fn drop(&mut self) {
        let mut clients = self.limits.clients.lock();
        if let Some(usage) = clients.get_mut(&self.client) {
            usage.release(self.books, &self.custom);
            if usage.streams == 0 {
                clients.remove(&self.client);
            }
        }
        self.limits.open.dec();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits() -> Arc<StreamLimits> {
        Arc::new(StreamLimits::new(IntGauge::new("streams", "Open streams.").unwrap()))
    }

    #[test]
    fn subscribed_books_per_client_are_bounded_until_a_stream_closes() {
        let limits = limits();
        let open =
            |client: &str, books| limits.acquire(&Arc::from(client), &RequestedLevelBook::numbered(0, books, false));
        let first = open("acme", MAX_BOOKS_PER_CLIENT).unwrap();
        assert!(matches!(open("acme", 1), Err(ApiError::ConcurrencyLimited { limit: LimitName::LevelBooks, .. })));
        open("other", MAX_BOOKS_PER_CLIENT + 1).unwrap();
        drop(first);
        let streams: Vec<_> = (0..MAX_STREAMS_PER_CLIENT).map(|_| open("acme", 1).unwrap()).collect();
        assert!(matches!(open("acme", 1), Err(ApiError::ConcurrencyLimited { limit: LimitName::LevelStreams, .. })));
        drop(streams);
        assert!(limits.clients.lock().is_empty());
    }

    #[test]
    fn different_custom_books_per_client_are_bounded_until_their_last_stream_closes() {
        const MAX: usize = MAX_CUSTOM_BOOKS_PER_CLIENT;
        let limits = limits();
        let open = |client: &str, first, count| {
            limits.acquire(&Arc::from(client), &RequestedLevelBook::numbered(first, count, true))
        };
        let is_refused = |client, first, count| {
            matches!(open(client, first, count), Err(ApiError::ConcurrencyLimited { quota: MAX, .. }))
        };
        assert!(is_refused("acme", 0, MAX + 1));
        let (first, again) = (open("acme", 0, MAX).unwrap(), open("acme", 1, MAX - 1).unwrap());
        assert!(is_refused("acme", MAX, 1) && !is_refused("other", 0, MAX));
        limits.acquire(&Arc::from("acme"), &RequestedLevelBook::numbered(0, 1_000, false)).unwrap();
        drop(first);
        assert!(is_refused("acme", MAX, 2) && !is_refused("acme", MAX, 1));
        drop(again);
        assert!(limits.clients.lock().is_empty());
    }
}

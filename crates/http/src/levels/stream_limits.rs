//! The open streams of each client, bounded in number and in books.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use prometheus::IntGauge;

use crate::{error::ApiError, limits::LimitName};

/// Maximum number of concurrent streams per client.
const MAX_STREAMS_PER_CLIENT: usize = 32;

/// Maximum number of books in all streams of a client, so that no client starves others.
const MAX_BOOKS_PER_CLIENT: usize = 2_048;

/// The open streams of all clients.
pub(super) struct StreamLimits {
    clients: Mutex<HashMap<Arc<str>, StreamUsage>>,
    /// The number of open streams.
    open: IntGauge,
}

/// The streams of a client and their books.
#[derive(Default)]
struct StreamUsage {
    streams: usize,
    books: usize,
}

/// Permits one stream of a client; released on drop.
pub(super) struct StreamPermit {
    limits: Arc<StreamLimits>,
    client: Arc<str>,
    books: usize,
}

impl StreamLimits {
    /// Creates the limits without streams; `open` shows their number.
    pub(super) fn new(open: IntGauge) -> Self {
        Self { clients: Mutex::default(), open }
    }

    /// Acquires a permit for another stream of a client, with this number of books.
    ///
    /// # Errors
    /// [`ApiError::ConcurrencyLimited`] if the client already has the maximum number of streams, or of books in them.
    pub(super) fn acquire(self: &Arc<Self>, client: &Arc<str>, books: usize) -> Result<StreamPermit, ApiError> {
        let mut clients = self.lock();
        let usage = clients.entry(Arc::clone(client)).or_default();
        if usage.streams >= MAX_STREAMS_PER_CLIENT {
            return Err(ApiError::ConcurrencyLimited { limit: LimitName::LevelStreams, quota: MAX_STREAMS_PER_CLIENT });
        }
        // A single stream may contain every book.
        if usage.streams > 0 && usage.books + books > MAX_BOOKS_PER_CLIENT {
            return Err(ApiError::ConcurrencyLimited { limit: LimitName::LevelBooks, quota: MAX_BOOKS_PER_CLIENT });
        }
        usage.streams += 1;
        usage.books += books;
        self.open.inc();
        Ok(StreamPermit { limits: Arc::clone(self), client: Arc::clone(client), books })
    }

    /// Returns the number of open streams.
    pub(super) fn count(&self) -> usize {
        self.lock().values().map(|usage| usage.streams).sum()
    }

    /// Ignores poisoning: a panic leaves the counts consistent.
    fn lock(&self) -> MutexGuard<'_, HashMap<Arc<str>, StreamUsage>> {
        self.clients.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for StreamPermit {
    fn drop(&mut self) {
        let mut clients = self.limits.lock();
        if let Some(usage) = clients.get_mut(&self.client) {
            usage.streams -= 1;
            usage.books -= self.books;
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

    #[test]
    fn subscribed_books_per_client_are_bounded_until_a_stream_closes() {
        let limits = Arc::new(StreamLimits::new(IntGauge::new("streams", "Open streams.").unwrap()));
        let open = |client: &str, books| limits.acquire(&Arc::from(client), books);
        let first = open("acme", MAX_BOOKS_PER_CLIENT).unwrap();
        assert!(matches!(open("acme", 1), Err(ApiError::ConcurrencyLimited { limit: LimitName::LevelBooks, .. })));
        open("other", MAX_BOOKS_PER_CLIENT + 1).unwrap();
        drop(first);
        let streams: Vec<_> = (0..MAX_STREAMS_PER_CLIENT).map(|_| open("acme", 1).unwrap()).collect();
        assert!(matches!(open("acme", 1), Err(ApiError::ConcurrencyLimited { limit: LimitName::LevelStreams, .. })));
        drop(streams);
        assert!(limits.lock().is_empty());
    }
}

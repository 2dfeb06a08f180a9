//! The stream of price levels, with automatic reconnection.

mod message;

use std::{collections::BTreeMap, fmt, sync::Arc, time::Duration};

use firmquote_api::Renew;
use firmquote_domain::{Address, Symbol};
use tokio::time::Instant;

use self::message::Message;
use crate::{
    Error, LevelBook, LevelsRequest,
    executor::{RequestExecutor, fresh_request_id},
    route::Route,
    stream::{Backoff, Connection, ConnectionState, OpeningConnection},
};

/// The live books of price levels, followed across reconnections.
///
/// Books disappear when they expire or are withdrawn, and all of them when the connection ends, falls silent or loses a
/// message; the next connection starts with all books. Expiry uses this machine's monotonic clock, which need not agree
/// with the clock of the service.
pub struct Levels {
    executor: Arc<RequestExecutor>,
    request_id: Option<Arc<str>>,
    request: LevelsRequest,
    state: ConnectionState,
    books: BTreeMap<BookKey, LiveBook>,
    /// The number of the last message of the connection.
    last_number: u64,
    backoff: Backoff,
    service_clock: Option<ServiceClock>,
}

/// The service's clock at the start of the connection, from `hello`, which may have been delayed.
#[derive(Clone, Copy, Debug)]
struct ServiceClock {
    unix_ms: u64,
    received_at: Instant,
}

/// Pool, input and output of a book.
type BookKey = (Address, [Symbol; 2]);

#[derive(Debug)]
struct LiveBook {
    book: LevelBook,
    expires_at: Instant,
}

/// A change of the books or of the connection.
#[derive(Debug)]
#[non_exhaustive]
pub enum LevelsChange {
    /// A book arrived, replaced another, or is gone.
    Books,
    /// The connection ended, and with it all books; a new one is opened automatically.
    Disconnected {
        /// The cause; `None` if the service sent `goodbye`.
        cause: Option<Error>,
        /// How long until the next attempt.
        retry_after: Duration,
    },
}

impl Levels {
    /// Creates a stream; nothing is sent before [`Self::changed`].
    pub(crate) const fn new(
        executor: Arc<RequestExecutor>,
        request_id: Option<Arc<str>>,
        request: LevelsRequest,
    ) -> Self {
        Self {
            executor,
            request_id,
            request,
            state: ConnectionState::Closed(None),
            books: BTreeMap::new(),
            last_number: 0,
            backoff: Backoff::new(),
            service_clock: None,
        }
    }

    /// Returns the books that are live at this moment, in the order of pools and symbols.
    pub fn books(&self) -> impl Iterator<Item = &LevelBook> {
        let now = Instant::now();
        self.books.values().filter(move |live| now < live.expires_at).map(|live| &live.book)
    }

    /// Waits until something changes. Nothing is lost if the future is dropped before it completes.
    ///
    /// # Errors
    /// An [`Error`] that reconnecting cannot fix, such as refused credentials or an unknown pair.
    pub async fn changed(&mut self) -> Result<LevelsChange, Error> {
        loop {
            self.books.retain(|_, live| Instant::now() < live.expires_at);
            let next_expiry = self.books.values().map(|live| live.expires_at).min();
            let message = match self.receive(next_expiry).await {
                Ok(Some(message)) => message,
                Ok(None) => return Ok(LevelsChange::Books),
                Err(error) => return self.disconnected(error),
            };
            if let Some(change) = self.apply(message)? {
                return Ok(change);
            }
        }
    }

    /// Waits for the next message; `None` when the next book expires.
    async fn receive(&mut self, next_expiry: Option<Instant>) -> Result<Option<Message>, Error> {
        let Self { executor, request_id, request, state, last_number, .. } = self;
        let open = || -> OpeningConnection {
            let (executor, request) = (Arc::clone(executor), request.clone());
            let request_id = request_id.clone().unwrap_or_else(fresh_request_id);
            Box::pin(async move {
                let route = Route::level_stream(executor.version(), &request)?;
                Connection::open(&executor, &request_id, &route).await
            })
        };
        if state.ready(open).await? {
            *last_number = 0;
        }
        let Some((json, connection)) = state.next(next_expiry).await? else { return Ok(None) };
        *last_number += 1;
        match Message::parse(&json) {
            Ok((number, message)) if number == *last_number => Ok(Some(message)),
            Ok(_) => Err(connection.interrupted("a message is missing")),
            Err(error) => Err(connection.invalid(&error.to_string())),
        }
    }

    fn apply(&mut self, message: Message) -> Result<Option<LevelsChange>, Error> {
        match message {
            Message::Hello { server_time_ms } => {
                self.service_clock = Some(ServiceClock { unix_ms: server_time_ms, received_at: Instant::now() });
                Ok(None)
            }
            Message::Book(book) => {
                let symbols = [&book.input_asset_symbol, &book.output_asset_symbol].map(|symbol| symbol.0.clone());
                let expires_at = self.expiry(book.published_ms, book.valid_until_ms);
                self.books.insert((*book.pool_address, symbols), LiveBook { book: *book, expires_at });
                Ok(Some(LevelsChange::Books))
            }
            Message::Renew(Renew { levels_ids, as_of_ms, published_ms, valid_until_ms }) => {
                let expires_at = self.expiry(published_ms, valid_until_ms);
                for live in self.books.values_mut().filter(|live| levels_ids.contains(&live.book.levels_id)) {
                    live.expires_at = expires_at;
                    (live.book.published_ms, live.book.valid_until_ms) = (published_ms, valid_until_ms);
                    live.book.as_of_ms = as_of_ms;
                }
                Ok(Some(LevelsChange::Books))
            }
            Message::Withdraw(ids) => {
                self.books.retain(|_, live| !ids.contains(&live.book.levels_id));
                Ok(Some(LevelsChange::Books))
            }
            Message::SnapshotEnd => {
                self.backoff.reset();
                Ok(None)
            }
            Message::Goodbye { reconnect_after } => {
                Ok(Some(self.reconnect_in(None, Backoff::requested_delay(reconnect_after))))
            }
            Message::Other => Ok(None),
        }
    }

    /// Ends the connection; a new one is opened after a delay that grows with each failure, unless reconnecting cannot
    /// fix the error.
    fn disconnected(&mut self, cause: Error) -> Result<LevelsChange, Error> {
        match self.backoff.next_delay(cause) {
            Ok((cause, delay)) => Ok(self.reconnect_in(Some(cause), delay)),
            Err(cause) => {
                self.close(None);
                Err(cause)
            }
        }
    }

    fn reconnect_in(&mut self, cause: Option<Error>, retry_after: Duration) -> LevelsChange {
        self.close(Instant::now().checked_add(retry_after));
        LevelsChange::Disconnected { cause, retry_after }
    }

    fn close(&mut self, reconnect_at: Option<Instant>) {
        (self.state, self.service_clock) = (ConnectionState::Closed(reconnect_at), None);
        self.books.clear();
    }

    /// Returns when a book that arrives now expires. It may have been published some time ago, and may have been in
    /// transit for as long as this connection exists: the clock of the service at the start of the connection bounds
    /// both.
    fn expiry(&self, published_ms: u64, valid_until_ms: u64) -> Instant {
        let now = Instant::now();
        let by_period = now.checked_add(Duration::from_millis(valid_until_ms.saturating_sub(published_ms)));
        let by_clock = self.service_clock.and_then(|ServiceClock { unix_ms, received_at }| {
            received_at.checked_add(Duration::from_millis(valid_until_ms.saturating_sub(unix_ms)))
        });
        by_period.into_iter().chain(by_clock).min().unwrap_or(now)
    }
}

impl fmt::Debug for Levels {
    /// Shows the request and the connection, never the credential.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { request, state, books, .. } = self;
        let mut debug = f.debug_struct("Levels");
        debug
            .field("request", request)
            .field("connection", &state.connection())
            .field("books", books)
            .finish_non_exhaustive()
    }
}

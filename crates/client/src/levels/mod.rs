//! The stream of price levels: what is live, whatever happens to the connection.

mod connection;
mod message;

use std::{collections::BTreeMap, fmt, sync::Arc, time::Duration};

use firmquote_domain::{Address, Symbol};
use tokio::time::{Instant, sleep_until, timeout_at};
use uuid::Uuid;

use self::{
    connection::Connection,
    message::{Message, Period},
};
use crate::{
    Error, LevelBook, LevelsRequest, Reaction,
    executor::{RequestExecutor, fresh_request_id},
};

/// The first pause before a new connection, and the longest.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
const MAX_PAUSE: Duration = Duration::from_secs(10);

/// Books of price levels that are live, followed over one connection after another.
///
/// Books that expire or are withdrawn disappear by themselves, and so do all of them when the connection ends, falls silent
/// or loses a message; the next connection begins with all books. Expiry is by this machine's monotonic clock: no clock has
/// to agree with that of the service.
pub struct Levels {
    executor: Arc<RequestExecutor>,
    request_id: Option<Arc<str>>,
    request: LevelsRequest,
    connection: Option<Connection>,
    books: BTreeMap<BookKey, LiveBook>,
    /// Connections in a row that ended before all books had arrived.
    failures: u32,
    /// When to connect; at once when absent.
    reconnect_at: Option<Instant>,
}

/// Pool, input and output of a book.
type BookKey = (Address, Symbol, Symbol);

#[derive(Debug)]
struct LiveBook {
    book: LevelBook,
    expires_at: Instant,
}

/// What changed.
#[derive(Debug)]
pub enum LevelsChange {
    /// A book arrived, replaced another, or is gone.
    Books,
    /// The connection ended, and with it all books; another follows by itself.
    Disconnected {
        /// What ended it; `None` if the service said goodbye.
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
            connection: None,
            books: BTreeMap::new(),
            failures: 0,
            reconnect_at: None,
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
    /// An [`Error`] that a new connection cannot mend, such as refused credentials or an unknown pair.
    pub async fn changed(&mut self) -> Result<LevelsChange, Error> {
        loop {
            self.books.retain(|_, live| Instant::now() < live.expires_at);
            let next_expiry = self.books.values().map(|live| live.expires_at).min();
            let Some(connection) = &mut self.connection else {
                if let Some(at) = self.reconnect_at {
                    sleep_until(at).await;
                }
                let request_id = self.request_id.clone().unwrap_or_else(fresh_request_id);
                match Connection::open(&self.executor, &request_id, &self.request).await {
                    Ok(connection) => self.connection = Some(connection),
                    Err(error) => return self.disconnected(Some(error)),
                }
                continue;
            };
            let silent_at = connection.silent_at();
            let wake_at = next_expiry.map_or(silent_at, |expiry| expiry.min(silent_at));
            let message = match timeout_at(wake_at, connection.next()).await {
                Ok(Ok(message)) => message,
                Ok(Err(error)) => return self.disconnected(Some(error)),
                Err(_) if Instant::now() < silent_at => return Ok(LevelsChange::Books),
                Err(_) => {
                    let silent = connection.interrupted("nothing arrived for three heartbeats");
                    return self.disconnected(Some(silent));
                }
            };
            if let Some(change) = self.apply(message)? {
                return Ok(change);
            }
        }
    }

    fn apply(&mut self, message: Message) -> Result<Option<LevelsChange>, Error> {
        match message {
            Message::Book(book, period) => {
                let key = (book.pool_address, book.input_asset_symbol.clone(), book.output_asset_symbol.clone());
                self.books.insert(key, LiveBook { book: *book, expires_at: expiry(period) });
                Ok(Some(LevelsChange::Books))
            }
            Message::Renew(ids, period) => {
                for live in self.books.values_mut().filter(|live| ids.contains(&live.book.levels_id)) {
                    live.expires_at = expiry(period);
                    (live.book.published_ms, live.book.valid_until_ms) = (period.published_ms, period.valid_until_ms);
                    live.book.as_of_ms = period.as_of_ms;
                }
                Ok(Some(LevelsChange::Books))
            }
            Message::Withdraw(ids) => {
                self.books.retain(|_, live| !ids.contains(&live.book.levels_id));
                Ok(Some(LevelsChange::Books))
            }
            Message::SnapshotEnd => {
                self.failures = 0;
                Ok(None)
            }
            Message::Goodbye { reconnect_after } => {
                self.reconnect_at = None;
                let pause = with_jitter(reconnect_after.min(MAX_PAUSE));
                Ok(Some(self.reconnect_in(None, pause)))
            }
            Message::Other => Ok(None),
        }
    }

    /// Ends the connection; another is opened after a pause that grows from failure to failure, unless the error cannot be
    /// mended by one.
    fn disconnected(&mut self, cause: Option<Error>) -> Result<LevelsChange, Error> {
        let after = match cause.as_ref().map(Error::reaction) {
            Some(Reaction::GiveUp | Reaction::Requote) => {
                self.connection = None;
                self.books.clear();
                return Err(cause.unwrap_or(Error::NeedsApiKey("levels")));
            }
            Some(Reaction::Retry { after }) => after,
            None => None,
        };
        let pause = FIRST_PAUSE.saturating_mul(1 << self.failures.min(10)).min(MAX_PAUSE);
        self.failures = self.failures.saturating_add(1);
        Ok(self.reconnect_in(cause, with_jitter(pause).max(after.unwrap_or_default())))
    }

    fn reconnect_in(&mut self, cause: Option<Error>, retry_after: Duration) -> LevelsChange {
        self.connection = None;
        self.books.clear();
        self.reconnect_at = Instant::now().checked_add(retry_after);
        LevelsChange::Disconnected { cause, retry_after }
    }
}

impl fmt::Debug for Levels {
    /// Shows the request and the connection, and nothing of the credential.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { request, connection, books, .. } = self;
        let mut debug = f.debug_struct("Levels");
        debug.field("request", request).field("connection", connection).field("books", books).finish_non_exhaustive()
    }
}

/// When a book that arrives now is no longer valid.
fn expiry(period: Period) -> Instant {
    let now = Instant::now();
    let valid = Duration::from_millis(period.valid_until_ms.saturating_sub(period.published_ms));
    now.checked_add(valid).unwrap_or(now)
}

/// From half of a pause to all of it, so that clients do not come back together.
fn with_jitter(pause: Duration) -> Duration {
    let [random, ..] = Uuid::new_v4().into_bytes();
    pause.mul_f64(0.5 + f64::from(random) / 512.0)
}

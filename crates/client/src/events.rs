//! The stream of events of the client's own quotes, with automatic reconnection.

use std::{fmt, sync::Arc, time::Duration};

use firmquote_api::{QuoteEvent, StreamNotice, StreamNoticeKind};
use firmquote_domain::ChainId;
use tokio::time::Instant;

use crate::{
    Error,
    executor::{RequestExecutor, fresh_request_id},
    route::Route,
    stream::{Backoff, Connection, ConnectionState, OpeningConnection},
};

/// The events of this client's quotes on one chain, followed across reconnections.
///
/// Every event arrives at least once, those of a quote in order. Each connection continues after the last event of the
/// one before, for as long as the service can; otherwise [`EventsChange::Reset`] says that events may be missing.
pub struct QuoteEvents {
    executor: Arc<RequestExecutor>,
    request_id: Option<Arc<str>>,
    chain_id: ChainId,
    last_event_id: Option<String>,
    state: ConnectionState,
    is_up_to_date: bool,
    backoff: Backoff,
}

/// A change that a stream of events reports.
#[derive(Debug)]
#[non_exhaustive]
pub enum EventsChange {
    /// Something happened to a quote.
    Quote(Box<QuoteEvent>),
    /// Events may be missing: read the status of the quotes that are open.
    Reset,
    /// Everything until now has arrived on this connection; what follows arrives as it happens.
    UpToDate,
    /// The connection ended; a new one is opened automatically.
    Disconnected {
        /// The cause.
        cause: Error,
        /// How long until the next attempt.
        retry_after: Duration,
    },
}

enum Message {
    Event(Box<QuoteEvent>),
    Notice(StreamNotice),
    /// Of a later release.
    Other,
}

impl QuoteEvents {
    /// Creates a stream; nothing is sent before [`Self::next`].
    pub(crate) const fn new(
        executor: Arc<RequestExecutor>,
        request_id: Option<Arc<str>>,
        chain_id: ChainId,
        last_event_id: Option<String>,
    ) -> Self {
        let state = ConnectionState::Closed(None);
        Self { executor, request_id, chain_id, last_event_id, state, is_up_to_date: false, backoff: Backoff::new() }
    }

    /// Returns the cursor after what has arrived, for another stream to continue there within ten minutes; `None` before
    /// the first message.
    pub fn last_event_id(&self) -> Option<&str> {
        self.last_event_id.as_deref()
    }

    /// Waits for the next change. Nothing is lost if the future is dropped before it completes.
    ///
    /// # Errors
    /// An [`Error`] that reconnecting cannot fix, such as refused credentials or an unknown chain.
    pub async fn next(&mut self) -> Result<EventsChange, Error> {
        loop {
            let message = match self.receive().await {
                Ok(Some(message)) => message,
                Ok(None) => continue,
                Err(error) => return self.disconnected(error),
            };
            match message {
                Message::Event(event) => {
                    self.last_event_id = Some(event.id.clone());
                    return Ok(EventsChange::Quote(event));
                }
                Message::Notice(StreamNotice { event, id }) => {
                    let is_first = event == StreamNoticeKind::Heartbeat && !self.is_up_to_date;
                    self.is_up_to_date |= is_first;
                    self.last_event_id = Some(id);
                    match event {
                        StreamNoticeKind::Reset => return Ok(EventsChange::Reset),
                        StreamNoticeKind::Heartbeat if is_first => {
                            self.backoff.reset();
                            return Ok(EventsChange::UpToDate);
                        }
                        StreamNoticeKind::Heartbeat => {}
                    }
                }
                Message::Other => {}
            }
        }
    }

    async fn receive(&mut self) -> Result<Option<Message>, Error> {
        let Self { executor, request_id, chain_id, last_event_id, state, .. } = self;
        let open = || -> OpeningConnection {
            let (executor, chain_id, last) = (Arc::clone(executor), *chain_id, last_event_id.clone());
            let request_id = request_id.clone().unwrap_or_else(fresh_request_id);
            Box::pin(async move {
                let route = Route::events(executor.version(), chain_id, last.as_deref())?;
                Connection::open(&executor, &request_id, &route).await
            })
        };
        if state.ready(open).await? {
            self.is_up_to_date = false;
        }
        let Some((json, connection)) = state.next(None).await? else { return Ok(None) };
        Message::parse(&json).map(Some).map_err(|error| connection.invalid(&error.to_string()))
    }

    /// Ends the connection; a new one is opened after a delay, unless reconnecting cannot fix the error.
    fn disconnected(&mut self, cause: Error) -> Result<EventsChange, Error> {
        self.state = ConnectionState::Closed(None);
        let (cause, retry_after) = self.backoff.next_delay(cause)?;
        self.state = ConnectionState::Closed(Instant::now().checked_add(retry_after));
        Ok(EventsChange::Disconnected { cause, retry_after })
    }
}

impl Message {
    /// Parses a message.
    ///
    /// # Errors
    /// [`serde_json::Error`] if a member is missing or malformed.
    fn parse(json: &str) -> Result<Self, serde_json::Error> {
        #[derive(serde::Deserialize)]
        struct Head {
            event: String,
        }
        let Head { event } = serde_json::from_str(json)?;
        match &*event {
            "signed" | "settled" | "lapsed" | "reorged" => serde_json::from_str(json).map(Self::Event),
            "heartbeat" | "reset" => serde_json::from_str(json).map(Self::Notice),
            _ => Ok(Self::Other),
        }
    }
}

impl fmt::Debug for QuoteEvents {
    /// Shows the chain and the connection, never the credential.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("QuoteEvents");
        debug.field("chain_id", &self.chain_id).field("connection", &self.state.connection()).finish_non_exhaustive()
    }
}

//! The stream of one connection: what was missed since its cursor, then every event, until the service is replaced.

use std::sync::Arc;

use firmquote_api::HEARTBEAT_INTERVAL;
use firmquote_desk::EventCursor;
use tokio::{
    sync::broadcast::{Receiver, error::RecvError},
    time::{Instant, timeout_at},
};

use super::{
    audience::{Audience, ClientFilter, EventFilter},
    event::{FeedEvent, RESET},
    hub::PAGE,
};
use crate::{
    error::ApiError,
    levels::StreamPermit,
    service::{LiveService, ServiceSnapshot},
};

/// A stream of events. A slow client costs a place in the hub: it reads what it missed from the store.
pub(crate) struct EventConnection {
    live: Arc<LiveService>,
    service: Arc<ServiceSnapshot>,
    audience: Audience,
    events: Receiver<Arc<FeedEvent>>,
    cursor: EventCursor,
    stage: Stage,
    /// The entries that were read from the store since the stream was last up to date.
    missed: usize,
    sent_at: Instant,
    _permit: Option<StreamPermit>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// The positions of all pools come first.
    Positions,
    /// Entries after the cursor are read from the store.
    CatchUp,
    Live,
}

impl EventConnection {
    /// Opens a stream for the operator of the events after a cursor; from now on without one.
    ///
    /// # Errors
    /// [`ApiError::Desk`] if the store could not be reached.
    pub(crate) async fn open(
        live: Arc<LiveService>,
        service: Arc<ServiceSnapshot>,
        after: Option<EventCursor>,
        filter: EventFilter,
    ) -> Result<Self, ApiError> {
        let events = live.events().subscribe();
        let cursor = match after {
            Some(after) => after,
            None => last_cursor(&service).await?,
        };
        Ok(Self::new(live, service, Audience::Operator(filter), events, cursor, None))
    }

    /// Opens a stream for a client of the events after the cursor `after`; from now on without one.
    ///
    /// # Errors
    /// [`ApiError::ConcurrencyLimited`] if the client already has the maximum number of streams, [`ApiError::Desk`] if the
    /// store could not be reached.
    pub(crate) async fn open_for_client(
        live: Arc<LiveService>,
        service: Arc<ServiceSnapshot>,
        after: Option<&str>,
        filter: ClientFilter,
    ) -> Result<Self, ApiError> {
        let permit = live.levels().streams().acquire(&filter.client, &[])?;
        let events = live.events().subscribe();
        let end = last_cursor(&service).await?;
        let cursor = match after {
            Some(after) => filter.resume(after, &end, service.desk.clock.now()),
            None => end,
        };
        Ok(Self::new(live, service, Audience::Client(filter), events, cursor, Some(permit)))
    }

    fn new(
        live: Arc<LiveService>,
        service: Arc<ServiceSnapshot>,
        audience: Audience,
        events: Receiver<Arc<FeedEvent>>,
        cursor: EventCursor,
        permit: Option<StreamPermit>,
    ) -> Self {
        let (stage, sent_at) = (Stage::Positions, Instant::now());
        Self { live, service, audience, events, cursor, stage, missed: 0, sent_at, _permit: permit }
    }

    /// Waits for the next events, as text; `None` after the last.
    pub(crate) async fn next(&mut self) -> Option<String> {
        loop {
            if self.live.is_draining() || !Arc::ptr_eq(&self.live.load(), &self.service) {
                return None;
            }
            let text = match self.stage {
                Stage::Positions => {
                    self.stage = Stage::CatchUp;
                    self.positions()
                }
                Stage::CatchUp => self.catch_up().await?,
                Stage::Live => match timeout_at(self.sent_at + HEARTBEAT_INTERVAL, self.events.recv()).await {
                    Err(_) => {
                        self.sent_at = Instant::now();
                        self.heartbeat(false)
                    }
                    Ok(Ok(event)) => self.receive(&event),
                    Ok(Err(RecvError::Lagged(_))) => {
                        self.stage = Stage::Positions;
                        String::new()
                    }
                    Ok(Err(RecvError::Closed)) => return None,
                },
            };
            if !text.is_empty() {
                self.sent_at = Instant::now();
                return Some(text);
            }
        }
    }

    /// Returns the positions of all pools.
    fn positions(&self) -> String {
        let mut text = String::new();
        if self.audience.has_positions() {
            for position in self.service.desk.positions() {
                self.write(&FeedEvent::from_position(&position), None, &mut text);
            }
        }
        text
    }

    /// Returns the entries after the cursor, a page at a time; `None` if the store cannot be read.
    async fn catch_up(&mut self) -> Option<String> {
        let page = self.service.desk.events(Some(&self.cursor), PAGE).await.ok()?;
        self.missed += page.entries.len();
        if self.audience.max_missed_entries().is_some_and(|max| self.missed > max) {
            (self.cursor, self.missed) = (EventCursor::unknown(), 0);
            return Some(String::new());
        }
        let mut text = String::new();
        if page.is_reset {
            self.write(&FeedEvent::reset(&page.cursor), Some(&page.cursor), &mut text);
            text.push_str(&self.positions());
        }
        let is_last = page.entries.is_empty();
        for entry in page.entries {
            let cursor = entry.cursor.clone();
            let event = match self.audience {
                Audience::Operator(_) => FeedEvent::from_entry(entry, &self.service.desk).await,
                Audience::Client(_) => FeedEvent::for_client(entry),
            };
            self.write(&event, Some(&cursor), &mut text);
        }
        self.cursor = page.cursor;
        if is_last {
            (self.stage, self.missed) = (Stage::Live, 0);
            text.push_str(&self.heartbeat(true));
        }
        Some(text)
    }

    /// Returns an event of the hub, unless the client has it already.
    fn receive(&mut self, event: &FeedEvent) -> String {
        let mut text = String::new();
        match &event.entry {
            Some((stream, cursor)) => {
                if cursor.position(*stream) > self.cursor.position(*stream) {
                    self.cursor = self.cursor.after_entry(*stream, cursor);
                    self.write(event, Some(&self.cursor), &mut text);
                }
            }
            None if event.kind == RESET => self.stage = Stage::CatchUp,
            None => self.write(event, None, &mut text),
        }
        text
    }

    fn write(&self, event: &FeedEvent, cursor: Option<&EventCursor>, text: &mut String) {
        self.audience.write(event, cursor, self.service.desk.clock.now(), text);
    }

    /// Returns a heartbeat: nothing while the store cannot be read, so that it states no more than is known.
    fn heartbeat(&self, is_first: bool) -> String {
        let mut text = String::new();
        if !is_first && !self.live.events().is_reading() {
            return text;
        }
        self.audience.write_heartbeat(&self.cursor, is_first, self.service.desk.clock.now(), &mut text);
        text
    }
}

/// Returns the cursor after the last entries.
async fn last_cursor(service: &ServiceSnapshot) -> Result<EventCursor, ApiError> {
    Ok(service.desk.events(None, 1).await.map_err(ApiError::Desk)?.cursor)
}

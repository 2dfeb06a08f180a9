//! The stream of one connection: what was missed since its cursor, then every event, until the service is replaced.

use std::{sync::Arc, time::Duration};

use firmquote_desk::EventCursor;
use tokio::{
    sync::broadcast::{Receiver, error::RecvError},
    time::{Instant, timeout_at},
};

use super::{
    event::{FeedEvent, RESET},
    hub::PAGE,
};
use crate::{
    error::ApiError,
    service::{LiveService, ServiceSnapshot},
};

/// The longest time without a line.
const MAX_SILENCE: Duration = Duration::from_secs(5);

/// Which events a stream has.
#[derive(Clone, Debug, Default)]
pub(crate) struct EventFilter {
    /// The kinds; all if there are none.
    pub(crate) kinds: Vec<&'static str>,
    /// The address of the pool; all if there is none.
    pub(crate) pool: Option<String>,
}

/// A stream of events. A slow client costs a place in the hub: it reads what it missed from the store.
pub(crate) struct EventConnection {
    live: Arc<LiveService>,
    service: Arc<ServiceSnapshot>,
    filter: EventFilter,
    events: Receiver<Arc<FeedEvent>>,
    cursor: EventCursor,
    stage: Stage,
    sent_at: Instant,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// The positions of all pools come first.
    Positions,
    /// Entries after the cursor are read from the store.
    CatchUp,
    Live,
}

impl EventFilter {
    fn includes(&self, event: &FeedEvent) -> bool {
        let is_kind = self.kinds.is_empty() || event.kind == RESET || self.kinds.iter().any(|kind| *kind == event.kind);
        is_kind && (event.pool.is_none() || self.pool.is_none() || event.pool == self.pool)
    }
}

impl EventConnection {
    /// Opens a stream of the events after a cursor; from now on without one.
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
            None => service.desk.events(None, 1).await.map_err(ApiError::Desk)?.cursor,
        };
        Ok(Self { live, service, filter, events, cursor, stage: Stage::Positions, sent_at: Instant::now() })
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
                Stage::Live => match timeout_at(self.sent_at + MAX_SILENCE, self.events.recv()).await {
                    Err(_) => ": nothing new\n\n".to_owned(),
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
        for position in self.service.desk.positions() {
            self.write(&FeedEvent::from_position(&position), None, &mut text);
        }
        text
    }

    /// Returns the entries after the cursor, a page at a time; `None` if the store cannot be read.
    async fn catch_up(&mut self) -> Option<String> {
        let page = self.service.desk.events(Some(&self.cursor), PAGE).await.ok()?;
        let mut text = String::new();
        if page.is_reset {
            self.write(&FeedEvent::reset(&page.cursor), Some(&page.cursor), &mut text);
            text.push_str(&self.positions());
        }
        if page.entries.is_empty() {
            self.stage = Stage::Live;
            text.push_str(": all until now\n\n");
        }
        for entry in page.entries {
            let cursor = entry.cursor.clone();
            let event = FeedEvent::from_entry(entry, &self.service.desk).await;
            self.write(&event, Some(&cursor), &mut text);
        }
        self.cursor = page.cursor;
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

    fn write(&self, event: &FeedEvent, id: Option<&EventCursor>, text: &mut String) {
        if self.filter.includes(event) {
            event.write_to(text, id);
        }
    }
}

//! An endpoint: the events that it has not received yet, one request after the other.

use std::time::{Duration, Instant};

use firmquote_config::WebhookConfig;
use firmquote_desk::EventCursor;
use firmquote_domain::Timestamp;
use firmquote_http::{LiveService, OperatorEvent, read_operator_events};
use firmquote_outbound::InvalidTls;
use firmquote_store::{Store, StoreError};
use prometheus::IntCounterVec;
use tokio::sync::Mutex;

use super::request::{Message, Poster};
use crate::supervise::Outage;

/// The outcomes of a request.
pub(super) const DELIVERED: &str = "delivered";
pub(super) const FAILED: &str = "failed";

/// The most events of each stream that are read at once, and the most in a request.
const MAX_EVENTS: usize = 100;

/// The delays between attempts: they double from the first to the longest.
const FIRST_DELAY: Duration = Duration::from_secs(1);
const MAX_DELAY: Duration = Duration::from_secs(900);

/// What an endpoint needs of the dispatcher.
#[derive(Clone, Copy)]
pub(super) struct DispatchContext<'d> {
    pub(super) live: &'d LiveService,
    pub(super) store: &'d dyn Store,
    /// Identifies the dispatcher, which holds the lease.
    pub(super) dispatcher: &'d str,
    /// Counts requests by endpoint and outcome.
    pub(super) deliveries: &'d IntCounterVec,
}

/// An endpoint and what is on its way to it.
pub(crate) struct WebhookEndpoint {
    poster: Poster,
    state: Mutex<DeliveryState>,
    outage: Outage<()>,
}

#[derive(Default)]
struct DeliveryState {
    /// The request that is repeated until it is accepted.
    pending: Option<Batch>,
    failures: u32,
    retry_at: Option<Instant>,
    /// Since when the endpoint lacks events; `None` while it has all.
    behind_since: Option<Instant>,
}

/// Events that are sent at once.
struct Batch {
    /// The position before them, and after them.
    after: EventCursor,
    until: EventCursor,
    message: Message,
}

/// What follows a position.
enum Next {
    /// Nothing.
    None,
    /// Only events that the endpoint does not receive.
    Skipped(EventCursor),
    Batch(Batch),
}

impl WebhookEndpoint {
    /// Creates the client of an endpoint; does not connect yet.
    ///
    /// # Errors
    /// [`InvalidTls`] for a URL with TLS when the system has no trusted certificate authorities.
    pub(super) fn new(config: WebhookConfig) -> Result<Self, InvalidTls> {
        Ok(Self { poster: Poster::new(config)?, state: Mutex::default(), outage: Outage::new() })
    }

    pub(super) fn name(&self) -> &str {
        &self.poster.config().name
    }

    /// Posts an event of the kind `test`.
    ///
    /// # Errors
    /// Why there is no response.
    pub(super) async fn test(&self, now: Timestamp) -> Result<u16, String> {
        let id = format!("test-{}", now.as_micros());
        let event = format!("{{\"event\":\"test\",\"id\":\"{id}\"}}");
        self.poster.post(&Message::new(id, &[event], now), now).await
    }

    /// Drops what is on its way: another replica dispatches.
    pub(super) async fn forget(&self) {
        *self.state.lock().await = DeliveryState::default();
    }

    /// Returns the time since the endpoint last had every event.
    pub(super) async fn lag(&self) -> Duration {
        self.state.lock().await.behind_since.map(|since| since.elapsed()).unwrap_or_default()
    }

    /// Sends what follows `position`, one request at most; a new endpoint begins now.
    ///
    /// # Errors
    /// [`StoreError`] when the store could not be reached.
    pub(super) async fn deliver(
        &self,
        context: DispatchContext<'_>,
        position: Option<&EventCursor>,
    ) -> Result<(), StoreError> {
        let mut state = self.state.lock().await;
        if state.retry_at.is_some_and(|retry_at| Instant::now() < retry_at) {
            return Ok(());
        }
        let Some(position) = position else {
            let end = context.store.events(None, 1).await?.cursor;
            context.store.store_delivered(context.dispatcher, self.name(), &end).await?;
            return Ok(());
        };
        let pending = state.pending.take().filter(|batch| batch.after == *position);
        let batch = match pending {
            Some(batch) => batch,
            None => match self.next(context, position).await? {
                Next::None => {
                    state.behind_since = None;
                    return Ok(());
                }
                Next::Skipped(until) => {
                    context.store.store_delivered(context.dispatcher, self.name(), &until).await?;
                    return Ok(());
                }
                Next::Batch(batch) => batch,
            },
        };
        state.behind_since.get_or_insert_with(Instant::now);
        let posted = self.poster.post(&batch.message, context.live.desk().clock.now()).await;
        let accepted = match posted {
            Ok(status) if (200..300).contains(&status) => Ok(()),
            Ok(status) => Err(format!("HTTP status {status}")),
            Err(error) => Err(error),
        };
        let outcome = if accepted.is_ok() { DELIVERED } else { FAILED };
        context.deliveries.with_label_values(&[self.name(), outcome]).inc();
        let is_accepted = accepted.is_ok();
        self.outage.record(
            accepted,
            |error| tracing::warn!(endpoint = self.name(), %error, "a webhook does not accept events: trying again"),
            || tracing::info!(endpoint = self.name(), "the webhook accepts events again"),
        );
        if is_accepted {
            (state.failures, state.retry_at) = (0, None);
            context.store.store_delivered(context.dispatcher, self.name(), &batch.until).await?;
        } else {
            let delay = FIRST_DELAY.saturating_mul(1 << state.failures.min(10)).min(MAX_DELAY);
            state.failures = state.failures.saturating_add(1);
            state.retry_at = Instant::now().checked_add(delay);
            state.pending = Some(batch);
        }
        Ok(())
    }

    async fn next(&self, context: DispatchContext<'_>, position: &EventCursor) -> Result<Next, StoreError> {
        let desk = context.live.desk();
        let page = read_operator_events(&desk, position, MAX_EVENTS / 2).await;
        let page = page.map_err(|error| StoreError::Unavailable(Box::new(error)))?;
        if page.events.is_empty() {
            return Ok(Next::None);
        }
        let kinds = &self.poster.config().kinds;
        let is_wanted = |event: &OperatorEvent| {
            kinds.is_empty() || event.kind == "reset" || kinds.iter().any(|kind| *kind == event.kind)
        };
        let events: Vec<String> = page.events.into_iter().filter(is_wanted).map(|event| event.json).collect();
        if events.is_empty() {
            return Ok(Next::Skipped(page.cursor));
        }
        let message = Message::new(page.cursor.to_string(), &events, desk.clock.now());
        Ok(Next::Batch(Batch { after: position.clone(), until: page.cursor, message }))
    }
}

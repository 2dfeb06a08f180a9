//! An endpoint: the events that it has not received yet, one request after the other.

use std::time::{Duration, Instant};

use firmquote_config::WebhookConfig;
use firmquote_desk::EventCursor;
use firmquote_domain::Timestamp;
use firmquote_http::{LiveService, OperatorEvent, read_operator_events};
use firmquote_outbound::InvalidTls;
use firmquote_store::{DISPATCH_LEASE_SECONDS, Store, StoreError};
use prometheus::IntCounterVec;
use tokio::sync::Mutex;

use super::request::{Message, TIMEOUT, WebhookClient};
use crate::supervise::Outage;

/// The outcomes of a request.
pub(super) const DELIVERED: &str = "delivered";
pub(super) const FAILED: &str = "failed";

/// The most entries of each of the two streams that are read at once.
const PAGE: usize = 50;

/// The delays between attempts: they double from the first to the longest.
const FIRST_DELAY: Duration = Duration::from_secs(1);
const MAX_DELAY: Duration = Duration::from_secs(900);

/// How long after it was granted a lease covers another request.
const LEASE_MARGIN: Duration = Duration::from_secs(DISPATCH_LEASE_SECONDS as u64).saturating_sub(TIMEOUT);

/// What an endpoint needs of the dispatcher.
#[derive(Clone, Copy)]
pub(super) struct DispatchContext<'d> {
    pub(super) live: &'d LiveService,
    pub(super) store: &'d dyn Store,
    /// Identifies the dispatcher among those of all replicas.
    pub(super) dispatcher: &'d str,
    /// Counts requests by endpoint and outcome.
    pub(super) deliveries: &'d IntCounterVec,
}

/// What a step of the delivery achieved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// There may be more to send.
    More,
    /// There is nothing to do for now.
    Idle,
}

/// An endpoint and what is on its way to it.
pub(crate) struct WebhookEndpoint {
    client: WebhookClient,
    state: Mutex<DeliveryState>,
    refusals: Outage<()>,
    store_outage: Outage<()>,
}

#[derive(Default)]
struct DeliveryState {
    /// The request that is repeated until it is accepted, and until its position is stored.
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
    /// `None` if the endpoint receives none of them.
    message: Option<Message>,
    /// Whether there may be more events after them.
    is_full: bool,
    is_accepted: bool,
}

impl WebhookEndpoint {
    /// Creates the client of an endpoint; does not connect yet.
    ///
    /// # Errors
    /// [`InvalidTls`] for a URL with TLS when the system has no trusted certificate authorities.
    pub(super) fn new(config: WebhookConfig) -> Result<Self, InvalidTls> {
        let (refusals, store_outage) = (Outage::new(), Outage::new());
        Ok(Self { client: WebhookClient::new(config)?, state: Mutex::default(), refusals, store_outage })
    }

    pub(super) fn name(&self) -> &str {
        &self.config().name
    }

    pub(super) const fn config(&self) -> &WebhookConfig {
        self.client.config()
    }

    /// Posts an event of the kind `test`.
    ///
    /// # Errors
    /// Why there is no response.
    pub(super) async fn test(&self, now: Timestamp) -> Result<u16, String> {
        let id = format!("test-{}", now.as_micros());
        let event = format!("{{\"event\":\"test\",\"id\":\"{id}\"}}");
        self.client.post(&Message::new(id, &[event], now), now).await
    }

    /// Returns the time since the endpoint last had every event.
    pub(super) async fn lag(&self) -> Duration {
        self.state.lock().await.behind_since.map(|since| since.elapsed()).unwrap_or_default()
    }

    /// Sends what the endpoint lacks, one request at most, if this dispatcher holds the lease. Logs outages of the store and
    /// of the endpoint once.
    pub(super) async fn advance(&self, context: DispatchContext<'_>) -> Progress {
        let advanced = self.try_advance(context).await;
        let progress = advanced.as_ref().map_or(Progress::Idle, |progress| *progress);
        self.store_outage.record(
            advanced.map(drop),
            |error| tracing::warn!(endpoint = self.name(), %error, "a webhook waits for the store"),
            || tracing::info!(endpoint = self.name(), "the store responds to a webhook again"),
        );
        progress
    }

    async fn try_advance(&self, context: DispatchContext<'_>) -> Result<Progress, StoreError> {
        let mut state = self.state.lock().await;
        let leased_at = Instant::now();
        let Some(mut positions) = context.store.lease_deliveries(context.dispatcher).await? else {
            *state = DeliveryState::default();
            return Ok(Progress::Idle);
        };
        if state.retry_at.is_some_and(|retry_at| leased_at < retry_at) {
            return Ok(Progress::Idle);
        }
        let Some(position) = positions.remove(self.name()) else {
            // A new endpoint begins now.
            let end = context.store.events(None, 1).await?.cursor;
            context.store.store_delivered(context.dispatcher, self.name(), &end).await?;
            return Ok(Progress::Idle);
        };
        if state.pending.as_ref().is_none_or(|batch| batch.after != position) {
            state.pending = self.next_batch(context, position).await?;
        }
        let DeliveryState { pending, failures, retry_at, behind_since } = &mut *state;
        let Some(batch) = pending else {
            *behind_since = None;
            return Ok(Progress::Idle);
        };
        behind_since.get_or_insert_with(Instant::now);
        if let (Some(message), false) = (&batch.message, batch.is_accepted) {
            if leased_at.elapsed() > LEASE_MARGIN {
                // Another dispatcher could begin before the request ends: renew the lease first.
                return Ok(Progress::More);
            }
            if !self.post(context, message).await {
                let delay = FIRST_DELAY.saturating_mul(1 << (*failures).min(10)).min(MAX_DELAY);
                *failures = failures.saturating_add(1);
                *retry_at = Instant::now().checked_add(delay);
                return Ok(Progress::Idle);
            }
            batch.is_accepted = true;
        }
        (*failures, *retry_at) = (0, None);
        let is_full = batch.is_full;
        if !context.store.store_delivered(context.dispatcher, self.name(), &batch.until).await? {
            *state = DeliveryState::default();
            return Ok(Progress::Idle);
        }
        state.pending = None;
        if is_full {
            return Ok(Progress::More);
        }
        state.behind_since = None;
        Ok(Progress::Idle)
    }

    /// Posts a message, counts it, and returns whether it was accepted.
    async fn post(&self, context: DispatchContext<'_>, message: &Message) -> bool {
        let response = self.client.post(message, context.live.desk().clock.now()).await;
        let accepted = match response {
            Ok(200..300) => Ok(()),
            Ok(status) => Err(format!("HTTP status {status}")),
            Err(error) => Err(error),
        };
        let is_accepted = accepted.is_ok();
        let outcome = if is_accepted { DELIVERED } else { FAILED };
        context.deliveries.with_label_values(&[self.name(), outcome]).inc();
        self.refusals.record(
            accepted,
            |error| tracing::warn!(endpoint = self.name(), %error, "a webhook does not accept events: trying again"),
            || tracing::info!(endpoint = self.name(), "the webhook accepts events again"),
        );
        is_accepted
    }

    /// Returns what follows a position; `None` if nothing does.
    async fn next_batch(&self, context: DispatchContext<'_>, after: EventCursor) -> Result<Option<Batch>, StoreError> {
        let desk = context.live.desk();
        let page = read_operator_events(&desk, &after, PAGE).await;
        let page = page.map_err(|error| StoreError::Unavailable(Box::new(error)))?;
        if page.events.is_empty() {
            return Ok(None);
        }
        let is_full = page.events.len() >= PAGE;
        let kinds = &self.config().kinds;
        let is_wanted = |event: &OperatorEvent| {
            kinds.is_empty() || event.is_reset() || kinds.iter().any(|kind| *kind == event.kind)
        };
        let events: Vec<String> = page.events.into_iter().filter(is_wanted).map(|event| event.json).collect();
        let id = page.cursor.to_string();
        let message = (!events.is_empty()).then(|| Message::new(id, &events, desk.clock.now()));
        Ok(Some(Batch { after, until: page.cursor, message, is_full, is_accepted: false }))
    }
}

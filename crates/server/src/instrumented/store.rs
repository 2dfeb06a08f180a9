//! The instrumented store.

use std::{sync::Arc, time::Instant};

use async_trait::async_trait;
use firmquote_domain::{Client, Quote, QuoteId, SignedQuote, SignedSwap, SwapOutcome, Terms, Timestamp};
use firmquote_http::SPAN_TARGET;
use firmquote_store::{
    ClaimOutcome, CommitOutcome, Commitment, QuoteRecord, QuoteStore, StoreError, VolumeCharge, VolumeOutcome,
};
use prometheus::Registry;
use tracing::{Instrument as _, Span, field::Empty};

use super::{Families, Series};

/// The calls, in the order of their declaration.
#[derive(Clone, Copy)]
enum Call {
    Insert,
    Find,
    Claim,
    Release,
    Record,
    InsertSigned,
    SetOutcome,
    Spend,
    Commit,
    Ping,
}

const CALLS: [&str; 10] =
    ["insert", "find", "claim", "release", "record", "insert_signed", "set_outcome", "spend", "commit", "ping"];
/// A ping, the last call, belongs to no request and has no span.
const SPAN_NAMES: [&str; 9] = [
    "store insert",
    "store find",
    "store claim",
    "store release",
    "store record",
    "store insert_signed",
    "store set_outcome",
    "store spend",
    "store commit",
];

/// A store whose calls are counted and timed.
pub(crate) struct InstrumentedStore {
    store: Arc<dyn QuoteStore>,
    series: [Series; CALLS.len()],
}

impl InstrumentedStore {
    /// Instruments `store` and registers its metrics in `registry`.
    ///
    /// # Errors
    /// When a metric of the same name is already registered; a bug.
    pub(crate) fn new(store: Arc<dyn QuoteStore>, registry: &Registry) -> prometheus::Result<Self> {
        let families = Families::new(
            registry,
            "call",
            ["firmquote_store_call_duration_seconds", "Duration of a store call."],
            ["firmquote_store_call_failures_total", "Failed store calls."],
        )?;
        Ok(Self { store, series: CALLS.map(|call| families.series(call)) })
    }

    async fn watch<T>(&self, call: Call, work: impl Future<Output = Result<T, StoreError>>) -> Result<T, StoreError> {
        let span = match SPAN_NAMES.get(call as usize) {
            Some(name) => tracing::info_span!(target: SPAN_TARGET, "store", otel.name = name, otel.status_code = Empty),
            None => Span::none(),
        };
        let started = Instant::now();
        let done = work.instrument(span.clone()).await;
        let Some(series) = self.series.get(call as usize) else { return done };
        series.durations.observe(started.elapsed().as_secs_f64());
        let is_answer = |error: &StoreError| {
            matches!(error, StoreError::OtherTerms | StoreError::Unclaimed | StoreError::ClientFull { .. })
        };
        if done.as_ref().is_err_and(|error| !is_answer(error)) {
            series.failures.inc();
            span.record("otel.status_code", "ERROR");
        }
        done
    }
}

#[async_trait]
impl QuoteStore for InstrumentedStore {
    async fn insert(&self, quote: &Quote, now: Timestamp) -> Result<(), StoreError> {
        self.watch(Call::Insert, self.store.insert(quote, now)).await
    }

    async fn find(&self, id: QuoteId, now: Timestamp) -> Result<Option<QuoteRecord>, StoreError> {
        self.watch(Call::Find, self.store.find(id, now)).await
    }

    async fn claim(
        &self,
        id: QuoteId,
        client: &Client,
        terms: &Terms,
        now: Timestamp,
    ) -> Result<ClaimOutcome, StoreError> {
        self.watch(Call::Claim, self.store.claim(id, client, terms, now)).await
    }

    async fn release(&self, id: QuoteId, terms: &Terms) -> Result<(), StoreError> {
        self.watch(Call::Release, self.store.release(id, terms)).await
    }

    async fn record(&self, signed: SignedQuote, now: Timestamp) -> Result<SignedQuote, StoreError> {
        self.watch(Call::Record, self.store.record(signed, now)).await
    }

    async fn insert_signed(&self, signed: SignedQuote, now: Timestamp) -> Result<SignedQuote, StoreError> {
        self.watch(Call::InsertSigned, self.store.insert_signed(signed, now)).await
    }

    async fn set_outcome(
        &self,
        swap: &SignedSwap,
        outcome: Option<SwapOutcome>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.watch(Call::SetOutcome, self.store.set_outcome(swap, outcome, now)).await
    }

    async fn charge_volume(&self, spending: &VolumeCharge, now: Timestamp) -> Result<VolumeOutcome, StoreError> {
        self.watch(Call::Spend, self.store.charge_volume(spending, now)).await
    }

    fn supports_commit(&self) -> bool {
        self.store.supports_commit()
    }

    async fn commit(&self, commitment: &Commitment<'_>, now: Timestamp) -> Result<CommitOutcome, StoreError> {
        self.watch(Call::Commit, self.store.commit(commitment, now)).await
    }

    fn check_capacity(&self, client: &Client, now: Timestamp) -> Result<(), StoreError> {
        self.store.check_capacity(client, now)
    }

    fn has_clock(&self) -> bool {
        self.store.has_clock()
    }

    async fn ping(&self, now: Timestamp) -> Result<(), StoreError> {
        self.watch(Call::Ping, self.store.ping(now)).await
    }
}

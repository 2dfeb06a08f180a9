//! Stores wrapped in a layer: the one place that forwards every call, for layers that measure, delay or fail some of
//! them.

use std::{collections::BTreeMap, sync::Arc};

use async_trait::async_trait;
use firmquote_domain::{
    Client, FirmLevels, Hedge, LevelsId, PoolId, Quote, QuoteId, SignedQuote, SignedSwap, SwapOutcome, Terms, Timestamp,
};

use crate::{
    Actor, BookChange, BookUpdate, BookVersion, CommitOutcome, Commitment, EventCursor, EventPage, HedgeOutcome,
    LevelBudget, LevelsLookup, Occupancy, OpenOutcome, OperatorEntry, PausedPools, PoolSample, PrepareOutcome,
    QuoteRecord, Reservation, ReservationOutcome, Store, StoreError, SwapPage, SwapRange, Trip,
};

/// The calls of a [`Store`] that pass through a layer, each named after its method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the methods are documented")]
pub enum StoreCall {
    Insert,
    Find,
    Open,
    Prepare,
    Commit,
    SetOutcome,
    SignedSwaps,
    ApplyChanges,
    ChangesSince,
    SigningDelaySeconds,
    StoreLevels,
    FindLevels,
    Reserve,
    SetReservedUntil,
    SetPaused,
    SetRevoked,
    Paused,
    Trip,
    EndTrip,
    AppendEntry,
    StoreHedge,
    StoreSample,
    Samples,
    Events,
    LeaseDeliveries,
    StoreDelivered,
    Estimates,
    StoreEstimates,
    Ping,
}

impl StoreCall {
    /// All calls, in the order of their declaration.
    pub const ALL: [Self; 29] = [
        Self::Insert,
        Self::Find,
        Self::Open,
        Self::Prepare,
        Self::Commit,
        Self::SetOutcome,
        Self::SignedSwaps,
        Self::ApplyChanges,
        Self::ChangesSince,
        Self::SigningDelaySeconds,
        Self::StoreLevels,
        Self::FindLevels,
        Self::Reserve,
        Self::SetReservedUntil,
        Self::SetPaused,
        Self::SetRevoked,
        Self::Paused,
        Self::Trip,
        Self::EndTrip,
        Self::AppendEntry,
        Self::StoreHedge,
        Self::StoreSample,
        Self::Samples,
        Self::Events,
        Self::LeaseDeliveries,
        Self::StoreDelivered,
        Self::Estimates,
        Self::StoreEstimates,
        Self::Ping,
    ];
}

/// Middleware around the asynchronous calls of a store.
pub trait StoreLayer: Send + Sync {
    /// Returns the result of `work`, the future of `call`. The store is not called before `work` is polled.
    ///
    /// # Errors
    /// Those of the call, and those of the layer.
    fn around<T: Send + 'static>(
        &self,
        call: StoreCall,
        work: impl Future<Output = Result<T, StoreError>> + Send,
    ) -> impl Future<Output = Result<T, StoreError>> + Send;

    /// Whether other replicas use the store, of which the store itself says `is_shared`: a layer may connect them.
    fn is_shared(&self, is_shared: bool) -> bool {
        is_shared
    }
}

/// A function that runs before each call, and refuses it by returning an error.
impl<F: Fn(StoreCall) -> Result<(), StoreError> + Send + Sync> StoreLayer for F {
    async fn around<T: Send + 'static>(
        &self,
        call: StoreCall,
        work: impl Future<Output = Result<T, StoreError>> + Send,
    ) -> Result<T, StoreError> {
        self(call)?;
        work.await
    }
}

/// A store whose asynchronous calls pass through a layer; all others go straight to the store.
#[derive(Debug)]
pub struct LayeredStore<S: ?Sized, L> {
    /// The layer.
    pub layer: L,
    /// The store.
    pub store: Arc<S>,
}

#[async_trait]
impl<S: Store + ?Sized, L: StoreLayer> Store for LayeredStore<S, L> {
    async fn insert(&self, quote: &Quote, now: Timestamp) -> Result<(), StoreError> {
        self.layer.around(StoreCall::Insert, self.store.insert(quote, now)).await
    }

    async fn find(&self, id: QuoteId, now: Timestamp) -> Result<Option<QuoteRecord>, StoreError> {
        self.layer.around(StoreCall::Find, self.store.find(id, now)).await
    }

    async fn open(
        &self,
        id: QuoteId,
        client: &Client,
        terms: &Terms,
        now: Timestamp,
    ) -> Result<OpenOutcome, StoreError> {
        self.layer.around(StoreCall::Open, self.store.open(id, client, terms, now)).await
    }

    async fn prepare(&self, commitment: &Commitment<'_>, now: Timestamp) -> Result<PrepareOutcome, StoreError> {
        self.layer.around(StoreCall::Prepare, self.store.prepare(commitment, now)).await
    }

    async fn commit(
        &self,
        commitment: &Commitment<'_>,
        signed: SignedQuote,
        now: Timestamp,
    ) -> Result<CommitOutcome, StoreError> {
        self.layer.around(StoreCall::Commit, self.store.commit(commitment, signed, now)).await
    }

    async fn set_outcome(
        &self,
        swap: &SignedSwap,
        outcome: Option<SwapOutcome>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.layer.around(StoreCall::SetOutcome, self.store.set_outcome(swap, outcome, now)).await
    }

    async fn signed_swaps(&self, client: &Client, range: &SwapRange, now: Timestamp) -> Result<SwapPage, StoreError> {
        self.layer.around(StoreCall::SignedSwaps, self.store.signed_swaps(client, range, now)).await
    }

    async fn apply_changes(&self, pool: PoolId, changes: &[BookChange], now: Timestamp) -> Result<(), StoreError> {
        self.layer.around(StoreCall::ApplyChanges, self.store.apply_changes(pool, changes, now)).await
    }

    async fn changes_since(
        &self,
        pool: PoolId,
        version: Option<BookVersion>,
        now: Timestamp,
    ) -> Result<BookUpdate, StoreError> {
        self.layer.around(StoreCall::ChangesSince, self.store.changes_since(pool, version, now)).await
    }

    async fn signing_delay_seconds(
        &self,
        pool: PoolId,
        max_lifetime_seconds: u32,
        is_observed: bool,
        now: Timestamp,
    ) -> Result<u32, StoreError> {
        self.layer
            .around(
                StoreCall::SigningDelaySeconds,
                self.store.signing_delay_seconds(pool, max_lifetime_seconds, is_observed, now),
            )
            .await
    }

    async fn store_levels(&self, levels: &FirmLevels, renewal: bool, now: Timestamp) -> Result<bool, StoreError> {
        self.layer.around(StoreCall::StoreLevels, self.store.store_levels(levels, renewal, now)).await
    }

    async fn find_levels(&self, pool: PoolId, id: LevelsId, now: Timestamp) -> Result<LevelsLookup, StoreError> {
        self.layer.around(StoreCall::FindLevels, self.store.find_levels(pool, id, now)).await
    }

    async fn reserve(&self, reservation: &Reservation<'_>, now: Timestamp) -> Result<ReservationOutcome, StoreError> {
        self.layer.around(StoreCall::Reserve, self.store.reserve(reservation, now)).await
    }

    async fn set_reserved_until(
        &self,
        budget: &LevelBudget,
        quote_id: QuoteId,
        until: Timestamp,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        self.layer
            .around(StoreCall::SetReservedUntil, self.store.set_reserved_until(budget, quote_id, until, now))
            .await
    }

    async fn set_paused(
        &self,
        pool: PoolId,
        is_paused: bool,
        entry: Option<&OperatorEntry>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.layer.around(StoreCall::SetPaused, self.store.set_paused(pool, is_paused, entry, now)).await
    }

    async fn trip(&self, trip: &Trip, entry: Option<&OperatorEntry>) -> Result<bool, StoreError> {
        self.layer.around(StoreCall::Trip, self.store.trip(trip, entry)).await
    }

    async fn end_trip(&self, trip: &Trip, entry: &OperatorEntry) -> Result<bool, StoreError> {
        self.layer.around(StoreCall::EndTrip, self.store.end_trip(trip, entry)).await
    }

    async fn append_entry(&self, entry: &OperatorEntry) -> Result<(), StoreError> {
        self.layer.around(StoreCall::AppendEntry, self.store.append_entry(entry)).await
    }

    async fn store_hedge(
        &self,
        hedge: &Hedge,
        actor: Option<&Actor>,
        now: Timestamp,
    ) -> Result<HedgeOutcome, StoreError> {
        self.layer.around(StoreCall::StoreHedge, self.store.store_hedge(hedge, actor, now)).await
    }

    async fn store_sample(&self, pool: PoolId, sample: &PoolSample) -> Result<(), StoreError> {
        self.layer.around(StoreCall::StoreSample, self.store.store_sample(pool, sample)).await
    }

    async fn samples(&self, pool: PoolId, since: Timestamp) -> Result<Vec<PoolSample>, StoreError> {
        self.layer.around(StoreCall::Samples, self.store.samples(pool, since)).await
    }

    async fn set_revoked(
        &self,
        credential: &str,
        is_revoked: bool,
        entry: Option<&OperatorEntry>,
    ) -> Result<(), StoreError> {
        self.layer.around(StoreCall::SetRevoked, self.store.set_revoked(credential, is_revoked, entry)).await
    }

    async fn paused(&self) -> Result<PausedPools, StoreError> {
        self.layer.around(StoreCall::Paused, self.store.paused()).await
    }

    async fn events(&self, after: Option<&EventCursor>, count: usize) -> Result<EventPage, StoreError> {
        self.layer.around(StoreCall::Events, self.store.events(after, count)).await
    }

    async fn lease_deliveries(&self, dispatcher: &str) -> Result<Option<BTreeMap<String, EventCursor>>, StoreError> {
        self.layer.around(StoreCall::LeaseDeliveries, self.store.lease_deliveries(dispatcher)).await
    }

    async fn store_delivered(&self, dispatcher: &str, endpoint: &str, until: &EventCursor) -> Result<bool, StoreError> {
        self.layer.around(StoreCall::StoreDelivered, self.store.store_delivered(dispatcher, endpoint, until)).await
    }

    async fn estimates(&self) -> Result<BTreeMap<String, String>, StoreError> {
        self.layer.around(StoreCall::Estimates, self.store.estimates()).await
    }

    async fn store_estimates(&self, estimates: &BTreeMap<String, String>, now: Timestamp) -> Result<(), StoreError> {
        self.layer.around(StoreCall::StoreEstimates, self.store.store_estimates(estimates, now)).await
    }

    async fn ping(&self, now: Timestamp) -> Result<(), StoreError> {
        self.layer.around(StoreCall::Ping, self.store.ping(now)).await
    }

    async fn changed(&self) {
        self.store.changed().await;
    }

    fn retains_pauses(&self) -> bool {
        self.store.retains_pauses()
    }

    fn is_shared(&self) -> bool {
        self.layer.is_shared(self.store.is_shared())
    }

    fn has_clock(&self) -> bool {
        self.store.has_clock()
    }

    fn check_capacity(&self, client: &Client, now: Timestamp) -> Result<(), StoreError> {
        self.store.check_capacity(client, now)
    }

    fn occupancy(&self) -> Option<Occupancy> {
        self.store.occupancy()
    }
}

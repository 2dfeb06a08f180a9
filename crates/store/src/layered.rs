//! Stores wrapped in a layer: the one place that forwards every call, for layers that measure, delay or fail some of
//! them.

use std::sync::Arc;

use async_trait::async_trait;
use firmquote_domain::{Client, Quote, QuoteId, SignedQuote, SignedSwap, SwapOutcome, Terms, Timestamp};

use crate::{
    ClaimOutcome, CommitOutcome, Commitment, Occupancy, QuoteRecord, QuoteStore, StoreError, VolumeCharge,
    VolumeOutcome,
};

/// The asynchronous calls of a [`QuoteStore`], each named after its method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the methods are documented")]
pub enum StoreCall {
    Insert,
    Find,
    Claim,
    Release,
    Record,
    InsertSigned,
    SetOutcome,
    ChargeVolume,
    Commit,
    Ping,
}

impl StoreCall {
    /// All calls, in the order of their declaration.
    pub const ALL: [Self; 10] = [
        Self::Insert,
        Self::Find,
        Self::Claim,
        Self::Release,
        Self::Record,
        Self::InsertSigned,
        Self::SetOutcome,
        Self::ChargeVolume,
        Self::Commit,
        Self::Ping,
    ];
}

/// Middleware around the asynchronous calls of a store.
pub trait StoreLayer: Send + Sync {
    /// Returns the result of `work`, the future of `call`. The store is not called before `work` is polled.
    ///
    /// # Errors
    /// Those of the call, and those of the layer.
    fn around<T: Send>(
        &self,
        call: StoreCall,
        work: impl Future<Output = Result<T, StoreError>> + Send,
    ) -> impl Future<Output = Result<T, StoreError>> + Send;
}

/// A function that runs before each call, and refuses it by returning an error.
impl<F: Fn(StoreCall) -> Result<(), StoreError> + Send + Sync> StoreLayer for F {
    async fn around<T: Send>(
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
impl<S: QuoteStore + ?Sized, L: StoreLayer> QuoteStore for LayeredStore<S, L> {
    async fn insert(&self, quote: &Quote, now: Timestamp) -> Result<(), StoreError> {
        self.layer.around(StoreCall::Insert, self.store.insert(quote, now)).await
    }

    async fn find(&self, id: QuoteId, now: Timestamp) -> Result<Option<QuoteRecord>, StoreError> {
        self.layer.around(StoreCall::Find, self.store.find(id, now)).await
    }

    async fn claim(
        &self,
        id: QuoteId,
        client: &Client,
        terms: &Terms,
        now: Timestamp,
    ) -> Result<ClaimOutcome, StoreError> {
        self.layer.around(StoreCall::Claim, self.store.claim(id, client, terms, now)).await
    }

    async fn release(&self, id: QuoteId, terms: &Terms) -> Result<(), StoreError> {
        self.layer.around(StoreCall::Release, self.store.release(id, terms)).await
    }

    async fn record(&self, signed: SignedQuote, now: Timestamp) -> Result<SignedQuote, StoreError> {
        self.layer.around(StoreCall::Record, self.store.record(signed, now)).await
    }

    async fn insert_signed(&self, signed: SignedQuote, now: Timestamp) -> Result<SignedQuote, StoreError> {
        self.layer.around(StoreCall::InsertSigned, self.store.insert_signed(signed, now)).await
    }

    async fn set_outcome(
        &self,
        swap: &SignedSwap,
        outcome: Option<SwapOutcome>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.layer.around(StoreCall::SetOutcome, self.store.set_outcome(swap, outcome, now)).await
    }

    async fn charge_volume(&self, charge: &VolumeCharge, now: Timestamp) -> Result<VolumeOutcome, StoreError> {
        self.layer.around(StoreCall::ChargeVolume, self.store.charge_volume(charge, now)).await
    }

    fn supports_commit(&self) -> bool {
        self.store.supports_commit()
    }

    async fn commit(&self, commitment: &Commitment<'_>, now: Timestamp) -> Result<CommitOutcome, StoreError> {
        self.layer.around(StoreCall::Commit, self.store.commit(commitment, now)).await
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

    async fn ping(&self, now: Timestamp) -> Result<(), StoreError> {
        self.layer.around(StoreCall::Ping, self.store.ping(now)).await
    }
}

//! Failing and slow stores, and a signing service that does not respond.

use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use firmquote_domain::{
    Address, Client, Quote, QuoteId, Signature, SignedQuote, SignedSwap, SwapOutcome, Terms, Timestamp,
};
use firmquote_signer::{Signer, SignerError, TypedMessage};
use firmquote_store::{ClaimOutcome, MemoryStore, QuoteRecord, QuoteStore, StoreError, VolumeCharge, VolumeOutcome};
use tokio::sync::Semaphore;

fn unavailable() -> StoreError {
    StoreError::Unavailable("redis://user:hunter2@10.0.0.7 is on fire".into())
}

/// A store that is unavailable.
pub(crate) struct BrokenStore;

#[async_trait]
impl QuoteStore for BrokenStore {
    async fn insert(&self, _: &Quote, _: Timestamp) -> Result<(), StoreError> {
        Err(unavailable())
    }

    async fn find(&self, _: QuoteId, _: Timestamp) -> Result<Option<QuoteRecord>, StoreError> {
        Err(unavailable())
    }

    async fn claim(&self, _: QuoteId, _: &Client, _: &Terms, _: Timestamp) -> Result<ClaimOutcome, StoreError> {
        Err(unavailable())
    }

    async fn release(&self, _: QuoteId, _: &Terms) -> Result<(), StoreError> {
        Err(unavailable())
    }

    async fn record(&self, _: SignedQuote, _: Timestamp) -> Result<SignedQuote, StoreError> {
        Err(unavailable())
    }

    async fn insert_signed(&self, _: SignedQuote, _: Timestamp) -> Result<SignedQuote, StoreError> {
        Err(unavailable())
    }

    async fn set_outcome(&self, _: &SignedSwap, _: Option<SwapOutcome>, _: Timestamp) -> Result<(), StoreError> {
        Err(unavailable())
    }

    async fn charge_volume(&self, _: &VolumeCharge, _: Timestamp) -> Result<VolumeOutcome, StoreError> {
        Err(unavailable())
    }

    async fn ping(&self, _: Timestamp) -> Result<(), StoreError> {
        Err(unavailable())
    }
}

/// A store that panics when it stores a quote.
pub(crate) struct PanickingStore;

#[async_trait]
impl QuoteStore for PanickingStore {
    async fn insert(&self, _: &Quote, _: Timestamp) -> Result<(), StoreError> {
        panic!("the secret of the store")
    }

    async fn find(&self, id: QuoteId, _: Timestamp) -> Result<Option<QuoteRecord>, StoreError> {
        panic!("the secret of quote {id}")
    }

    async fn claim(&self, id: QuoteId, _: &Client, _: &Terms, _: Timestamp) -> Result<ClaimOutcome, StoreError> {
        panic!("the secret of quote {id}")
    }

    async fn release(&self, _: QuoteId, _: &Terms) -> Result<(), StoreError> {
        Ok(())
    }

    async fn record(&self, signed: SignedQuote, _: Timestamp) -> Result<SignedQuote, StoreError> {
        Ok(signed)
    }

    async fn insert_signed(&self, signed: SignedQuote, _: Timestamp) -> Result<SignedQuote, StoreError> {
        Ok(signed)
    }

    async fn set_outcome(&self, _: &SignedSwap, _: Option<SwapOutcome>, _: Timestamp) -> Result<(), StoreError> {
        Err(unavailable())
    }

    async fn charge_volume(&self, _: &VolumeCharge, _: Timestamp) -> Result<VolumeOutcome, StoreError> {
        Ok(VolumeOutcome::Within)
    }

    async fn ping(&self, _: Timestamp) -> Result<(), StoreError> {
        Ok(())
    }
}

/// A store that stores a quote only once the gate admits it, and counts its pings.
pub(crate) struct GatedStore {
    pub(crate) inner: MemoryStore,
    /// A permit for each call that arrived.
    pub(crate) arrived: Semaphore,
    /// A permit for each call that may continue.
    pub(crate) gate: Semaphore,
    pub(crate) pings: AtomicUsize,
}

impl GatedStore {
    /// Creates a store with this capacity and a closed gate.
    pub(crate) fn with_room_for(quotes: usize) -> Self {
        let closed = || Semaphore::new(0);
        Self { inner: MemoryStore::new(quotes), arrived: closed(), gate: closed(), pings: AtomicUsize::new(0) }
    }
}

#[async_trait]
impl QuoteStore for GatedStore {
    async fn insert(&self, quote: &Quote, now: Timestamp) -> Result<(), StoreError> {
        self.arrived.add_permits(1);
        self.gate.acquire().await.unwrap().forget();
        self.inner.insert(quote, now).await
    }

    async fn find(&self, id: QuoteId, now: Timestamp) -> Result<Option<QuoteRecord>, StoreError> {
        self.inner.find(id, now).await
    }

    async fn claim(
        &self,
        id: QuoteId,
        client: &Client,
        terms: &Terms,
        now: Timestamp,
    ) -> Result<ClaimOutcome, StoreError> {
        self.inner.claim(id, client, terms, now).await
    }

    async fn release(&self, id: QuoteId, terms: &Terms) -> Result<(), StoreError> {
        self.inner.release(id, terms).await
    }

    async fn record(&self, signed: SignedQuote, now: Timestamp) -> Result<SignedQuote, StoreError> {
        self.inner.record(signed, now).await
    }

    async fn insert_signed(&self, signed: SignedQuote, now: Timestamp) -> Result<SignedQuote, StoreError> {
        self.inner.insert_signed(signed, now).await
    }

    async fn set_outcome(
        &self,
        swap: &SignedSwap,
        outcome: Option<SwapOutcome>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.inner.set_outcome(swap, outcome, now).await
    }

    async fn charge_volume(&self, charge: &VolumeCharge, now: Timestamp) -> Result<VolumeOutcome, StoreError> {
        self.inner.charge_volume(charge, now).await
    }

    async fn ping(&self, now: Timestamp) -> Result<(), StoreError> {
        self.pings.fetch_add(1, Ordering::SeqCst);
        self.inner.ping(now).await
    }
}

/// A signing service that does not respond.
pub(crate) struct BrokenSigner;

#[async_trait]
impl Signer for BrokenSigner {
    fn address(&self) -> Address {
        Address::repeat_byte(7)
    }

    async fn sign(&self, _: &TypedMessage) -> Result<Signature, SignerError> {
        Err(SignerError::Unavailable { source: "kms://hunter2 is on fire".into() })
    }

    async fn check(&self) -> Result<(), SignerError> {
        Err(SignerError::Unavailable { source: "kms://hunter2 is on fire".into() })
    }
}

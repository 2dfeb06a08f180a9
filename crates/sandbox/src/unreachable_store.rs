//! A store that is always unreachable.

use async_trait::async_trait;
use firmquote_domain::{Client, Quote, QuoteId, SignedQuote, SignedSwap, SwapOutcome, Terms, Timestamp};
use firmquote_store::{ClaimOutcome, QuoteRecord, QuoteStore, StoreError, VolumeCharge, VolumeOutcome};

/// A store whose every call fails, as if the network were down.
pub(crate) struct UnreachableStore;

fn unreachable<T>() -> Result<T, StoreError> {
    Err(StoreError::Unavailable("the sandbox was asked for a store that cannot be reached".into()))
}

#[async_trait]
impl QuoteStore for UnreachableStore {
    async fn insert(&self, _: &Quote, _: Timestamp) -> Result<(), StoreError> {
        unreachable()
    }

    async fn find(&self, _: QuoteId, _: Timestamp) -> Result<Option<QuoteRecord>, StoreError> {
        unreachable()
    }

    async fn claim(&self, _: QuoteId, _: &Client, _: &Terms, _: Timestamp) -> Result<ClaimOutcome, StoreError> {
        unreachable()
    }

    async fn release(&self, _: QuoteId, _: &Terms) -> Result<(), StoreError> {
        unreachable()
    }

    async fn record(&self, _: SignedQuote, _: Timestamp) -> Result<SignedQuote, StoreError> {
        unreachable()
    }

    async fn insert_signed(&self, _: SignedQuote, _: Timestamp) -> Result<SignedQuote, StoreError> {
        unreachable()
    }

    async fn set_outcome(&self, _: &SignedSwap, _: Option<SwapOutcome>, _: Timestamp) -> Result<(), StoreError> {
        unreachable()
    }

    async fn charge_volume(&self, _: &VolumeCharge, _: Timestamp) -> Result<VolumeOutcome, StoreError> {
        unreachable()
    }

    async fn ping(&self, _: Timestamp) -> Result<(), StoreError> {
        unreachable()
    }
}

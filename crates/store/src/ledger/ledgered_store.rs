//! A store decorated with a ledger file.

use std::sync::Arc;

use async_trait::async_trait;
use firmquote_domain::{Client, Quote, QuoteId, SignedQuote, SignedSwap, SwapOutcome, Terms, Timestamp};

use super::{LedgerFile, line, outcome_line};
use crate::{ClaimOutcome, Occupancy, QuoteRecord, QuoteStore, StoreError, VolumeCharge, VolumeOutcome};

/// A store whose signatures are appended to a ledger file before they are recorded, and so before they leave the
/// service; likewise the outcomes of their swaps.
#[derive(Debug)]
pub struct LedgeredStore<S> {
    /// The store of the quotes.
    pub store: Arc<S>,
    /// The ledger of the signatures.
    pub ledger: LedgerFile,
}

impl<S> LedgeredStore<S> {
    async fn append(&self, line: serde_json::Result<String>) -> Result<(), StoreError> {
        self.ledger.append(line.map_err(|error| StoreError::Unavailable(Box::new(error)))?).await
    }
}

#[async_trait]
impl<S: QuoteStore> QuoteStore for LedgeredStore<S> {
    async fn insert(&self, quote: &Quote, now: Timestamp) -> Result<(), StoreError> {
        self.store.insert(quote, now).await
    }

    async fn find(&self, id: QuoteId, now: Timestamp) -> Result<Option<QuoteRecord>, StoreError> {
        self.store.find(id, now).await
    }

    async fn claim(
        &self,
        id: QuoteId,
        client: &Client,
        terms: &Terms,
        now: Timestamp,
    ) -> Result<ClaimOutcome, StoreError> {
        self.store.claim(id, client, terms, now).await
    }

    async fn release(&self, id: QuoteId, terms: &Terms) -> Result<(), StoreError> {
        self.store.release(id, terms).await
    }

    async fn record(&self, signed: SignedQuote, now: Timestamp) -> Result<SignedQuote, StoreError> {
        self.append(line(&signed)).await?;
        self.store.record(signed, now).await
    }

    async fn insert_signed(&self, signed: SignedQuote, now: Timestamp) -> Result<SignedQuote, StoreError> {
        self.append(line(&signed)).await?;
        self.store.insert_signed(signed, now).await
    }

    async fn set_outcome(
        &self,
        swap: &SignedSwap,
        outcome: Option<SwapOutcome>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let found = self.store.find(swap.quote_id, now).await?;
        // A swap from before the start is in the ledger only.
        if found.is_none_or(|found| found.outcome != outcome) {
            self.append(outcome_line(swap, outcome, now)).await?;
            self.store.set_outcome(swap, outcome, now).await?;
        }
        Ok(())
    }

    async fn charge_volume(&self, charge: &VolumeCharge, now: Timestamp) -> Result<VolumeOutcome, StoreError> {
        self.store.charge_volume(charge, now).await
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
        self.ledger.ping().await?;
        self.store.ping(now).await
    }
}

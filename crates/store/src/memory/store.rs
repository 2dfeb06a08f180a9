//! The implementation of [`Store`] in memory.

use std::{collections::BTreeMap, sync::Arc};

use async_trait::async_trait;
use firmquote_domain::{
    Client, FirmLevels, Hedge, LevelsId, PoolId, Quote, QuoteId, SignedQuote, SignedSwap, SwapOutcome, Terms, Timestamp,
};

use super::{MemoryStore, SWEEP_PER_INSERT};
use crate::{
    Actor, BookChange, BookUpdate, BookVersion, CommitOutcome, Commitment, EventCursor, EventPage, HedgeOutcome,
    LevelBudget, LevelsLookup, Occupancy, OpenOutcome, OperatorEntry, PausedPools, PoolSample, PrepareOutcome,
    QuoteRecord, Reservation, ReservationOutcome, Store, StoreError, SwapPage, SwapPosition, SwapRange, Trip,
};

#[async_trait]
impl Store for MemoryStore {
    async fn insert(&self, quote: &Quote, now: Timestamp) -> Result<(), StoreError> {
        let permit = self.acquire_permit(&quote.client, now)?;
        let mut shard = self.shard(quote.id);
        shard.sweep(now, SWEEP_PER_INSERT, &self.capacity, self.retention);
        if shard.insert(quote) {
            permit.commit();
        }
        Ok(())
    }

    async fn find(&self, id: QuoteId, now: Timestamp) -> Result<Option<QuoteRecord>, StoreError> {
        Ok(self.shard(id).find(id, now, self.retention))
    }

    async fn open(
        &self,
        id: QuoteId,
        client: &Client,
        terms: &Terms,
        now: Timestamp,
    ) -> Result<OpenOutcome, StoreError> {
        Ok(self.shard(id).open(id, client, terms, now))
    }

    async fn prepare(&self, commitment: &Commitment<'_>, now: Timestamp) -> Result<PrepareOutcome, StoreError> {
        Ok(self.prepare_now(commitment, now))
    }

    async fn commit(
        &self,
        commitment: &Commitment<'_>,
        signed: SignedQuote,
        now: Timestamp,
    ) -> Result<CommitOutcome, StoreError> {
        self.commit_now(commitment, signed, now).await
    }

    async fn set_outcome(
        &self,
        swap: &SignedSwap,
        outcome: Option<SwapOutcome>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        let found = self.shard(swap.quote_id).find(swap.quote_id, now, self.retention);
        // A swap from before the start may be in the ledger only.
        if found.is_none_or(|found| found.outcome != outcome) {
            self.files.append_outcome(swap, outcome, now).await?;
            self.shard(swap.quote_id).set_outcome(swap.quote_id, outcome);
        }
        Ok(())
    }

    async fn signed_swaps(&self, client: &Client, range: &SwapRange, now: Timestamp) -> Result<SwapPage, StoreError> {
        let positions = self.swaps.lock().positions(client, range);
        let find = |position: &SwapPosition| self.shard(position.quote_id).find(position.quote_id, now, self.retention);
        let swaps = positions.iter().filter_map(find).filter(|record| record.signed.is_some()).collect();
        Ok(SwapPage { swaps, next: positions.last().copied() })
    }

    async fn apply_changes(&self, pool: PoolId, changes: &[BookChange], now: Timestamp) -> Result<(), StoreError> {
        self.books.lock().apply_changes(pool, changes, now);
        Ok(())
    }

    async fn changes_since(
        &self,
        pool: PoolId,
        version: Option<BookVersion>,
        now: Timestamp,
    ) -> Result<BookUpdate, StoreError> {
        Ok(self.books.lock().changes_since(pool, version, now))
    }

    async fn signing_delay_seconds(
        &self,
        _pool: PoolId,
        max_lifetime_seconds: u32,
        is_observed: bool,
        now: Timestamp,
    ) -> Result<u32, StoreError> {
        Ok(if is_observed { self.books.lock().seconds_incomplete(max_lifetime_seconds, now) } else { 0 })
    }

    async fn store_levels(&self, levels: &FirmLevels, renewal: bool, now: Timestamp) -> Result<bool, StoreError> {
        Ok(self.levels.lock().store_levels(levels, renewal, now))
    }

    async fn find_levels(&self, pool: PoolId, id: LevelsId, now: Timestamp) -> Result<LevelsLookup, StoreError> {
        Ok(self.levels.lock().find(pool, id, now))
    }

    async fn reserve(&self, reservation: &Reservation<'_>, now: Timestamp) -> Result<ReservationOutcome, StoreError> {
        Ok(self.levels.lock().reserve(reservation, now))
    }

    async fn set_reserved_until(
        &self,
        budget: &LevelBudget,
        quote_id: QuoteId,
        until: Timestamp,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        Ok(self.levels.lock().set_until(budget, quote_id, until, now))
    }

    async fn set_paused(
        &self,
        pool: PoolId,
        is_paused: bool,
        entry: Option<&OperatorEntry>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.set_pause(pool, is_paused, entry, now).await
    }

    async fn set_revoked(
        &self,
        credential: &str,
        is_revoked: bool,
        entry: Option<&OperatorEntry>,
    ) -> Result<(), StoreError> {
        self.store_revocation(credential, is_revoked, entry).await
    }

    async fn paused(&self) -> Result<PausedPools, StoreError> {
        Ok(self.pauses())
    }

    async fn trip(&self, trip: &Trip, entry: Option<&OperatorEntry>) -> Result<bool, StoreError> {
        self.apply_trip(trip, entry).await
    }

    async fn end_trip(&self, trip: &Trip, entry: &OperatorEntry) -> Result<bool, StoreError> {
        self.remove_trip(trip, entry).await
    }

    async fn append_entry(&self, entry: &OperatorEntry) -> Result<(), StoreError> {
        self.append_operator_entry(Some(entry)).await
    }

    async fn store_hedge(
        &self,
        hedge: &Hedge,
        actor: Option<&Actor>,
        now: Timestamp,
    ) -> Result<HedgeOutcome, StoreError> {
        self.hedges.add(&self.files, hedge, actor, now).await
    }

    async fn store_sample(&self, pool: PoolId, sample: &PoolSample) -> Result<(), StoreError> {
        self.add_sample(pool, sample).await
    }

    async fn samples(&self, pool: PoolId, since: Timestamp) -> Result<Vec<PoolSample>, StoreError> {
        Ok(self.samples.lock().since(pool, since))
    }

    async fn events(&self, after: Option<&EventCursor>, count: usize) -> Result<EventPage, StoreError> {
        self.files.events(after, count).await
    }

    /// The only dispatcher is in this process.
    async fn lease_deliveries(&self, _dispatcher: &str) -> Result<Option<BTreeMap<String, EventCursor>>, StoreError> {
        Ok(Some(self.deliveries.lock().clone()))
    }

    async fn store_delivered(
        &self,
        _dispatcher: &str,
        endpoint: &str,
        until: &EventCursor,
    ) -> Result<bool, StoreError> {
        self.deliveries.lock().insert(endpoint.to_owned(), until.clone());
        if let Some(file) = &self.files.deliveries {
            let deliveries = Arc::clone(&self.deliveries);
            let texts =
                move || deliveries.lock().iter().map(|(name, cursor)| (name.clone(), cursor.to_string())).collect();
            file.write_with(texts).await?;
        }
        Ok(true)
    }

    fn retains_pauses(&self) -> bool {
        self.files.pauses.is_some()
    }

    async fn estimates(&self) -> Result<BTreeMap<String, String>, StoreError> {
        if let Some(file) = &self.files.estimates {
            return file.read().await;
        }
        Ok(self.estimates.lock().clone())
    }

    async fn store_estimates(&self, estimates: &BTreeMap<String, String>, _now: Timestamp) -> Result<(), StoreError> {
        if let Some(file) = &self.files.estimates {
            return file.write(estimates).await;
        }
        self.estimates.lock().clone_from(estimates);
        Ok(())
    }

    fn is_shared(&self) -> bool {
        false
    }

    fn check_capacity(&self, client: &Client, now: Timestamp) -> Result<(), StoreError> {
        self.acquire_permit(client, now).map(drop)
    }

    fn occupancy(&self) -> Option<Occupancy> {
        Some(self.capacity.occupancy())
    }

    async fn ping(&self, _now: Timestamp) -> Result<(), StoreError> {
        if let Some(ledger) = &self.files.ledger {
            ledger.ping().await?;
        }
        Ok(())
    }
}

//! Pauses, trips of breakers and samples in memory, and in files if there are any.

use std::sync::Arc;

use firmquote_domain::{PoolId, Timestamp};

use super::MemoryStore;
use crate::{OperatorEntry, PausedPools, PoolSample, StoreError, Trip};

/// The text of each credential in the file.
const REVOKED: &str = "revoked";

impl MemoryStore {
    pub(super) fn pauses(&self) -> PausedPools {
        let revoked = self.revoked.lock().clone();
        if let Some(file) = &self.files.pauses {
            return PausedPools { revoked, ..file.paused() };
        }
        PausedPools { revoked, ..self.paused.lock().clone() }
    }

    /// A revocation is stored before its entry, its end after it.
    pub(super) async fn store_revocation(
        &self,
        credential: &str,
        is_revoked: bool,
        entry: Option<&OperatorEntry>,
    ) -> Result<(), StoreError> {
        if !is_revoked {
            self.append_operator_entry(entry).await?;
        }
        {
            let mut revoked = self.revoked.lock();
            if is_revoked {
                revoked.insert(credential.to_owned());
            } else {
                revoked.remove(credential);
            }
        }
        if let Some(file) = &self.files.revoked {
            let revoked = Arc::clone(&self.revoked);
            file.write_with(move || revoked.lock().iter().map(|id| (id.clone(), REVOKED.to_owned())).collect()).await?;
        }
        if is_revoked { self.append_operator_entry(entry).await } else { Ok(()) }
    }

    /// A pause is stored before its entry, a resume after it: whatever fails, nothing is resumed without an entry.
    pub(super) async fn set_pause(
        &self,
        pool: PoolId,
        is_paused: bool,
        entry: Option<&OperatorEntry>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        if is_paused {
            self.store_pause(pool, is_paused, now).await?;
            return self.append_operator_entry(entry).await;
        }
        self.append_operator_entry(entry).await?;
        self.remove_samples(pool).await?;
        self.store_pause(pool, is_paused, now).await
    }

    async fn store_pause(&self, pool: PoolId, is_paused: bool, now: Timestamp) -> Result<(), StoreError> {
        if let Some(file) = &self.files.pauses {
            return file.set_paused(pool, is_paused, now).await;
        }
        let mut paused = self.paused.lock();
        if is_paused {
            paused.pools.insert(pool);
        } else {
            paused.resume(pool, now);
        }
        Ok(())
    }

    pub(super) async fn apply_trip(&self, trip: &Trip, entry: Option<&OperatorEntry>) -> Result<bool, StoreError> {
        // The same trip again: the first time, not all of it was stored.
        let is_repeated = self.pauses().trips.get(&trip.key) == Some(trip);
        let is_new = self.store_trip(trip).await?;
        if is_new || is_repeated {
            self.append_operator_entry(entry).await?;
        }
        Ok(is_new)
    }

    async fn store_trip(&self, trip: &Trip) -> Result<bool, StoreError> {
        if let Some(file) = &self.files.pauses {
            return file.trip(trip).await;
        }
        Ok(self.paused.lock().trip(trip))
    }

    pub(super) async fn remove_trip(&self, trip: &Trip, entry: &OperatorEntry) -> Result<bool, StoreError> {
        if self.pauses().trips.get(&trip.key) != Some(trip) {
            return Ok(false);
        }
        // First: no trip ends without its entry.
        self.append_operator_entry(Some(entry)).await?;
        self.end_stored_trip(trip).await
    }

    async fn end_stored_trip(&self, trip: &Trip) -> Result<bool, StoreError> {
        if let Some(file) = &self.files.pauses {
            return file.end_trip(trip).await;
        }
        Ok(self.paused.lock().end(trip))
    }

    pub(super) async fn append_operator_entry(&self, entry: Option<&OperatorEntry>) -> Result<(), StoreError> {
        match entry {
            Some(entry) => self.files.append_entry(entry).await,
            None => Ok(()),
        }
    }

    pub(super) async fn add_sample(&self, pool: PoolId, sample: &PoolSample) -> Result<(), StoreError> {
        if !self.samples.lock().store(pool, sample) {
            return Ok(());
        }
        if let Some(file) = &self.files.samples {
            return file.add((pool, sample), || self.samples.lock().all()).await;
        }
        Ok(())
    }

    async fn remove_samples(&self, pool: PoolId) -> Result<(), StoreError> {
        self.samples.lock().remove(pool);
        if let Some(file) = &self.files.samples {
            let all = self.samples.lock().all();
            return file.replace(&all).await;
        }
        Ok(())
    }
}

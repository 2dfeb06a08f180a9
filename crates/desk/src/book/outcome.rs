//! Storing how signed swaps ended, for the status of their quotes and for the ledger: once by each replica.

use firmquote_domain::SwapOutcome;
use futures_util::{StreamExt as _, stream};

use super::outcome_log::ObservedOutcome;
use crate::{Desk, DeskError, ServedPool};

/// The number of outcomes that are being stored at a time: a block may end thousands of swaps, and each may wait for
/// the disk.
const MAX_CONCURRENT_OUTCOMES: usize = 512;

impl Desk {
    /// Stores lapses by the clock, the only outcomes that are known for pools whose contract is not observed.
    ///
    /// # Errors
    /// [`DeskError::Store`] if the store could not be reached; the next call makes up for it.
    pub async fn store_lapses(&self, pool: &ServedPool) -> Result<(), DeskError> {
        let lapsed = pool.book().unstored_lapses().into_iter();
        let outcomes = lapsed.map(|entry| ObservedOutcome { entry, outcome: Some(SwapOutcome::Lapsed) });
        self.store_all(pool, outcomes.collect()).await
    }

    /// Stores the observed outcomes that this replica has not stored yet; those that cannot be stored are kept for the
    /// next call. For one caller at a time.
    ///
    /// # Errors
    /// [`DeskError::Store`] if the store could not be reached.
    pub async fn store_outcomes(&self, pool: &ServedPool) -> Result<(), DeskError> {
        self.store_all(pool, pool.book().pending_outcomes()).await
    }

    async fn store_all(&self, pool: &ServedPool, outcomes: Vec<ObservedOutcome>) -> Result<(), DeskError> {
        let now = self.clock.now();
        let store = async |ObservedOutcome { entry, outcome }: ObservedOutcome| {
            let swap = &entry.swap;
            self.store.set_outcome(swap, outcome, now).await.map_err(DeskError::from_store)?;
            self.update_reservation(pool, swap, outcome, now).await?;
            pool.book().mark_outcome_stored(swap.quote_id, outcome);
            if let Some(outcome) = &outcome {
                self.operator_view.signatures.record_outcome(swap, pool.spec(), outcome);
            }
            Ok(())
        };
        // One that cannot be stored does not keep the others from it.
        let stored: Vec<Result<(), DeskError>> =
            stream::iter(outcomes.into_iter().map(store)).buffer_unordered(MAX_CONCURRENT_OUTCOMES).collect().await;
        stored.into_iter().collect()
    }
}

//! Storing how signed swaps ended, for the status of their quotes and for the ledger.

use firmquote_domain::{BookEntry, SwapOutcome};
use futures_util::future::try_join_all;

use crate::{Desk, DeskError, ServedPool};

impl Desk {
    /// Stores lapses by the clock, the only outcomes that are known for pools whose contract is not observed.
    ///
    /// # Errors
    /// [`DeskError::Store`] if the store could not be reached; the next call makes up for it.
    pub async fn store_lapses(&self, pool: &ServedPool) -> Result<(), DeskError> {
        let lapsed = pool.book().unstored_lapses();
        let outcomes: Vec<_> = lapsed.into_iter().map(|booked| (booked, Some(SwapOutcome::Lapsed))).collect();
        self.store_outcomes(pool, &outcomes).await
    }

    /// Stores the outcomes that this replica has not stored yet, all at once.
    pub(super) async fn store_outcomes(
        &self,
        pool: &ServedPool,
        outcomes: &[(BookEntry, Option<SwapOutcome>)],
    ) -> Result<(), DeskError> {
        let new = pool.book().new_outcomes(outcomes);
        let now = self.clock.now();
        let store = async |(booked, outcome): &(BookEntry, Option<SwapOutcome>)| {
            self.store.set_outcome(&booked.swap, *outcome, now).await.map_err(DeskError::Store)?;
            self.update_reservation(pool, &booked.swap, *outcome, now).await?;
            pool.book().mark_outcome_stored(booked.swap.quote_id, *outcome);
            if let Some(outcome) = outcome {
                self.operator_view.signatures.record_outcome(&booked.swap, pool.spec(), outcome);
            }
            Ok(())
        };
        try_join_all(new.into_iter().map(store)).await.map(|_: Vec<()>| ())
    }
}

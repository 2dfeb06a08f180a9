//! Trades on other venues that the operator's hedger reports.

use firmquote_domain::Hedge;
use firmquote_store::{Actor, HedgeOutcome};

use crate::{Desk, DeskError};

impl Desk {
    /// Records a hedge in the operator's stream. Returns whether it is new: a repeated report is recorded once.
    ///
    /// # Errors
    /// [`DeskError::HedgeIdReused`] if another hedge of its id was recorded, [`DeskError::Store`] if the store could not
    /// be reached, or keeps no operator's stream.
    pub async fn record_hedge(&self, hedge: &Hedge, actor: &Actor) -> Result<bool, DeskError> {
        let stored = self.store.store_hedge(hedge, Some(actor), self.clock.now()).await;
        match stored.map_err(DeskError::from_store)? {
            HedgeOutcome::Stored => Ok(true),
            HedgeOutcome::Duplicate => Ok(false),
            HedgeOutcome::Conflict => Err(DeskError::HedgeIdReused),
        }
    }
}

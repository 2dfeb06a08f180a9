//! The hedges that were reported, by their ids.

use std::collections::HashMap;

use firmquote_domain::{Hedge, HedgeName, Timestamp};
use tokio::sync::Mutex;

use super::files::Files;
use crate::{Actor, HEDGE_RETENTION_SECONDS, HedgeOutcome, OperatorEntry, OperatorEvent, StoreError};

/// The reported hedges with the times at which they were. Locked while one is written, so that each is written once.
#[derive(Debug, Default)]
pub(super) struct HedgeTable(Mutex<HashMap<HedgeName, (Hedge, Timestamp)>>);

impl HedgeTable {
    /// Creates the table of hedges that are in the operator's stream already.
    pub(super) fn new(hedges: impl IntoIterator<Item = (Hedge, Timestamp)>) -> Self {
        let hedges = hedges.into_iter().map(|(hedge, at)| (hedge.id.clone(), (hedge, at)));
        Self(Mutex::new(hedges.collect()))
    }

    /// Appends a hedge to the operator's stream in `files`, unless one of its id was appended.
    pub(super) async fn add(
        &self,
        files: &Files,
        hedge: &Hedge,
        actor: Option<&Actor>,
        now: Timestamp,
    ) -> Result<HedgeOutcome, StoreError> {
        if files.operator.is_none() {
            return Err(StoreError::Unavailable("it keeps no operator's stream: set a ledger file".into()));
        }
        let mut hedges = self.0.lock().await;
        hedges.retain(|_, (_, at)| now.seconds_since(*at) < u64::from(HEDGE_RETENTION_SECONDS));
        if let Some((known, _)) = hedges.get(&hedge.id) {
            return Ok(if known == hedge { HedgeOutcome::Duplicate } else { HedgeOutcome::Conflict });
        }
        let event = OperatorEvent::Hedged(hedge.clone());
        files.append_entry(&OperatorEntry { event, actor: actor.cloned(), recorded_at: now }).await?;
        hedges.insert(hedge.id.clone(), (hedge.clone(), now));
        Ok(HedgeOutcome::Stored)
    }
}

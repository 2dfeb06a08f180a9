//! What a store in memory retains in files beyond the end of its process.

use firmquote_domain::{SignedQuote, SignedSwap, SwapOutcome, Timestamp};

use crate::{
    EstimateFile, PauseFile, StoreError,
    ledger::{self, LedgerFile},
};

/// The files of a store; all are optional.
#[derive(Debug, Default)]
pub(super) struct Files {
    pub(super) ledger: Option<LedgerFile>,
    pub(super) pauses: Option<PauseFile>,
    pub(super) estimates: Option<EstimateFile>,
}

impl Files {
    /// Appends a signature to the ledger; returns once it is on disk.
    pub(super) async fn append_signature(&self, signed: &SignedQuote) -> Result<(), StoreError> {
        self.append(|| ledger::line(signed)).await
    }

    /// Appends the outcome of a swap to the ledger; returns once it is on disk.
    pub(super) async fn append_outcome(
        &self,
        swap: &SignedSwap,
        outcome: Option<SwapOutcome>,
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.append(|| ledger::outcome_line(swap, outcome, now)).await
    }

    async fn append(&self, line: impl FnOnce() -> serde_json::Result<String> + Send) -> Result<(), StoreError> {
        let Some(ledger) = &self.ledger else { return Ok(()) };
        ledger.append(line().map_err(|error| StoreError::Unavailable(Box::new(error)))?).await
    }
}
